package com.example.flow;

import static io.gatebench.junit.GatebenchAssertions.assertThat;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.gatebench.junit.GatewayPerfTest;
import io.gatebench.runner.GatewayBenchmark;

/** Whether Flow starts, serves its scenario and ends: seconds of load, whose figures say nothing of its speed. */
@GatewayPerfTest(product = "flow")
class FlowIT {

    @Test
    void servesItsScenario(GatewayBenchmark.Builder test) {
        assertThat(test.users(2).warmUp(Duration.ofSeconds(2)).duration(Duration.ofSeconds(5)).run()).hasNoErrors();
    }
}
