/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static io.gatebench.load.ScenarioSampler.scenarioSampler;
import static org.assertj.core.api.Assertions.assertThat;
import static us.abstracta.jmeter.javadsl.JmeterDsl.constantTimer;
import static us.abstracta.jmeter.javadsl.JmeterDsl.csvDataSet;
import static us.abstracta.jmeter.javadsl.JmeterDsl.jsonAssertion;
import static us.abstracta.jmeter.javadsl.JmeterDsl.jsonExtractor;
import static us.abstracta.jmeter.javadsl.JmeterDsl.jsr223PostProcessor;
import static us.abstracta.jmeter.javadsl.JmeterDsl.regexExtractor;
import static us.abstracta.jmeter.javadsl.JmeterDsl.responseAssertion;
import static us.abstracta.jmeter.javadsl.JmeterDsl.testPlan;
import static us.abstracta.jmeter.javadsl.JmeterDsl.threadGroup;
import static us.abstracta.jmeter.javadsl.core.postprocessors.DslJsonExtractor.JsonQueryLanguage.JSON_PATH;

import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import us.abstracta.jmeter.javadsl.core.TestPlanStats;
import us.abstracta.jmeter.javadsl.core.assertions.DslResponseAssertion.TargetField;

import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;

/** The elements of the DSL around the sampler of a scenario. */
class OwnPlanIT {

    @TempDir
    Path directory;

    private Path accounts() throws Exception {
        return Files.writeString(directory.resolve("accounts.csv"), "ACCOUNT,LIMIT\nada,1\ngrace,2\n");
    }

    @ParameterizedTest
    @EnumSource(HttpClientKind.class)
    void elementsOfTheDslSeeTheAnswer(HttpClientKind client) throws Exception {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        try (EchoFixture server = new EchoFixture()) {
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), server.uri(), Scenarios.users(1), Scenarios.timing(10, 1, 0))
                    .withClient(client);
            TestPlanStats stats = testPlan(
                            csvDataSet(accounts().toString()),
                            threadGroup(
                                    1,
                                    4,
                                    scenarioSampler(request)
                                            .children(
                                                    constantTimer(Duration.ofMillis(1)),
                                                    regexExtractor("SIZE", "\"size\":\"(\\d+)B\""),
                                                    jsonExtractor("FIRST", "payload[0]"),
                                                    responseAssertion().containsSubstrings("\"size\":\"1024B\""),
                                                    responseAssertion()
                                                            .fieldToTest(TargetField.RESPONSE_HEADERS)
                                                            .containsRegexes("(?i)content-length: 1024"),
                                                    jsonAssertion("size"),
                                                    jsonAssertion("$.payload").queryLanguage(JSON_PATH),
                                                    jsr223PostProcessor(script -> seen.add(script.vars.get("ACCOUNT")
                                                            + " " + script.vars.get("SIZE") + " "
                                                            + script.vars
                                                                    .get("FIRST")
                                                                    .length())))))
                    .run();

            assertThat(stats.overall().samplesCount()).isEqualTo(4);
            assertThat(stats.overall().errorsCount()).isZero();
        }
        assertThat(seen).containsExactly("ada 1024 10", "grace 1024 10", "ada 1024 10", "grace 1024 10");
    }

    @Test
    void anAssertionOfTheDslAndACheckOfTheScenarioBothFailTheSample() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 2;
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(1), Scenarios.timing(10, 1, 0));
            TestPlanStats checked =
                    testPlan(threadGroup(1, 4, scenarioSampler(request))).run();
            assertThat(checked.overall().errorsCount()).isEqualTo(2);
            server.failEvery = 0;
            TestPlanStats asserted = testPlan(threadGroup(
                            1,
                            4,
                            scenarioSampler(request)
                                    .children(responseAssertion().containsSubstrings("what nobody sends"))))
                    .run();
            assertThat(asserted.overall().samplesCount()).isEqualTo(4);
            assertThat(asserted.overall().errorsCount()).isEqualTo(4);
        }
    }

    /** The example of the README, compiled and run as it stands there. */
    @Test
    void theExampleOfTheReadmeRuns() throws Exception {
        Matcher example = Pattern.compile("<!-- given: (.*?) -->\\n```java\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../load-driver/README.md")));
        assertThat(example.find()).isTrue();
        Path source = directory.resolve("Example.java");
        Files.writeString(source, """
                import static io.gatebench.load.ScenarioSampler.*;
                import static us.abstracta.jmeter.javadsl.JmeterDsl.*;
                import io.gatebench.load.engine.*;
                import io.gatebench.model.*;
                import java.net.URI;
                import java.nio.file.*;
                import java.time.*;
                import us.abstracta.jmeter.javadsl.core.*;
                public class Example {
                    public static TestPlanStats run(%s) throws Exception {
                        %s
                        return stats;
                    }
                }
                """.formatted(example.group(1), example.group(2)));
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        directory.toString(),
                        source.toString());
        assertThat(compiled).isZero();
        try (EchoFixture server = new EchoFixture();
                URLClassLoader classes =
                        new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            TestPlanStats stats = (TestPlanStats) classes.loadClass("Example")
                    .getMethod("run", TestScenario.class, TestCase.class, TestTiming.class, URI.class, Path.class)
                    .invoke(
                            null,
                            Scenarios.echo(),
                            Scenarios.users(1),
                            Scenarios.timing(10, 1, 0),
                            server.uri(),
                            accounts());

            assertThat(List.of(
                            stats.byLabel("passthrough").samplesCount(),
                            stats.byLabel("HTTP Request").samplesCount()))
                    .containsExactly(20L, 20L);
            assertThat(stats.overall().errorsCount()).isZero();
            assertThat(server.requests.get()).isEqualTo(40);
        }
    }
}
