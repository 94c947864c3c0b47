/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static io.gatebench.load.ScenarioSampler.scenarioSampler;
import static org.assertj.core.api.Assertions.assertThat;
import static us.abstracta.jmeter.javadsl.JmeterDsl.testPlan;
import static us.abstracta.jmeter.javadsl.JmeterDsl.threadGroup;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import us.abstracta.jmeter.javadsl.core.TestPlanStats;

import io.gatebench.echo.EchoServer;
import io.gatebench.echo.EchoServerConfig;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.Trust;
import io.gatebench.model.DataSize;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;

/** A plan of one's own for every kind of scenario, in clear and over TLS, with both clients. */
class ScenarioKindsIT {

    @ParameterizedTest
    @CsvSource({
        "JSON_SIMPLE, false, FAST", "JSON_ARRAY, true, FAST", "JSON_OBJECT, false, JMETER", "JSON_SYMBOLS, true, FAST",
        "SOAP_BUY_STOCKS, true, FAST", "XML_ELEMENTS, false, FAST", "GRAPHQL_QUERY, true, FAST", "NONE, false, FAST",
        "SOAP_BUY_STOCKS, true, JMETER", "GRAPHQL_QUERY, false, JMETER", "NONE, true, JMETER"
    })
    void runsInAFewLines(PayloadKind payload, boolean tls, HttpClientKind client) throws Exception {
        boolean graphQl = payload == PayloadKind.GRAPHQL_QUERY;
        MessageLevel message = graphQl
                ? MessageLevel.query(2)
                : payload == PayloadKind.XML_ELEMENTS ? MessageLevel.elements(20) : MessageLevel.bytes(1000);
        TestScenario scenario = new TestScenario(
                "kind",
                "Kind",
                "A kind of scenario.",
                tls,
                payload == PayloadKind.NONE ? "GET" : "POST",
                graphQl ? "/starwars/1.0.0" : "/echo",
                Map.of(),
                payload,
                TokenKind.NONE,
                new ResponseCheck(
                        200,
                        graphQl ? Optional.of("Luke Skywalker") : Optional.empty(),
                        !graphQl && payload != PayloadKind.NONE,
                        graphQl),
                List.of());
        try (EchoServer server = EchoServer.start(EchoServerConfig.builder()
                .host("127.0.0.1")
                .port(0)
                .noAdmin()
                .ssl(tls)
                .build())) {
            LoadRequest request = LoadRequest.of(
                            scenario,
                            URI.create((tls ? "https" : "http") + "://127.0.0.1:" + server.port()),
                            new TestCase("kind", DataSize.parse("512M"), 1, message, Duration.ZERO),
                            Scenarios.timing(10, 1, 0))
                    .withTrust(tls ? Trust.everything() : Trust.system())
                    .withClient(client);
            TestPlanStats stats =
                    testPlan(threadGroup(2, 5, scenarioSampler(request))).run();
            assertThat(stats.overall().samplesCount()).isEqualTo(10);
            assertThat(stats.overall().errorsCount()).isZero();
            assertThat(server.stats().requests()).isEqualTo(10);
        }
    }
}
