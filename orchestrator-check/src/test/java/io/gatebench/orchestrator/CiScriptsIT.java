/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Executes the steps of the action and of the GitLab template as their runners do, against a server that answers like
 * theirs and keeps what is written. Only the measurement is replaced: it leaves figures that are known.
 */
class CiScriptsIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ARTIFACTS = """
            {"artifacts": [
              {"id": 1, "expired": false, "created_at": "2026-01-04T00:00:00Z",
               "workflow_run": {"head_branch": "main", "repository_id": 7, "head_repository_id": 666}},
              {"id": 2, "expired": false, "created_at": "2026-01-03T00:00:00Z",
               "workflow_run": {"head_branch": "change", "repository_id": 7, "head_repository_id": 7}},
              {"id": 3, "expired": false, "created_at": "2026-01-01T00:00:00Z",
               "workflow_run": {"head_branch": "main", "repository_id": 7, "head_repository_id": 7}},
              {"id": 4, "expired": false, "created_at": "2026-01-02T00:00:00Z",
               "workflow_run": {"head_branch": "main", "repository_id": 7, "head_repository_id": 7}},
              {"id": 5, "expired": true, "created_at": "2026-01-05T00:00:00Z",
               "workflow_run": {"head_branch": "main", "repository_id": 7, "head_repository_id": 7}}]}
            """;

    @TempDir
    private Path directory;

    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Map<Integer, String> comments = new LinkedHashMap<>();
    private final List<String> requests = new ArrayList<>();
    private boolean mayWrite = true;
    private HttpServer server;

    /** How one step ended, and what it printed. */
    private record Step(int code, String output) {}

    @BeforeEach
    void start() throws IOException {
        for (String tool : List.of("bash", "curl", "jq", "unzip")) {
            assumeTrue(
                    Stream.of(System.getenv("PATH").split(":"))
                            .anyMatch(path -> Files.isExecutable(Path.of(path, tool))),
                    tool + " is not there; install " + tool);
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        comments.put(41, "somebody's own words, quoting <!-- gatebench:gatebench -->");
        results("run", 1.0, 0.6);
        Path launcher = directory.resolve("measured");
        Files.writeString(launcher, """
                #!/bin/sh
                if [ "$1" = run ]; then
                  printf '%%s\\n' "$@" > '%1$s/arguments'
                  while [ "$1" != --results ]; do shift; done
                  cp -r '%1$s/run' "$2"
                  exit "$(cat '%1$s/run-code')"
                fi
                exec "$REAL_GATEBENCH" "$@"
                """.formatted(directory));
        launcher.toFile().setExecutable(true);
        Files.writeString(directory.resolve("run-code"), "0");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void actionComparesWithTheDefaultBranchAndRenewsItsComment() throws Exception {
        github();
        Map<String, Step> first = action();

        assertThat(requests)
                .contains("GET /repos/o/r/actions/artifacts/4/zip", "GET /repos/o/r/actions/artifacts/3/zip");
        assertThat(requests).noneMatch(request -> request.matches(".*artifacts/[125]/zip"));
        assertThat(Files.readAllLines(directory.resolve("arguments")))
                .startsWith("run", "--product=apim", "--thresholds=errors == 0, p99 < 50ms", "--results");
        assertThat(first.get("Measure and compare").output())
                .containsPattern(
                        "(?m)^::error title=Gatebench::Passthrough/7_users: slower, throughput .*interval.*%25.*; mean too$");
        assertThat(first.get("End as the gate does").code()).isEqualTo(4);
        assertThat(comments).hasSize(2);
        String comment = comments.get(42);
        assertThat(comment.lines().count()).isLessThanOrEqualTo(60);
        assertThat(comment)
                .startsWith("<!-- gatebench:gatebench -->\n### results against baseline: slower\n")
                .contains("[Job and reports](" + url() + "/o/r/actions/runs/99)");
        assertThat(comment.lines()
                        .filter(line -> line.startsWith("| **"))
                        .toList()
                        .get(0))
                .startsWith("| **slower** | Passthrough/7_users |");
        assertThat(Files.readString(directory.resolve("step-summary")))
                .contains("against baseline: slower", "What the run says");
        assertThat(directory.resolve("gatebench/kept/metrics.txt"))
                .content()
                .contains("gatebench_throughput{scenario=\"Passthrough\",users=\"7\"}")
                .endsWith("# EOF\n");

        results("run", 1.0, 1.0);
        try (Stream<Path> left = Files.walk(directory.resolve("gatebench"))) {
            left.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
        Map<String, Step> second = action();

        assertThat(second.get("End as the gate does").code()).isZero();
        assertThat(comments).hasSize(2);
        assertThat(comments.get(42)).doesNotContain("**slower**");
        assertThat(comments.get(41)).startsWith("somebody's own words");
    }

    @Test
    void actionSaysThresholdsAndWhereItMayNotWrite() throws Exception {
        github();
        mayWrite = false;
        Files.writeString(directory.resolve("run-code"), "4");
        Files.writeString(directory.resolve("run/step-summary.md"), """
                ## Gateway performance

                ### Thresholds that were not met

                - p99 &lt; 50ms: passthrough is at 51 ms, 2 % above
                - second
                - third
                - fourth
                - fifth

                | | Scenario |
                """);

        Map<String, Step> steps = action();

        assertThat(steps.get("Measure and compare").output())
                .contains("::error title=Gatebench, threshold::p99 < 50ms: passthrough is at 51 ms, 2 %25 above");
        assertThat(directory.resolve("gatebench/kept/comment.md"))
                .content()
                .endsWith("- third\n- and 2 more, in the summary of the run\n");
        assertThat(steps.get("Comment on the pull request").output())
                .contains("::warning title=Gatebench::the comment could not be written; the token needs");
        assertThat(steps.get("Comment on the pull request").code()).isZero();
        assertThat(steps.get("End as the gate does").code()).isEqualTo(4);
    }

    @Test
    void gitlabTemplateWritesItsNote() throws Exception {
        environment.putAll(Map.of(
                "CI_API_V4_URL", url() + "/api/v4",
                "CI_PROJECT_ID", "7",
                "CI_DEFAULT_BRANCH", "main",
                "CI_JOB_NAME", "speed of it",
                "CI_JOB_TOKEN", "job",
                "CI_JOB_URL", "http://gitlab.invalid/job",
                "CI_MERGE_REQUEST_IID", "3",
                "GATEBENCH_TOKEN", "token",
                "GATEBENCH_HOME", ROOT.toString()));
        Map<?, ?> job = (Map<?, ?>) yaml("ci/gitlab/gatebench.yml").get(".gatebench");
        ((Map<?, ?>) job.get("variables"))
                .forEach((key, value) -> environment.putIfAbsent((String) key, (String) value));
        program(ROOT.resolve("gatebench"));

        List<Step> steps = new ArrayList<>();
        for (Object line : (List<?>) job.get("script")) {
            steps.add(bash((String) line));
        }

        assertThat(requests).contains("GET /api/v4/projects/7/jobs/artifacts/main/download?job=speed+of+it");
        assertThat(comments.get(42)).contains("| **slower** | Passthrough/7_users", "(http://gitlab.invalid/job)");
        assertThat(steps.get(steps.size() - 1).code()).isEqualTo(4);
    }

    @Test
    void gitlabTemplateInstallsWhatItsImageLacks() throws Exception {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        for (String program : List.of("curl", "apt-get")) {
            Path script = Files.writeString(bin.resolve(program), "#!/bin/sh\necho " + program + " \"$@\"\n");
            assertThat(script.toFile().setExecutable(true)).isTrue();
        }
        environment.put("PATH", bin.toString());
        Map<?, ?> job = (Map<?, ?>) yaml("ci/gitlab/gatebench.yml").get(".gatebench");

        Step step = bash((String) ((List<?>) job.get("before_script")).get(0));

        assertThat(step.output()).contains("apt-get -qq install -y jq curl unzip");
    }

    @Test
    void releaseAttachesWhatItHasTested() throws Exception {
        Map<?, ?> jobs = (Map<?, ?>) yaml(".github/workflows/release.yml").get("jobs");
        List<?> steps = (List<?>) ((Map<?, ?>) jobs.get("draft")).get("steps");

        assertThat(steps.stream().map(step -> String.valueOf(((Map<?, ?>) step).get("run"))))
                .as("one build, and nothing built over what it has tested")
                .filteredOn(run -> run.contains("mvn ") || run.contains(".ci/run"))
                .containsExactly(".ci/run -Pfull,release -Dgpg.skip -Dmaven.javadoc.skip");
    }

    @Test
    @Tag("full")
    void lintersFindNothing() throws Exception {
        Path actionlint = Path.of("target", "actionlint").toAbsolutePath();
        Path workflows = Files.createDirectories(directory.resolve("lint/.github/workflows"));
        Path action = Files.createDirectories(directory.resolve("lint/ci/github"));
        Files.copy(ROOT.resolve("ci/github/action.yml"), action.resolve("action.yml"));
        for (String own : List.of("ci.yml", "portable.yml", "release.yml")) {
            Files.copy(ROOT.resolve(".github/workflows").resolve(own), workflows.resolve(own));
        }
        Files.writeString(
                workflows.resolve("performance.yml"),
                Files.readString(ROOT.resolve("docs/examples/ci/github-workflow.yml"))
                        .replaceAll("gatebench/gatebench/ci/github@\\S+", "./ci/github"));
        Step built = bash("GOBIN='" + actionlint + "' go install " + ACTIONLINT);
        assumeTrue(built.code() == 0, "go cannot build actionlint here; install golang-go");
        assumeTrue(
                bash("zizmor --version").code() == 0,
                "zizmor is not there; install zizmor with pip, as .ci/install does");

        assertThat(bash("cd '" + directory.resolve("lint") + "' && git init -q . && '" + actionlint + "/actionlint'"))
                .isEqualTo(new Step(0, ""));
        Step zizmor = bash("zizmor --offline --quiet " + ROOT.resolve(".github") + " "
                + ROOT.resolve("ci/github/action.yml") + " "
                + ROOT.resolve("docs/examples/ci/github-workflow.yml"));
        assertThat(zizmor.code()).as(zizmor.output()).isZero();
    }

    private void github() throws IOException {
        Path event = directory.resolve("event.json");
        Files.writeString(event, "{\"pull_request\": {\"number\": 3}, \"repository\": {\"default_branch\": \"main\"}}");
        environment.putAll(Map.of(
                "GITHUB_ACTIONS", "true",
                "GITHUB_ACTION_PATH", ROOT.resolve("ci/github").toString(),
                "GITHUB_API_URL", url(),
                "GITHUB_SERVER_URL", url(),
                "GITHUB_REPOSITORY", "o/r",
                "GITHUB_RUN_ID", "99",
                "GITHUB_EVENT_PATH", event.toString(),
                "RUNNER_TEMP", directory.toString()));
        for (String file : List.of("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")) {
            Path path = directory.resolve(
                    file.substring("GITHUB_".length()).toLowerCase(Locale.ROOT).replace('_', '-'));
            environment.put(file, path.toString());
        }
    }

    /** Executes the steps that are scripts, with the inputs' defaults where none is given. */
    private Map<String, Step> action() throws Exception {
        Files.deleteIfExists(directory.resolve("env"));
        Files.deleteIfExists(directory.resolve("output"));
        Map<String, Object> action = yaml("ci/github/action.yml");
        Map<String, String> values = new LinkedHashMap<>();
        ((Map<?, ?>) action.get("inputs"))
                .forEach((name, input) ->
                        values.put("inputs." + name, String.valueOf(((Map<?, ?>) input).get("default"))));
        values.put("inputs.arguments", "--product=apim\n  --thresholds=errors == 0, p99 < 50ms\n\n");
        values.put(
                "inputs.jar", Path.of("../orchestrator/target/orchestrator.jar").toString());
        values.put("inputs.token", "token");
        values.put("github.action_repository", "o/gatebench");
        Map<String, Step> steps = new LinkedHashMap<>();
        for (Object each : (List<?>) ((Map<?, ?>) action.get("runs")).get("steps")) {
            Map<?, ?> step = (Map<?, ?>) each;
            if (!step.containsKey("run")) {
                continue;
            }
            Map<String, String> before = new LinkedHashMap<>(environment);
            ((Map<?, ?>) step.get("env"))
                    .forEach((name, value) -> environment.put((String) name, resolve(value, values)));
            Step done = bash("set -e; " + step.get("run"));
            steps.put((String) step.get("name"), done);
            environment.clear();
            environment.putAll(before);
            Path set = directory.resolve("env");
            if (Files.exists(set)) {
                program(Path.of(Files.readString(set).strip().substring("GATEBENCH=".length())));
            }
            Path output = directory.resolve("output");
            if (Files.exists(output)) {
                Files.readAllLines(output)
                        .forEach(line -> values.put(
                                "steps.gate.outputs." + line.substring(0, line.indexOf('=')),
                                line.substring(line.indexOf('=') + 1)));
            }
        }
        return steps;
    }

    private void program(Path real) {
        environment.put("REAL_GATEBENCH", real.toString());
        environment.put("GATEBENCH", directory.resolve("measured").toString());
    }

    private static String resolve(Object value, Map<String, String> values) {
        String expression = String.valueOf(value).replaceAll("^\\$\\{\\{ *(.*?) *}}$", "$1");
        return values.getOrDefault(expression, "");
    }

    private Step bash(String script) throws Exception {
        Path output = Files.createTempFile(directory, "step", ".log");
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script)
                .directory(
                        script.contains("GATEBENCH_HOME") || environment.containsKey("CI_PROJECT_ID")
                                ? directory.toFile()
                                : Path.of("").toAbsolutePath().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        return new Step(process.exitValue(), Files.readString(output));
    }

    private static Map<String, Object> yaml(String file) throws IOException {
        @SuppressWarnings("unchecked")
        Map<String, Object> loaded = (Map<String, Object>)
                new Load(LoadSettings.builder().build()).loadFromString(Files.readString(ROOT.resolve(file)));
        return loaded;
    }

    /** Results of 30 test cases measured three times; the test case of 7 users at a part of its throughput. */
    private byte[] results(String name, double level, double ofSeven) throws IOException {
        StringBuilder csv = new StringBuilder(
                "Scenario Name,Concurrent Users,# Samples,Error Count,Throughput (Requests/sec),Average Response Time (ms)\n");
        for (int users = 1; users <= 30; users++) {
            for (int repeat = 0; repeat < 3; repeat++) {
                double throughput =
                        1000.0 * users * level * (users == 7 ? ofSeven : 1) * (1 + 0.01 * ((users + repeat) % 3 - 1));
                csv.append(String.format(
                        Locale.ROOT,
                        "Passthrough,%d,60000,0,%.2f,%.4f%n",
                        users,
                        throughput,
                        1000 * users / throughput));
            }
        }
        if (!name.isEmpty()) {
            Path results = Files.createDirectories(directory.resolve(name));
            Files.writeString(results.resolve("summary.csv"), csv);
            Files.writeString(results.resolve("step-summary.md"), "What the run says\n");
        }
        return csv.toString().getBytes(StandardCharsets.UTF_8);
    }

    private byte[] zip(String prefix, double level) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry(prefix + "results/summary.csv"));
            zip.write(results("", level, 1));
        }
        return bytes.toByteArray();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().toString();
            requests.add(exchange.getRequestMethod() + " " + path);
            boolean comment = path.contains("/comments") || path.contains("/notes");
            if (path.endsWith("/zip")) {
                send(exchange, 200, zip("", path.contains("/3/") ? 1.01 : 1));
            } else if (path.contains("/jobs/artifacts/")) {
                send(exchange, 200, zip("gatebench/kept/", 1));
            } else if (path.contains("/actions/artifacts")) {
                send(exchange, 200, ARTIFACTS.getBytes(StandardCharsets.UTF_8));
            } else if (comment && exchange.getRequestMethod().equals("GET")) {
                List<JsonNode> all = new ArrayList<>();
                comments.forEach((id, text) ->
                        all.add(JSON.createObjectNode().put("id", id).put("body", text)));
                send(exchange, 200, JSON.writeValueAsBytes(all));
            } else if (comment && mayWrite) {
                int id = exchange.getRequestMethod().equals("POST")
                        ? 42
                        : Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
                comments.put(id, JSON.readTree(body).path("body").asText());
                send(exchange, 201, new byte[] {'{', '}'});
            } else {
                send(exchange, comment ? 403 : 404, new byte[] {'{', '}'});
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}
