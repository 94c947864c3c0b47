/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class Http1HeadTest {

    private final Http1Head head = new Http1Head(4096);

    private int parse(byte[] bytes, int length) {
        System.arraycopy(bytes, 0, head.bytes, 0, length);
        return head.parse(length);
    }

    /** Heads that are well formed but for the length, which is what the other properties cut and bend. */
    @Provide
    Arbitrary<String> heads() {
        Arbitrary<String> name = Arbitraries.of(
                "X-A", "Accept", "cookie", "x-very-long-name-of-a-header", "Content-Typo", "Upgrade", "A", "Te");
        Arbitrary<String> value = Arbitraries.strings()
                .withCharRange(' ', '~')
                .withChars('\t', '\u00e9')
                .ofMaxLength(60);
        Arbitrary<List<String>> fields = Combinators.combine(name, value)
                .as((n, v) -> n + ":" + v + "\r\n")
                .list()
                .ofMaxSize(8);
        return Combinators.combine(Arbitraries.of("GET", "POST", "M-SEARCH"), fields)
                .as((method, list) -> method + " /p?q HTTP/1.1\r\nHost: h\r\n" + String.join("", list) + "\r\n");
    }

    @Property
    void isIncompleteUntilTheLastByteAndNeverReadsOn(@ForAll("heads") String text) {
        byte[] bytes = (text + "GARBAGE\0\n").getBytes(StandardCharsets.ISO_8859_1);
        int length = bytes.length - 9;
        for (int cut = 0; cut < length; cut++) {
            assertThat(parse(bytes, cut)).as("of %d bytes", cut).isEqualTo(Http1Head.INCOMPLETE);
        }
        assertThat(parse(bytes, length)).isEqualTo(length);
        assertThat(parse(bytes, bytes.length)).isEqualTo(length);
    }

    @Property
    void aControlCharacterAnywhereIsRefusedOrEndsNothing(@ForAll("heads") String text, @ForAll int where) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int at = Math.floorMod(where, bytes.length);
        if (bytes[at] == '\r' || bytes[at] == '\n') {
            return;
        }
        bytes[at] = 0;
        assertThat(parse(bytes, bytes.length)).isEqualTo(-400);
    }

    @Property(tries = 2000)
    void neverFailsOnAnyBytes(@ForAll byte[] bytes) {
        int length = Math.min(bytes.length, head.bytes.length);
        int result = parse(bytes, length);
        assertThat(result).isBetween(-599, length);
    }

    @Property(tries = 2000)
    void neverFailsOnNearlyAHead(@ForAll("heads") String text, @ForAll byte[] noise, @ForAll int where) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int at = Math.floorMod(where, bytes.length);
        System.arraycopy(noise, 0, bytes, at, Math.min(noise.length, bytes.length - at));
        assertThat(parse(bytes, bytes.length)).isBetween(-599, bytes.length);
    }
}
