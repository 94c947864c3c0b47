/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;

/**
 * Fails a test when a buffer is forgotten: Netty's leak detector looks at every buffer (see the module's test options) and
 * tells when the collector finds one that nobody released.
 */
final class LeakWatch {

    private final List<String> found = new CopyOnWriteArrayList<>();

    private LeakWatch() {}

    static LeakWatch start() {
        assertThat(ResourceLeakDetector.getLevel())
                .as("run with -Dio.netty.leakDetection.level=paranoid")
                .isEqualTo(ResourceLeakDetector.Level.PARANOID);
        LeakWatch watch = new LeakWatch();
        ByteBufUtil.setLeakListener((resourceType, records) -> watch.found.add(resourceType + ": " + records));
        return watch;
    }

    /** To be called after the server is closed. */
    void assertNone() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            // The detector reports when the next buffer is tracked.
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
        assertThat(found).isEmpty();
    }
}
