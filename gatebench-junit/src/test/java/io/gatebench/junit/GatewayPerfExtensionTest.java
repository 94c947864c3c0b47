/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import io.gatebench.load.token.TokenPool;

class GatewayPerfExtensionTest {

    private static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path results;

    private static void busy(String name) throws InterruptedException {
        EVENTS.add("begin " + name);
        Thread.sleep(50);
        EVENTS.add("end " + name);
    }

    static class Plain {
        @Test
        void one() throws InterruptedException {
            busy("plain");
        }

        @Test
        void two() throws InterruptedException {
            busy("plain");
        }
    }

    @GatewayPerfTest
    static class Measuring {
        @Test
        void one() throws InterruptedException {
            busy("measuring");
        }

        @Test
        void two() throws InterruptedException {
            busy("measuring");
        }
    }

    @GatewayPerfTest(product = "apmi")
    static class Misspelt {
        @Test
        void asksForTokens(TokenPool tokens) {}
    }

    @GatewayPerfTest
    static class WithResults {
        @Test
        void usesThem(@ResultsPath Path directory) throws Exception {
            assertThat(directory).isEmptyDirectory();
            Files.writeString(directory.resolve("mine.txt"), "from an execution");
        }
    }

    @Test
    void measuresWhileNothingElseRunsInParallel() {
        List<String> failures = execute(Plain.class, Measuring.class);

        assertThat(failures).isEmpty();
        String previous = "";
        for (String event : EVENTS) {
            if (event.equals("begin measuring")) {
                assertThat(previous).as("before a measurement in %s", EVENTS).isIn("", "end plain", "end measuring");
            }
            if (previous.equals("begin measuring")) {
                assertThat(event)
                        .as("after the begin of a measurement in %s", EVENTS)
                        .isEqualTo("end measuring");
            }
            previous = event;
        }
        assertThat(EVENTS).hasSize(8);
    }

    @Test
    void saysWhatIsWrongWithTheAnnotation() {
        assertThat(execute(Misspelt.class))
                .singleElement()
                .asString()
                .contains("unknown product 'apmi'; did you mean 'apim'?");
    }

    @Test
    void emptiesTheResultsOfAnEarlierExecution() {
        assertThat(execute(WithResults.class)).isEmpty();
        assertThat(execute(WithResults.class)).isEmpty();

        assertThat(results.resolve(WithResults.class.getName()).resolve("usesThem/mine.txt"))
                .exists();
    }

    private List<String> execute(Class<?>... classes) {
        EVENTS.clear();
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                .configurationParameter(GatewayPerfTest.RESULTS_PROPERTY, results.toString());
        for (Class<?> type : classes) {
            request.selectors(selectClass(type));
        }
        LauncherDiscoveryRequest built = request.build();
        Queue<String> failures = new ConcurrentLinkedQueue<>();
        LauncherFactory.create().execute(built, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                result.getThrowable().ifPresent(thrown -> failures.add(describe(thrown)));
            }
        });
        return List.copyOf(failures);
    }

    private static String describe(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            text.append(cause).append('\n');
        }
        return text.toString();
    }
}
