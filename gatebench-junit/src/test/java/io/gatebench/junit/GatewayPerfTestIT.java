/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import static io.gatebench.junit.GatebenchAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.CaseResult;
import io.gatebench.runner.EchoBackend;
import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.runner.StartedGateway;

/** What a product repository meets: real processes, real HTTPS, short windows. */
@GatewayPerfTest(product = "apim", scenarios = "passthrough")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GatewayPerfTestIT {

    @Test
    @Order(1)
    void givesARunningGatewayInFrontOfARunningBackEnd(EchoBackend echo, StartedGateway gateway, TokenPool tokens) {
        long before = echo.requests();

        List<ProbeOutcome> probes = gateway.probe();

        assertThat(probes).hasSizeGreaterThan(3).allMatch(ProbeOutcome::passed);
        assertThat(echo.requests()).isGreaterThan(before);
        assertThat(tokens.tokens()).hasSizeGreaterThan(1);
        assertThat(gateway.scenarioUrl().toString()).startsWith("https://").endsWith("/echo/1.0.0");
    }

    @Test
    @Tag("full")
    @Order(2)
    void measuresSeveralTimesInOneJvm(GatewayBenchmark.Builder test, @ResultsPath Path directory) {
        GatewayBenchmark described = test.users(4)
                .heaps("128M")
                .thinkTime(Duration.ofMillis(20))
                .duration(Duration.ofSeconds(4))
                .warmUp(Duration.ofSeconds(2))
                .thresholds("errors == 0")
                .build();

        BenchmarkResult first = described.run();
        BenchmarkResult second = described.run();

        assertThat(first).hasNoErrors().meetsItsThresholds().p99IsBelow(Duration.ofSeconds(5));
        assertThat(first.directory()).isEqualTo(directory.resolve("run-1"));
        assertThat(second.directory()).isEqualTo(directory.resolve("run-2"));
        assertThat(first.report()).isNotEmptyFile();
        assertThat(first.info().versions().get("gateway")).matches("Spring Cloud Gateway .*\\d+\\.\\d+.*");
        CaseResult cell = second.cell();
        assertThat(cell.samples()).isPositive();
        assertThat(cell.gatewayGc().orElseThrow().exact().fullGcCount().value()).isPresent();
        assertThat(directory.resolve("run-2/.work")).doesNotExist();
    }

    @Test
    @Tag("full")
    @Order(3)
    void doesNotPassWhatOneStartCannotKnow(GatewayBenchmark.Builder test, @ResultsPath Path directory) {
        GatewayBenchmark described =
                test.users(4).heaps("128M").warmUp(Duration.ofSeconds(2)).build();

        assertThatThrownBy(() -> assertThat(described)
                        .isNotSlowerThan(described)
                        .within(Duration.ofSeconds(22))
                        .by(5, LossUnit.PERCENT))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(
                        "Expecting no loss above 5.0 %, but it is not ruled out after 22 s; give it more time:")
                .hasMessageMatching("(?s).*1 start, (8|12|16) windows.*")
                .hasMessageContaining("Every window: " + directory.resolve("run-1"));
        assertThat(directory.resolve("run-1/windows.csv")).isNotEmptyFile();
    }

    @AfterAll
    static void nothingIsLeftRunning() {
        assertThat(ProcessHandle.current().children()).isEmpty();
    }
}
