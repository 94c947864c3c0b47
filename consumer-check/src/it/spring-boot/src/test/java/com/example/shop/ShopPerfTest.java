package com.example.shop;

import static io.gatebench.junit.GatebenchAssertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import io.gatebench.junit.GatewayPerfTest;
import io.gatebench.junit.ResultsPath;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.EchoBackend;
import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.spi.OwnGateway;

/** The application of the test itself is what is measured, beside whatever Spring Boot has on the class path. */
@GatewayPerfTest
class ShopPerfTest {

    private ConfigurableApplicationContext application;

    private URI start(URI backend) {
        application = SpringApplication.run(Shop.class, "--backend=" + backend, "--server.port=0");
        return URI.create("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port"));
    }

    @Test
    void measuresTheApplication(@ResultsPath Path results) {
        BenchmarkResult result = GatewayBenchmark.gateway(
                        OwnGateway.startedBy(this::start).at("/orders").stoppedBy(() -> application.close()))
                .users(4)
                .warmUp(Duration.ofSeconds(2))
                .duration(Duration.ofSeconds(4))
                .controlRun(true)
                .results(results.resolve("run"))
                .run();

        assertThat(result).hasNoErrors();
        Assertions.assertTrue(result.cell().gatewayGc().isPresent());
    }

    @Test
    void hasABackEndAndTokensBesideTheNettyOfSpring(EchoBackend backEnd) {
        Assertions.assertEquals(0, backEnd.requests());
        Assertions.assertEquals(3, TokenPool.opaque(3).tokens().size());
    }
}
