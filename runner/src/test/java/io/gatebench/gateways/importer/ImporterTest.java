/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import io.gatebench.gateways.importer.Importer.Imported;
import io.gatebench.gateways.importer.Importer.Kind;
import io.gatebench.runner.GatewayBenchmark;

/** Gateway files of documents, archives and plans, all of which the product takes, and what was left out. */
class ImporterTest {

    private static final Path FILES = Path.of("src/test/resources/import");

    @TempDir
    private Path directory;

    @Test
    void makesAScenarioOfEachOperation() throws IOException {
        Imported imported = Importer.run(Kind.OPENAPI, FILES.resolve("shop.yaml"), directory);

        assertThat(scenarios())
                .extracting(scenario -> scenario.get("method") + " " + scenario.get("url"))
                .containsExactly("GET /v1/orders?state=open", "POST /v1/orders", "GET /v1/orders/7");
        assertThat(scenarios().get(0))
                .containsEntry("name", "list-orders")
                .containsEntry("headers", Map.of("X-Tenant", "blue"))
                .containsEntry("check", Map.of("status", 200));
        assertThat(scenarios().get(1)).containsEntry("check", Map.of("status", 201));
        assertThat(directory.resolve("bodies/makeOrder"))
                .content()
                .startsWith("{\"item\":\"tea\",\"day\":\"2026-01-31\",\"parts\":[{\"item\":\"tea\"")
                .doesNotContain("\"id\"");
        assertThat(imported.leftOut())
                .contains(
                        "parameters of the query that are optional",
                        "PUT /orders/{id}: its body is application/xml, of which no example is made")
                .anyMatch(what -> what.startsWith("header X-API-Key: it looks like a secret"))
                .anyMatch(what -> what.startsWith("security: say token: jwt or file"));
        isTakenByTheProduct();
    }

    @Test
    void namesWhatHasAnEmptyNameInItsSource() throws IOException {
        Path file = Files.writeString(directory.resolve("unnamed.yaml"), """
                openapi: 3.0.3
                info: {title: "", version: "0"}
                servers: [{url: "http://127.0.0.1:18280"}]
                paths:
                  /orders:
                    get: {operationId: "", responses: {"200": {description: all}}}
                """);

        Importer.run(Kind.OPENAPI, file, directory);

        assertThat(scenarios()).extracting(scenario -> scenario.get("name")).containsExactly("get");
        isTakenByTheProduct();
    }

    /** Plans that others wrote: the templates in the jar of JMeter's own settings. */
    @ParameterizedTest
    @CsvSource({
        "build-web-test-plan, 2, TestAction 'ThinkTime1s'",
        "build-adv-web-test-plan, 2, RegexExtractor 'randomBugIdExtractor': that it takes another match than the first",
        "build-webservice-test-plan, 1, what is switched off"
    })
    void takesThePlansThatJMeterBringsAlong(String plan, int steps, String leftOut) throws IOException {
        Path file = directory.resolve(plan + ".jmx");
        try (InputStream template = ImporterTest.class.getResourceAsStream("/bin/templates/" + plan + ".jmx")) {
            Files.copy(template, file);
        }

        Imported imported = Importer.run(Kind.JMX, file, directory);

        assertThat(scenarios()).hasSize(1);
        assertThat(list(scenarios().get(0).get("steps"))).hasSize(steps);
        assertThat(imported.leftOut()).anyMatch(what -> what.startsWith(leftOut));
        isTakenByTheProduct();
    }

