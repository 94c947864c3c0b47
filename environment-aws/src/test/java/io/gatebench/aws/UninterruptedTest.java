/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import org.junit.jupiter.api.Test;

import io.gatebench.model.cloud.CloudException;

class UninterruptedTest {

    @Test
    void comesToItsEndWhoeverInterruptsTheOneThatWaits() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FutureTask<String> waiting = new FutureTask<>(() -> {
            String result = Uninterrupted.call("work", () -> {
                begun.countDown();
                try {
                    goOn.await();
                    return "removed";
                } catch (InterruptedException e) {
                    return "broken off";
                }
            });
            return result + ", interrupted afterwards: "
                    + Thread.currentThread().isInterrupted();
        });
        Thread thread = new Thread(waiting);
        thread.start();
        begun.await();

        thread.interrupt();
        thread.interrupt();
        goOn.countDown();

        assertThat(waiting.get()).isEqualTo("removed, interrupted afterwards: true");
    }

    @Test
    void throwsWhatTheWorkThrows() {
        assertThatThrownBy(() -> Uninterrupted.call("work", () -> {
                    throw CloudException.failed("no");
                }))
                .isInstanceOf(CloudException.class)
                .hasMessage("no");
    }
}
