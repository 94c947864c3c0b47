/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program in a real cluster, which is broken in every way; writes the table of what happens. */
@Tag("full")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KubernetesIT {

    private static final Path PROGRAM =
            Path.of("../orchestrator/target/orchestrator.jar").toAbsolutePath().normalize();
    private static final Path REFERENCE = Path.of("../docs/reference/kubernetes.md");
    private static final Path TABLE = Path.of("../docs/reference/failures-kubernetes.md");
    /** Seconds for the one test that waits for its end; it must not end by itself where a machine has much other work. */
    private static final int LEASE = 12;

    private static final String HEAD = """
            # What happens when something breaks in a cluster

            This table is written by a test (`KubernetesIT` with `-Pfull -Dgolden.update`), from what it saw of the packaged program
            in a cluster on one machine, of one node unless said: API server, scheduler, controller manager and kubelet 1.33.4. Tests
            of %d s (%d s where pods are lost), a lease of 60 s (%d s where the program is killed). What was left are objects with
            the label of the run, counted by `kubectl`; where the program was killed, the time to the removal of the last pod. The program keeps no watch that the
            cluster could close: it asks for the states of pods.

            | What broke | What was kept | What was said | Exit code | What was left |
            |---|---|---|---:|---|
            """;
    private static final int CELL = 8;
    private static final int LONG_CELL = 40;

    @TempDir
    private static Path directory;

    private static TestCluster cluster;
    private static final Map<String, String> ROWS = new TreeMap<>();
    private static final List<Process> STARTED = new ArrayList<>();

    @BeforeAll
    static void up() throws Exception {
        cluster = TestCluster.up(directory);
    }

    @AfterAll
    static void down() throws Exception {
        if (cluster != null) {
            cluster.down();
        }
        if (System.getProperty("golden.update") != null && !ROWS.isEmpty()) {
            // A test that was run alone renews its own rows.
            if (Files.exists(TABLE)) {
                Files.readAllLines(TABLE).stream()
                        .filter(line -> line.startsWith("| ") && !line.startsWith("| What broke"))
                        .forEach(line -> ROWS.putIfAbsent(line.substring(2, line.indexOf(" |", 2)), line));
            }
            Files.writeString(TABLE, HEAD.formatted(CELL, LONG_CELL, LEASE) + String.join("\n", ROWS.values()) + "\n");
        }
    }

    /** A run that goes on while something is done to it. */
    private record Running(Process process, Path said, Path results) {

        int end() throws InterruptedException {
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
            return process.exitValue();
        }

        String text() throws IOException {
            return Files.readString(said);
        }

        String id() throws Exception {
            await(() -> text().contains("note: run "), Duration.ofMinutes(2));
            return text().replaceFirst("(?s).*?note: run ([0-9a-f]+) in.*", "$1");
        }

        String kept() throws IOException {
            if (!Files.isDirectory(results)) {
                return "nothing was begun, no results directory was made";
            }
            List<String> kept = new ArrayList<>();
            try (Stream<Path> files = Files.walk(results)) {
                for (Path file : files.filter(path -> path.endsWith("result.json")
                                && !path.getParent().equals(results))
                        .sorted()
                        .toList()) {
                    JsonNode result = new ObjectMapper().readTree(file.toFile());
                    kept.add(result.path("testCase").path("users").asText() + " users: "
                            + result.path("outcome").asText());
                }
            }
            return kept.isEmpty() ? "no test case was finished yet" : String.join("; ", kept);
        }
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(Condition condition, Duration patience) throws Exception {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("waited for " + patience).isLessThan(end);
            Thread.sleep(300);
        }
    }

    private static Running start(String name, String settings, String users) throws Exception {
        return start(name, settings, apim(users, CELL));
    }

    /** Cases in whose middle something is done must last until it is done, however long that takes. */
    private static List<String> apim(String users, int seconds) {
        return List.of(
                "--product",
                "apim",
                "--scenario",
                "passthrough",
                "--heap",
                "128M",
                "--users",
                users,
                "--duration",
                seconds + "s");
    }

    private static Running start(String name, String settings, List<String> product) throws Exception {
        Path file = Files.writeString(directory.resolve(name + ".yaml"), settings);
        Path results = directory.resolve(name);
        Path said = directory.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", PROGRAM.toString()));
        command.add("run");
        command.addAll(product);
        command.addAll(List.of("--backend-heap", "64M", "--load-generator-heap", "96M"));
        command.addAll(List.of("--warm-up", "2s", "--kubernetes", file.toString(), "--results", results.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        STARTED.add(process);
        return new Running(process, said, results);
    }

    /** A test that has failed must not leave its runs to the next one. */
    @AfterEach
    void endRuns() throws InterruptedException {
        for (Process process : STARTED) {
            process.destroy();
            if (!process.waitFor(2, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
        }
        STARTED.clear();
    }

    private static String settings(String more) throws Exception {
        return "kubeconfig: " + cluster.kubeconfig() + "\n" + common("lease: 60s\npatience: 120s\n" + more);
    }

    /** Pods without a share of the processors of their own would starve where the machine has other work. */
    private static String common(String more) {
        StringBuilder all = new StringBuilder("share-nodes: true\npull-policy: Never\n").append(more);
        Map.of(
                        "reach:", "direct",
                        "image:", TestCluster.IMAGE,
                        "gateway:", "{cpus: 0.4}",
                        "backend:", "{cpus: 0.3}",
                        "load-generator:", "{pods: 2, cpus: 0.3}")
                .forEach((key, value) -> {
                    if (all.indexOf("\n" + key) < 0) {
                        all.append(key).append(' ').append(value).append('\n');
                    }
                });
        return all.toString();
    }

    private static String left(String run) throws Exception {
        String text = cluster.kubectl(
                "get", "jobs,deployments,pods,networkpolicies", "-A", "-l", "gatebench.io/run=" + run, "-o", "name");
        String namespaces = cluster.kubectl("get", "namespaces", "-l", "gatebench.io/run=" + run, "-o", "name");
        String all = Stream.of(text, namespaces)
                .filter(part -> !part.isBlank() && !part.startsWith("No resources"))
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "nothing" : all.replace("\n", ", ");
    }

    private static void row(String what, Running run, int code, String left, String marker) throws IOException {
        String said = run.text()
                .lines()
                .filter(line -> line.contains(marker))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nobody said '" + marker + "'"))
                .replace("|", "\\|")
                .strip();
        ROWS.put(what, "| " + what + " | " + run.kept() + " | `" + said + "` | " + code + " | " + left + " |");
    }

    private static void awaitLoad(Running run, int users) throws Exception {
        String namespace = "gatebench-" + run.id();
        await(
                () -> {
                    assertThat(run.process().isAlive()).as(run.text()).isTrue();
                    // The check of all hosts before the run is no test of the plan.
                    return cluster.kubectl(
                                    "exec",
                                    "-n",
                                    namespace,
                                    "job/" + namespace + "-load-generator",
                                    "--",
                                    "sh",
                                    "-c",
                                    "find /gatebench/work/runs -path '*/" + users
                                            + "_users/*' -not -path '*/check/*' -name start -type f")
                            .contains("/start");
                },
                Duration.ofMinutes(10));
    }

    @Test
    void theDocumentedRoleIsEnoughAndNothingOfItIsSuperfluous() throws Exception {
        cluster.kubectl("create", "namespace", "perf");
        cluster.kubectl("create", "serviceaccount", "gatebench", "-n", "perf");
        String document = Files.readString(REFERENCE);
        String role = document.substring(
                document.indexOf("apiVersion: rbac"), document.indexOf("```", document.indexOf("apiVersion: rbac")));
        Path file = Files.writeString(directory.resolve("role.yaml"), role);
        cluster.script("kubectl", "apply", "-f", file.toString());
        cluster.script(
                "kubectl",
                "create",
                "rolebinding",
                "gatebench",
                "-n",
                "perf",
                "--role=gatebench",
                "--serviceaccount=perf:gatebench");
        String token = cluster.script("kubectl", "create", "token", "gatebench", "-n", "perf")
                .strip();
        Path config = Files.writeString(
                directory.resolve("account.kubeconfig"),
                Files.readString(cluster.kubeconfig()).replaceFirst("token: [0-9a-f]+", "token: " + token));
        Running run = start(
                "role",
                "kubeconfig: " + config + "\nnamespace: perf\n"
                        + common("lease: 60s\ngateway: {cpus: 0.5, memory: 1G}\n"),
                "2");
        assertThat(run.end()).as(run.text()).isZero();
        assertThat(left(run.id())).isEqualTo("nothing");

        Set<String> used = new TreeSet<>();
        for (String line : cluster.script("audit").lines().toList()) {
            JsonNode event = new ObjectMapper().readTree(line);
            JsonNode object = event.path("objectRef");
            if (event.path("user").path("username").asText().equals("system:serviceaccount:perf:gatebench")
                    && event.path("responseStatus").path("code").asInt() < 400
                    && object.path("namespace").asText().equals("perf")) {
                used.add(event.path("verb").asText() + " "
                        + object.path("apiGroup").asText() + "/"
                        + object.path("resource").asText()
                        + (object.has("subresource")
                                ? "/" + object.path("subresource").asText()
                                : ""));
            }
        }
        Set<String> granted = new TreeSet<>();
        String rules = cluster.kubectl("get", "role", "gatebench", "-n", "perf", "-o", "json");
        for (JsonNode rule : new ObjectMapper().readTree(rules).path("rules")) {
            rule.path("verbs")
                    .forEach(verb -> granted.add(verb.asText() + " "
                            + rule.path("apiGroups").path(0).asText() + "/"
                            + rule.path("resources").path(0).asText()));
        }
        assertThat(used).isEqualTo(granted);
        try (Stream<Path> files = Files.walk(run.results())) {
            assertThat(files.map(path -> path.getFileName().toString()).collect(Collectors.toSet()))
                    .contains("gc.log", "metrics.csv", "snapshots.gz", "out.log");
        }
        assertThat(Files.readString(run.results().resolve("summary.md")))
                .contains("| Kubernetes | Pod | Limit of cpu | 500m |");
        Running without =
                start("rights", "kubeconfig: " + config + "\nnamespace: default\n" + common("lease: 60s\n"), "2");
        int code = without.end();
        assertThat(code).isEqualTo(5);
        row("the service account has no rights", without, code, "nothing", "does not let this program");
    }

    @Test
    void whatKeepsPodsFromStartingIsSaidAndNothingStays() throws Exception {
        Map<String, List<String>> faults = new TreeMap<>(Map.of(
                "an image that is not there", List.of("backend: {image: localhost/none:1}\n", "cannot start: ErrImage"),
                "a pod that no node takes", List.of("gateway: {cpus: 64}\n", "Insufficient cpu"),
                "a node selector that no node has",
                        List.of("gateway: {node-selector: {pool: none}}\n", "affinity/selector")));
        for (Map.Entry<String, List<String>> fault : faults.entrySet()) {
            Running run = start(
                    "start-" + fault.getKey().replace(' ', '-'),
                    settings(fault.getValue().get(0)).replace("patience: 120s", "patience: 10s"),
                    "2");
            int code = run.end();
            assertThat(code).as(run.text()).isEqualTo(5);
            assertThat(left(run.id())).isEqualTo("nothing");
            row(fault.getKey(), run, code, "nothing", fault.getValue().get(1));
        }
        cluster.kubectl("create", "namespace", "small");
        cluster.kubectl("create", "quota", "few", "-n", "small", "--hard=pods=2");
        Running run = start("quota", settings("namespace: small\n"), "2");
        int code = run.end();
        assertThat(code).as(run.text()).isEqualTo(5);
        assertThat(left(run.id())).isEqualTo("nothing");
        row("a quota of two pods", run, code, "nothing", "exceeded quota");
    }

    @Test
    void aKilledProgramLeavesAnEmptyNamespaceOnly() throws Exception {
        Running run = start("killed", settings("").replace("lease: 60s", "lease: " + LEASE + "s"), "2");
        awaitLoad(run, 2);
        run.process().destroyForcibly();
        int code = run.end();
        long began = System.nanoTime();
        String id = run.id();
        await(() -> left(id).equals("namespace/gatebench-" + id), Duration.ofMinutes(2));
        long took = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        row(
                "the program killed (`kill -9`) during a test case",
                run,
                code,
                "the namespace; the last pod went after " + took + " s; nothing after `kubernetes clean`",
                "waiting for");
        String settings = directory.resolve("killed.yaml").toString();
        assertThat(objects("list", "--kubernetes", settings).text()).contains(id, "1 namespace");
        TestCluster.Answer cleaned = objects("clean", "--kubernetes", settings, "--run", id);
        assertThat(cleaned.code()).as(cleaned.text()).isZero();
        assertThat(left(id)).isEqualTo("nothing");
    }

    private static TestCluster.Answer objects(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                PROGRAM.toString(),
                "kubernetes"));
        command.addAll(List.of(words));
        return TestCluster.run(command);
    }

    @Test
    void aLostPodFailsItsCellAloneAndAnotherRunIsNotTouched() throws Exception {
        Running other = start(
                "beside", settings("gateway: {cpus: 0.2}\nbackend: {cpus: 0.2}\nload-generator: {cpus: 0.2}\n"), "2");
        Running run = start("lost", settings(""), apim("2,4,6,8", LONG_CELL));
        String namespace = "gatebench-" + run.id();
        awaitLoad(run, 2);
        delete(namespace, "batch.kubernetes.io/job-completion-index=1");
        awaitLoad(run, 4);
        delete(namespace, "gatebench.io/role=backend");
        awaitLoad(run, 6);
        String gateway = cluster.kubectl("get", "pod", "-n", namespace, "-l", "gatebench.io/role=gateway", "-o", "name")
                .replace("pod/", "");
        Path eviction = Files.writeString(directory.resolve("eviction.json"), """
                {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "%s", "namespace": "%s"}}
                """.formatted(gateway, namespace));
        cluster.script(
                "kubectl",
                "create",
                "--raw",
                "/api/v1/namespaces/" + namespace + "/pods/" + gateway + "/eviction",
                "-f",
                eviction.toString());
        int code = run.end();
        assertThat(code).as(run.text()).isEqualTo(3);
        assertThat(left(run.id())).isEqualTo("nothing");
        assertThat(other.end()).as(other.text()).isZero();
        assertThat(left(other.id())).isEqualTo("nothing");
        assertThat(run.kept())
                .contains("2 users: failed", "4 users: failed", "6 users: failed")
                .contains("8 users: completed");
        row(
                "a load generator's pod deleted (2 users), beside another run",
                run,
                code,
                "nothing",
                "2_users/1024B/0ms_sleep:");
        row("the back end's pod deleted (4 users)", run, code, "nothing", "4_users/1024B/0ms_sleep:");
        row("the gateway's pod evicted (6 users)", run, code, "nothing", "6_users/1024B/0ms_sleep:");
    }

    private static void delete(String namespace, String label) throws Exception {
        cluster.script("kubectl", "delete", "pod", "-n", namespace, "--grace-period=0", "--force", "-l", label);
    }

    @Test
    void otherProductsRunThroughTheRelayAndLeaveNothing() throws Exception {
        Map<String, List<String>> products = new TreeMap<>(Map.of(
                "http",
                List.of(
                        "--product",
                        "http",
                        "--gateway-config",
                        "../docs/examples/http/nginx/gateway.yaml",
                        "--scenario",
                        "passthrough"),
                "microgateway",
                List.of("--product", "microgateway", "--scenario", "*jwt", "--heap", "128M")));
        for (Map.Entry<String, List<String>> product : products.entrySet()) {
            List<String> options = new ArrayList<>(product.getValue());
            options.addAll(List.of("--users", "2", "--duration", CELL + "s"));
            Running run = start(product.getKey(), settings("reach: relay\n"), options);
            int code = run.end();
            assertThat(code).as(run.text()).isZero();
            assertThat(left(run.id())).isEqualTo("nothing");
            row("nothing: a run of the product `" + product.getKey() + "`", run, code, "nothing", "[1/1]");
        }
    }

    @Test
    void podsOfLoadGeneratorsSendStepsWithRowsOfTheirOwn() throws Exception {
        Files.writeString(directory.resolve("items.csv"), "item\ntea\ncoffee\nwater\nmilk\n");
        Files.writeString(directory.resolve("orders.conf"), """
                daemon off;
                pid {directory}/nginx.pid;
                events { worker_connections 256; }
                http {
                  client_body_temp_path {directory}/body;
                  proxy_temp_path {directory}/proxy;
                  fastcgi_temp_path {directory}/fastcgi;
                  uwsgi_temp_path {directory}/uwsgi;
                  scgi_temp_path {directory}/scgi;
                  keepalive_requests 1000000000;
                  # Where a server names no log, nginx opens that of its installation.
                  access_log off;
                  log_format ordered '$remote_addr $arg_item';
                  server {
                    listen {gateway-address}:{gateway-port};
                    location = /orders {
                      access_log {directory}/ordered.log ordered;
                      add_header Set-Cookie "session=s7; Path=/" always;
                      return 201 '{"order": {"id": 7}}';
                    }
                    location = /orders/7 {
                      access_log off;
                      if ($cookie_session != "s7") { return 403; }
                      return 200 'order <7>';
                    }
                  }
                }
                """);
        Path gateway = Files.writeString(directory.resolve("orders.yaml"), """
                name: Orders
                url: http://{gateway-address}:{gateway-port}
                uses-backend: false
                files: {nginx.conf: orders.conf}
                start: [/usr/sbin/nginx, -e, stderr, -p, "{directory}", -c, nginx.conf]
                scenarios:
                - name: order
                  data: {file: items.csv, unique: true}
                  steps:
                  - name: create
                    url: /orders?item=${item}
                    method: POST
                    check: {status: 201}
                    extract:
                      id: {json: /order/id}
                      session: {header: Set-Cookie, regex: 'session=([^;]+)'}
                  - name: read
                    url: /orders/${id}
                    headers: {Cookie: "session=${session}"}
                    check: {contains: "<${id}>"}
                """);
        Running run = start(
                "steps",
                settings(""),
                List.of(
                        "--product",
                        "http",
                        "--gateway-config",
                        gateway.toString(),
                        "--users",
                        "4",
                        "--duration",
                        CELL + "s"));
        int code = run.end();
        assertThat(code).as(run.text()).isZero();
        assertThat(run.kept()).isEqualTo("4 users: completed");
        assertThat(left(run.id())).isEqualTo("nothing");
        List<Path> files;
        try (Stream<Path> all = Files.walk(run.results())) {
            files = all.filter(file -> file.endsWith("gateway/ordered.log") || file.endsWith("load/load.json"))
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSize(2);
        Map<String, Set<String>> ordered = Files.readAllLines(files.get(0)).stream()
                .map(line -> line.split(" "))
                .collect(Collectors.groupingBy(
                        words -> words[0], Collectors.mapping(words -> words[1], Collectors.toSet())));
        // Beside the pods there is the program, which tries the first step with the first row.
        assertThat(ordered.values()).contains(Set.of("tea", "water"), Set.of("coffee", "milk"));
        JsonNode load = new ObjectMapper().readTree(files.get(1).toFile());
        assertThat(load.path("steps")).hasSize(2);
        assertThat(load.path("measurement").get(0).path("errors").asLong()).isZero();
    }

    @Test
    void aLimitOfProcessorsIsAnAxisOfThePlan() throws Exception {
        List<String> options = new ArrayList<>(apim("2", CELL));
        options.addAll(List.of("--gateway-cpus", "0.3,0.6"));
        Running run = start("limits", settings("gateway: {cpus: 0.5}\n"), options);
        assertThat(run.end()).as(run.text()).isZero();
        assertThat(run.kept()).isEqualTo("2 users: completed; 2 users: completed");
        // What the control group of the gateway's process said, not what was asked for.
        assertThat(Files.readString(run.results().resolve("summary.md")))
                .contains("a CPU limit of 0.6 processors held Reference Gateway");
        assertThat(left(run.id())).isEqualTo("nothing");
    }

    @Test
    void replicasOfTheGatewayAreAnAxisOfThePlan() throws Exception {
        List<String> uneven = new ArrayList<>(apim("6", CELL));
        uneven.addAll(List.of("--gateway-replicas", "1,3"));
        Running refused = start("uneven", settings(""), uneven);
        assertThat(refused.end()).isNotZero();
        assertThat(refused.text()).contains("--gateway-replicas 3").doesNotContain("note: run ");

        List<String> options = new ArrayList<>(apim("4", CELL));
        options.addAll(List.of("--gateway-cpus", "0.3", "--gateway-replicas", "1,2"));
        Running run = start("replicas", settings("gateway: {cpus: 0.3}\n"), options);
        assertThat(run.end()).as(run.text()).isZero();
        assertThat(run.kept()).isEqualTo("4 users: completed; 4 users: completed");
        List<JsonNode> gateways = new ArrayList<>();
        for (Path file : results(run)) {
            JsonNode result = new ObjectMapper().readTree(file.toFile());
            if (result.path("testCase").path("gatewayReplicas").asInt() == 2) {
                result.path("processes").forEach(process -> {
                    if (process.path("role").asText().equals("GATEWAY")) {
                        gateways.add(process);
                    }
                });
            }
        }
        assertThat(gateways)
                .extracting(gateway -> gateway.path("host").asText())
                .containsExactly("gateway-1", "gateway-2");
        assertThat(gateways)
                .extracting(gateway -> gateway.path("hostMetrics")
                        .path("CPU - Limit (processors)")
                        .asDouble())
                .containsExactly(0.3, 0.3);
        assertThat(gateways)
                .allSatisfy(gateway -> assertThat(
                                gateway.path("hostMetrics").path("Task clock").asDouble())
                        .isPositive());
        assertThat(Files.readString(run.results().resolve("summary.md")))
                .contains("| 0.3, 1 replica | 0.3, 2 replicas |")
                .contains("| Kubernetes | Gateway | Pods | 2 on 1 node(s) |");
        assertThat(left(run.id())).isEqualTo("nothing");
    }

    @Test
    void threeReplicasOfAGatewayThatAFileDescribesShareTheLoad() throws Exception {
        Running run = start(
                "three",
                settings("gateway: {cpus: 0.2}\nbackend: {cpus: 0.2}\nload-generator: {pods: 3, cpus: 0.25}\n"),
                List.of(
                        "--product",
                        "http",
                        "--gateway-config",
                        "../docs/examples/http/nginx/gateway.yaml",
                        "--scenario",
                        "passthrough",
                        "--users",
                        "6",
                        "--duration",
                        CELL + "s",
                        "--gateway-replicas",
                        "1,3"));
        assertThat(run.end()).as(run.text()).isZero();
        assertThat(run.kept()).isEqualTo("6 users: completed; 6 users: completed");
        List<String> worked = new ArrayList<>();
        for (Path file : results(run)) {
            new ObjectMapper().readTree(file.toFile()).path("processes").forEach(process -> {
                if (process.path("hostMetrics").path("Task clock").asDouble() > 0) {
                    worked.add(process.path("name").asText() + " on "
                            + process.path("host").asText());
                }
            });
        }
        assertThat(worked).contains("nginx 1 on gateway-1", "nginx 2 on gateway-2", "nginx 3 on gateway-3");
        assertThat(Files.readString(run.results().resolve("summary.md")))
                .contains("| Kubernetes | Gateway | Pods | 3 on 1 node(s) |");
        assertThat(left(run.id())).isEqualTo("nothing");
    }

    private static List<Path> results(Running run) throws IOException {
        try (Stream<Path> files = Files.walk(run.results())) {
            return files.filter(path ->
                            path.endsWith("result.json") && !path.getParent().equals(run.results()))
                    .toList();
        }
    }

    /** Last: the others say what a cluster of one node says. */
    @Test
    @Order(Integer.MAX_VALUE)
    void rolesHaveANodeEachAndTheGatewayTheOneThatIsSelected() throws Exception {
        Running alone = start(
                "alone",
                settings("")
                        .replace("share-nodes: true", "share-nodes: false")
                        .replace("patience: 120s", "patience: 10s"),
                "2");
        int code = alone.end();
        assertThat(code).as(alone.text()).isEqualTo(5);
        row("roles that may not share a node, on one node", alone, code, left(alone.id()), "anti-affinity");
        cluster.script("node", "2");
        cluster.script("node", "3");
        cluster.script("kubectl", "label", "node", "test-node-3", "pool=gateway");
        Running run = start(
                "nodes",
                settings("gateway: {cpus: 0.4, node-selector: {pool: gateway}}\n")
                        .replace("share-nodes: true", "share-nodes: false"),
                "2");
        awaitLoad(run, 2);
        Map<String, Set<String>> nodes = new TreeMap<>();
        cluster.kubectl(
                        "get",
                        "pods",
                        "-n",
                        "gatebench-" + run.id(),
                        "-o",
                        "jsonpath={range .items[*]}{.metadata.labels.gatebench\\.io/role} {.spec.nodeName}{\"\\n\"}{end}")
                .lines()
                .map(line -> line.split(" "))
                .forEach(pod ->
                        nodes.computeIfAbsent(pod[0], role -> new TreeSet<>()).add(pod[1]));
        code = run.end();
        assertThat(code).as(run.text()).isZero();
        assertThat(nodes.get("gateway")).containsExactly("test-node-3");
        assertThat(nodes.get("backend")).hasSize(1).doesNotContain("test-node-3");
        assertThat(nodes.get("load-generator"))
                .hasSize(1)
                .doesNotContain("test-node-3")
                .isNotEqualTo(nodes.get("backend"));
        assertThat(Files.readString(run.results().resolve("summary.md")))
                .contains("| Kubernetes | Nodes | Nodes of the run | 3 |");
        assertThat(left(run.id())).isEqualTo("nothing");
        row("nothing: a node for each role, three nodes", run, code, "nothing", "[1/1]");
    }

    @Test
    void anApiServerThatIsAwayForTwentySecondsLosesNothing() throws Exception {
        Running run = start("api", settings(""), "2");
        awaitLoad(run, 2);
        cluster.script("stop", "kube-apiserver");
        Thread.sleep(Duration.ofSeconds(20).toMillis());
        cluster.script("start", "kube-apiserver");
        int code = run.end();
        assertThat(code).as(run.text()).isZero();
        await(() -> left(run.id()).equals("nothing"), Duration.ofMinutes(1));
        row("the API server stopped for 20 s during a test case", run, code, "nothing", "is reached again");
    }
}
