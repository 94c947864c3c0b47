/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

import org.junit.jupiter.api.Test;

class LogBytesTest {

    private static final byte[] NEAR = {'\n', '\n' + 1, '\n' - 1, (byte) ('\n' | 0x80), 'x', 0, -1};

    @Test
    void findsTheNextLineFeedFromEveryByteToEveryOther() {
        Random random = new Random(1);
        LogBytes content = new LogBytes(61);
        for (int round = 0; round < 70; round++) {
            int kinds = 2 + round % NEAR.length;
            for (int i = 0; i < content.bytes.length; i++) {
                content.bytes[i] = NEAR[random.nextInt(kinds) % NEAR.length];
            }
            content.changed(0, content.bytes.length);
            for (int from = 0; from <= content.bytes.length; from++) {
                for (int to = from; to <= content.bytes.length; to++) {
                    int expected = from;
                    while (expected < to && content.bytes[expected] != '\n') {
                        expected++;
                    }
                    assertThat(content.indexOfNewline(from, to)).isEqualTo(expected < to ? expected : -1);
                }
            }
        }
    }

    @Test
    void knowsTheWordAtEveryByteAfterAPartHasChanged() {
        Random random = new Random(2);
        LogBytes content = new LogBytes(64);
        for (int round = 0; round < 100; round++) {
            int from = random.nextInt(60);
            int to = from + 1 + random.nextInt(64 - from);
            for (int i = from; i < to; i++) {
                content.bytes[i] = (byte) random.nextInt();
            }
            content.changed(from, to);
            ByteBuffer words = ByteBuffer.wrap(content.bytes).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i <= 56; i++) {
                assertThat(content.wordAt(i)).isEqualTo(words.getLong(i));
            }
        }
    }
}
