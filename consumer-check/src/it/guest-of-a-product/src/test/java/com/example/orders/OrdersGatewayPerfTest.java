package com.example.orders;

import static io.gatebench.junit.GatebenchAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.gatebench.junit.GatewayPerfTest;
import io.gatebench.junit.ResultsPath;
import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.EchoBackend;
import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.spi.OwnGateway;

/** The gateway runs in this JVM, with its module and its log at level DEBUG; back end and load generator see neither. */
@GatewayPerfTest
class OrdersGatewayPerfTest {

    private OrdersGateway gateway;

    private URI start(URI backend) throws Exception {
        gateway = new OrdersGateway(backend);
        return gateway.url();
    }

    @Test
    void measuresTheProductAndNotHowItLogs(@ResultsPath Path results) throws Exception {
        assertThat(OrdersGateway.class.getModule().isNamed()).isTrue();

        BenchmarkResult result = GatewayBenchmark.gateway(
                        OwnGateway.startedBy(this::start).at("/orders").stoppedBy(() -> gateway.close()))
                .users(4)
                .warmUp(Duration.ofSeconds(1))
                .duration(Duration.ofSeconds(3))
                .controlRun(true)
                .results(results.resolve("run"))
                .run();

        assertThat(result).hasNoErrors();
        assertThat(result.cell().gatewayGc()).isPresent();
        try (Stream<Path> files = Files.walk(results)) {
            assertThat(files.filter(file -> file.endsWith("out.log")))
                    .hasSizeGreaterThan(2)
                    .allSatisfy(file -> assertThat(file).content().doesNotContain("DEBUG", "SLF4J"));
        }
    }

    @Test
    void hasABackEndBesideAnyNetty(EchoBackend backEnd) {
        assertThat(backEnd.requests()).isZero();
    }

    /** Whoever imports the library pays for it with each jar on the class path of all tests. */
    @Test
    void bringsFewJars() {
        String jars = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        System.out.println(jars.split(":").length + " jars");
        assertThat(jars.split(":")).hasSizeLessThan(60);
    }
}