    @Test
    void makesStepsOfARecordingWithTheValuesThatAnswersGave() throws IOException {
        Imported imported = Importer.run(Kind.HAR, FILES.resolve("shop.har"), directory);

        assertThat(scenarios()).extracting(scenario -> scenario.get("name")).containsExactly("Shop");
        List<Map<String, Object>> steps = list(scenarios().get(0).get("steps"));
        assertThat(steps)
                .extracting(step -> step.get("name") + " " + step.get("url"))
                .containsExactly(
                        "get-orders /orders?state=open",
                        "get-orders-2 /orders?state=open",
                        "post-orders /orders",
                        "get-orders-10071-page /orders/${id}/page",
                        "post-orders-10071-pay /orders/${id}/pay");
        assertThat(steps.get(0)).containsEntry("headers", Map.of("Accept", "application/json"));
        assertThat(steps.get(2))
                .containsEntry(
                        "extract",
                        Map.of(
                                "id", Map.of("json", "/order/id"),
                                "token", Map.of("json", "/token"),
                                "sid", Map.of("header", "Set-Cookie", "regex", "(?:^|[\\s,;])sid=([^;,]*)")));
        assertThat(steps.get(3))
                .containsEntry("headers", Map.of("Cookie", "sid=${sid}", "Authorization", "Bearer ${token}"))
                .containsEntry(
                        "extract", Map.of("csrf", Map.of("regex", "name=\"csrf\"[^<>]*\\svalue=\"([^\"<>]+)\"")));
        assertThat(directory.resolve("bodies/post-orders")).hasContent("{\"item\": \"tea\"}");
        assertThat(directory.resolve("bodies/post-orders-10071-pay")).hasContent("csrf=${csrf}&n=${id}");
        assertThat(Files.readString(directory.resolve("gateway.yaml"))).doesNotContain("verySecret");
        assertThat(imported.leftOut())
                .contains(
                        "requests that were not answered, or from a cache",
                        "requests to https://cdn.example.com: a gateway file has one address",
                        "pauses between requests: say --think-time or --pacing")
                .contains(
                        "the recorded values of token, sid, id, csrf: each is taken from the earlier response that gave it; look"
                                + " whether they are meant so")
                .anyMatch(what -> what.startsWith("header Authorization"));
        isTakenByTheProduct();
    }

    @Test
    void makesStepsDataAndRoutesOfAPlan() throws IOException {
        Imported imported = Importer.run(Kind.JMX, FILES.resolve("shop.jmx"), directory);

        assertThat(scenarios()).hasSize(1);
        assertThat(scenarios().get(0)).containsEntry("name", "Customers").containsEntry("data", "data/Customers.csv");
        assertThat(directory.resolve("data/Customers.csv"))
                .content()
                .startsWith("item,number\ntea,2\n\"green, fresh\",1");
        List<Map<String, Object>> routes = list(scenarios().get(0).get("routes"));
        assertThat(routes)
                .extracting(route -> route.get("name") + " " + route.get("weight"))
                .containsExactly("others 100", "Seldom 20");
        List<Map<String, Object>> others = list(routes.get(0).get("steps"));
        assertThat(others)
                .extracting(step -> step.get("method") + " " + step.get("url"))
                .containsExactly("GET /v1/orders?page=2+a", "POST /v1/orders", "GET /v1/orders/${order}");
        assertThat(others.get(0)).containsEntry("check", Map.of("status", 200));
        assertThat(others.get(1))
                .containsEntry("headers", Map.of("Accept", "application/json", "Content-Type", "application/json"))
                .containsEntry("extract", Map.of("order", Map.of("json", "/id")));
        assertThat(directory.resolve("bodies/Make-order")).hasContent("{\"item\": \"${item}\", \"number\": ${number}}");
        List<Map<String, Object>> seldom = list(routes.get(1).get("steps"));
        assertThat(seldom).extracting(step -> step.get("url")).containsExactly("/basket", "/basket/${basket}");
        assertThat(seldom.get(0)).containsEntry("extract", Map.of("basket", Map.of("regex", "(?s)<b id=\"(.*?)\">")));
        assertThat(imported.leftOut())
                .contains(
                        "the load of 'Customers', 5 threads: say --users, --ramp-up and --duration",
                        "ConstantTimer 'Think'",
                        "the request 'Basket pay': it needs a variable that nothing in the plan gives",
                        "the request 'Basket of the order': it needs order, which nothing before it gives",
                        "what is switched off")
                .anyMatch(what -> what.startsWith("that 'Seldom' is an addition to what stands beside it"));
        isTakenByTheProduct();
    }

