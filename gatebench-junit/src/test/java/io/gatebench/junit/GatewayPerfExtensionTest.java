/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.runner.GatewayBenchmark;

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

    @GatewayPerfTest(product = "netty")
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfMyProduct {}

    @OfMyProduct
    static class Outer {
        @Nested
        class Inner {
            @Test
            void knowsTheGatewayOfItsOuterClass(GatewayBenchmark.Builder builder) {
                assertThatThrownBy(builder::build).hasMessageContaining("unknown product 'netty'");
            }
        }
    }

    static class OnAMethod {
        @GatewayPerfTest(product = "apim", scenarios = "passthrough")
        @Test
        void hasAGateway(GatewayBenchmark.Builder builder) {
            assertThat(builder.users(7).build().cells()).isEqualTo(1);
        }
    }

    @Isolated
    static class Registered {
        @RegisterExtension
        static final GatewayPerfExtension GATEWAY =
                GatewayPerfExtension.of(() -> GatewayBenchmark.product("mi").scenarios("DirectProxy"));

        @Test
        void isDescribedInJava(GatewayBenchmark.Builder builder) {
            assertThat(builder.users(7).messageSizes(1024).build().cells()).isEqualTo(1);
        }
    }

    @GatewayPerfTest
    static class Assertionless {
        @Test
        void measuresNothing(@ResultsPath Path directory) {
            Results.failed(directory.resolve("run-1"));
        }
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

    @Test
    void findsTheAnnotationOnOuterClassesMethodsAndOtherAnnotations() {
        assertThat(execute(Outer.Inner.class)).isEmpty();
        assertThat(execute(false, OnAMethod.class)).isEmpty();
        assertThat(execute(Registered.class)).isEmpty();
    }

    @Test
    void refusesToMeasureBesideOtherTests() {
        assertThat(execute(OnAMethod.class))
                .singleElement()
                .asString()
                .contains("tests run in parallel here", "@Isolated", OnAMethod.class.getName());
    }

    @Test
    void failsATestThatMeasuredNothingAndAssertsNothing() {
        assertThat(execute(Assertionless.class))
                .singleElement()
                .asString()
                .contains("nothing was measured that can be used", "the gateway did not start", "index.html");
    }

    private List<String> execute(Class<?>... classes) {
        return execute(true, classes);
    }

    private List<String> execute(boolean parallel, Class<?>... classes) {
        EVENTS.clear();
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("junit.jupiter.execution.parallel.enabled", String.valueOf(parallel))
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