    @Test
    void leavesAHeaderWithoutAValueOut() throws IOException {
        Path plan = Files.writeString(
                directory.resolve("plan.jmx"),
                Files.readString(FILES.resolve("shop.jmx"))
                        .replace("\"Header.value\">application/json<", "\"Header.value\"> <"));

        Imported imported = Importer.run(Kind.JMX, plan, directory);

        assertThat(imported.leftOut())
                .contains("header Accept: it has no value", "header Content-Type: it has no value");
        isTakenByTheProduct();
    }

    /** A plan is foreign: of this machine it gets what lies beside it, and no other file. */
    @Test
    void takesNoDataFromElsewhere() throws IOException {
        Path plans = Files.createDirectories(directory.resolve("plans"));
        Files.writeString(directory.resolve("secret.csv"), "verySecret,1\n");
        Path plan = Files.writeString(
                plans.resolve("plan.jmx"),
                Files.readString(FILES.resolve("shop.jmx")).replace(">items.csv<", ">../secret.csv<"));

        Imported imported = Importer.run(Kind.JMX, plan, directory.resolve("out"));

        assertThat(imported.leftOut())
                .anyMatch(what -> what.startsWith("the data of 'Items': the file '../secret.csv' does not"));
        assertThat(directory.resolve("out/data")).doesNotExist();
    }

    @Test
    void refusesWhatIsSomethingElse() {
        assertThatThrownBy(() -> Importer.run(Kind.HAR, FILES.resolve("shop.yaml"), directory))
                .isInstanceOf(ImportException.class)
                .hasMessage(FILES.resolve("shop.yaml") + ": is no JSON, and so no HAR");
        assertThatThrownBy(() -> Importer.run(Kind.OPENAPI, FILES.resolve("shop.har"), directory))
                .hasMessageContaining("is no OpenAPI");
        assertThatThrownBy(() -> Importer.run(Kind.JMX, FILES.resolve("shop.har"), directory))
                .hasMessageContaining("is no XML that is read");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void refusesADocumentThatMeansMoreThanItHolds() throws IOException {
        StringBuilder text = new StringBuilder("openapi: 3.0.0\npaths: {}\nx0: &x0 [a, a]\n");
        for (int i = 1; i < 30; i++) {
            text.append("x")
                    .append(i)
                    .append(": &x")
                    .append(i)
                    .append(" [*x")
                    .append(i - 1)
                    .append(", *x")
                    .append(i - 1)
                    .append("]\n");
        }
        Path document = Files.writeString(directory.resolve("bomb.yaml"), text);
        assertThatThrownBy(() -> Importer.run(Kind.OPENAPI, document, directory))
                .isInstanceOf(ImportException.class)
                .hasMessageContaining("Number of aliases");
    }

    /** A plan is foreign: it names no other file and no host that would be asked. */
    @Test
    void followsNoEntityOfAPlan() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "verySecret");
        Path plan = Files.writeString(
                directory.resolve("plan.jmx"),
                "<!DOCTYPE a [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]><jmeterTestPlan>&x;</jmeterTestPlan>");
        assertThatThrownBy(() -> Importer.run(Kind.JMX, plan, directory))
                .isInstanceOf(ImportException.class)
                .hasMessageContaining("DOCTYPE")
                .hasMessageNotContaining("verySecret");
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object value) {
        return (List<Map<String, Object>>) value;
    }

    private List<Map<String, Object>> scenarios() throws IOException {
        @SuppressWarnings("unchecked")
        Map<String, Object> file =
                (Map<String, Object>) new Load(LoadSettings.builder().build())
                        .loadFromString(Files.readString(directory.resolve("gateway.yaml")));
        @SuppressWarnings("unchecked")
        List<Map<String, Object>> scenarios = (List<Map<String, Object>>) file.get("scenarios");
        return scenarios;
    }

    private void isTakenByTheProduct() {
        GatewayBenchmark.http(directory.resolve("gateway.yaml"))
                .users(1)
                .results(directory.resolve("results"))
                .build();
    }
}
