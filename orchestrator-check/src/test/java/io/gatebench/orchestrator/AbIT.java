/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two real gateways in turns, by the packaged program. */
class AbIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    @Test
    void saysThatOneStartOfAGatewayAndItsCommitDecidesNothing() throws Exception {
        gateway("a.yaml", 0);
        commit();

        Program.Result result = ab("a.yaml", "git:HEAD:a.yaml", "--max-time=15s", "--build=test -f a.yaml");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode root = JSON.readTree(result.output());
        assertThat(root.fieldNames()).toIterable().containsExactly("decided", "seconds", "cases");
        assertThat(root.path("decided").asBoolean()).isFalse();
        assertThat(root.path("seconds").asInt()).isPositive();
        assertThat(root.path("cases")).hasSize(1);
        assertThat(root.at("/cases/0/key/scenario").asText()).isEqualTo("echo");
        JsonNode figures = root.at("/cases/0/figures");
        assertThat(figures.findValuesAsText("name"))
                .containsExactly("throughput", "p50", "p99", "cpu-per-request", "allocation-per-request");
        assertThat(figures.findValuesAsText("verdict")).containsOnly("undecided");
        assertThat(figures.get(0).path("ratio").asDouble()).isPositive();
        assertThat(Files.readAllLines(directory.resolve("r/windows.csv")))
                .as("the time is over after the least number of windows")
                .hasSize(1 + 8)
                .filteredOn(line -> line.contains(",A,"))
                .hasSize(4);
        assertThat(figures.get(4).path("ratio").asDouble()).isBetween(0.8, 1.25);
        assertThat(Files.readAllLines(directory.resolve("r/windows.csv")))
                .as("of each gateway half of the windows in which the other one stood still")
                .filteredOn(line -> line.contains(",A,true,") || line.contains(",B,true,"))
                .hasSize(4);
        assertThat(directory.resolve("r/ab.json"))
                .content()
                .contains("Nothing that is known differs between A and B", "too few starts tell it");
        assertThat(directory.resolve("r/.work")).doesNotExist();
        assertThat(result.errorOutput()).contains("building HEAD (", "of a processor while the other one was loaded");
        assertThat(git("worktree", "list").lines())
                .as("checkouts that are left")
                .hasSize(1);
    }

    @Test
    void refusesCommitsThatAreNotThereOrCannotBeBuilt() throws Exception {
        gateway("a.yaml", 0);
        commit();

        Program.Result unknown = ab("git:v9:a.yaml", "a.yaml");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.errorOutput()).startsWith("--a: the repository ").contains(" has no commit 'v9'");
        Program.Result without = ab("a.yaml", "git:HEAD:b.yaml");
        assertThat(without.exitCode()).isEqualTo(2);
        assertThat(without.errorOutput()).startsWith("--b: HEAD has no file b.yaml");
        Program.Result broken = ab("a.yaml", "git:HEAD:a.yaml", "--build=echo missing semicolon; exit 7");
        assertThat(broken.exitCode()).isEqualTo(5);
        assertThat(broken.errorOutput())
                .contains("--b: the build of HEAD ended with exit code 7: ", "; its last lines:\nmissing semicolon");
        Program.Result nothing = ab("a.yaml", "a.yaml", "--build=true");
        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(git("worktree", "list").lines())
                .as("checkouts that are left")
                .hasSize(1);
        assertThat(directory.resolve("r")).doesNotExist();
    }

    private void commit() throws Exception {
        git("init", "--quiet");
        git("add", "a.yaml");
        git("-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "--quiet", "-m", "A gateway");
    }

    private String git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    @Tag("full")
    void callsAGatewaySlowerThatBurnsCpuTimeForEachRequest() throws IOException {
        gateway("a.yaml", 0);
        gateway("b.yaml", 5000);

        Program.Result result = ab("a.yaml", "b.yaml", "--max-time=4m", "--profile");

        assertThat(result.exitCode()).as(result.errorOutput()).isEqualTo(4);
        JsonNode root = JSON.readTree(result.output());
        assertThat(root.path("decided").asBoolean()).isTrue();
        // It ends with the first figure that is slower, whichever this is.
        assertThat(root.at("/cases/0/figures").findValuesAsText("verdict")).contains("slower");
        assertThat(root.at("/cases/0/figures/0/ratio").asDouble())
                .as("throughput")
                .isLessThan(1);
        assertThat(root.at("/cases/0/figures/3/ratio").asDouble())
                .as("CPU time per request")
                .isGreaterThan(1);
        assertThat(directory.resolve("r/index.html"))
                .content()
                .contains("Methods with another part of the time")
                .contains("<th scope=\"row\">io.gatebench.orchestrator.BurningGateway.answer</th>");
        assertThat(directory.resolve("r/a.jfr")).isNotEmptyFile();
    }

    @Test
    @Tag("full")
    void measuresBuiltInGatewaysWithOptionsOfTheirOwnAndRecordsThem() throws IOException {
        Program.Result result = Program.run(
                directory,
                "ab",
                "--a=apim,heap=256M",
                "--b=apim,heap=300M",
                "--users=5",
                "--warm-up=1s",
                "--window=1s",
                "--max-time=15s",
                "--profile",
                "--results=r",
                "--format=json");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode root = JSON.readTree(result.output());
        assertThat(root.at("/cases/0/key/scenario").asText()).isEqualTo("passthrough");
        assertThat(root.at("/cases/0/figures").findValuesAsText("name"))
                .containsExactly("throughput", "p50", "p99", "cpu-per-request", "allocation-per-request");
        assertThat(result.errorOutput())
                .contains("The command lines differ: A has -Xms256M -Xmx256M, B has -Xms300M -Xmx300M.")
                .doesNotContain("Methods were not recorded");
        assertThat(directory.resolve("r/a.jfr")).isNotEmptyFile();
        assertThat(directory.resolve("r/b.jfr")).isNotEmptyFile();
        assertThat(directory.resolve("r/index.html")).content().contains("Methods with another part of the time");
    }

    @Test
    @Tag("full")
    void measuresGatewaysThatRunAlready() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/orders", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/orders";

            Program.Result result = ab(url, url, "--max-time=15s");

            assertThat(result.exitCode()).as(result.errorOutput()).isZero();
            JsonNode figures = JSON.readTree(result.output()).at("/cases/0/figures");
            assertThat(figures.findValuesAsText("name")).containsExactly("throughput", "p50", "p99");
            assertThat(figures.get(0).path("ratio").asDouble()).isPositive();
            assertThat(result.errorOutput())
                    .contains("A (" + url + ") ran already and was not started anew", "B (" + url + ") ran already");
        } finally {
            server.stop(0);
        }
    }

    @Test
    @Tag("full")
    void keepsWhatWasMeasuredWhenItIsInterrupted() throws Exception {
        gateway("a.yaml", 0);
        try (Program program =
                Program.start(directory, arguments("a.yaml", "a.yaml", "--users=1,2", "--max-time=5m"))) {
            // It is there when the first start of the first case is over.
            while (program.isAlive() && !Files.exists(directory.resolve("r/ab.json"))) {
                Thread.sleep(50);
            }
            program.interrupt();

            Program.Result result = program.await();

            assertThat(result.exitCode()).as(result.errorOutput()).isEqualTo(130);
            assertThat(JSON.readTree(result.output()).path("cases")).hasSize(2);
            assertThat(Files.readAllLines(directory.resolve("r/windows.csv"))).hasSizeGreaterThanOrEqualTo(9);
            assertThat(directory.resolve("r/index.html")).isNotEmptyFile();
            assertThat(directory.resolve("r/.work")).doesNotExist();
            assertThat(program.children()).isEmpty();
        }
    }

    @Test
    void saysWhichOfThemCannotBeMeasured() throws IOException {
        gateway("a.yaml", 0);
        Files.writeString(
                directory.resolve("b.yaml"),
                Files.readString(directory.resolve("a.yaml")).replace("BurningGateway", "NoSuchClass"));

        Program.Result result = ab("a.yaml", "b.yaml", "--max-time=15s");

        assertThat(result.exitCode()).as(result.errorOutput()).isEqualTo(3);
        assertThat(result.errorOutput()).contains("no window could be used: B (b.yaml) cannot be measured: ");
        assertThat(JSON.readTree(result.output()).path("decided").asBoolean()).isFalse();
    }

    @Test
    void refusesWhatIsNotMeasuredAlikeBeforeAnythingIsStarted() throws IOException {
        gateway("a.yaml", 0);
        Files.writeString(
                directory.resolve("b.yaml"),
                Files.readString(directory.resolve("a.yaml")).replace("name: echo", "name: other"));

        Program.Result different = ab("a.yaml", "b.yaml", "--max-time=15s");
        Program.Result unknown = ab("a.yaml", "a.yaml,colour=red", "--max-time=15s");

        assertThat(different.exitCode()).isEqualTo(2);
        assertThat(different.errorOutput())
                .startsWith("A and B are not measured alike: A has the cases [echo/1_users/1024B/0ms_sleep], B has"
                        + " [other/1_users/1024B/0ms_sleep]; name what both have");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.errorOutput())
                .startsWith(
                        "--b: 'colour' is nothing that a gateway can have of its own; known are heap, gateway-config,"
                                + " gateway-url, gateway-home, cpus, gateway-memory, gateway-port");
        Program.Result hasty = ab("a.yaml", "a.yaml", "--max-time=5s");
        assertThat(hasty.exitCode()).isEqualTo(2);
        assertThat(hasty.errorOutput()).startsWith("the time for all starts (--max-time) must be at least 14s, ");
        Program.Result processors = ab("a.yaml", "a.yaml", "--gateway-cpus=4096");
        assertThat(processors.exitCode()).as(processors.errorOutput()).isEqualTo(2);
        assertThat(directory.resolve("r")).doesNotExist();
    }

    @Test
    void refusesToLetThemChangePlacesOnOneHost() throws IOException {
        gateway("a.yaml", 0);
        Files.writeString(directory.resolve("hosts.yaml"), """
                hosts: {one: 192.0.2.1, other: 192.0.2.2}
                roles: {gateway: one, backend: other, load-generator: other}
                """);

        Program.Result alone = ab("a.yaml", "a.yaml", "--interleave=hosts");
        Program.Result one = ab("a.yaml", "a.yaml", "--hosts=hosts.yaml", "--interleave=hosts");

        assertThat(alone.exitCode()).isEqualTo(2);
        assertThat(alone.errorOutput().strip()).isEqualTo("--interleave hosts needs the hosts: --hosts hosts.yaml");
        assertThat(one.exitCode()).isEqualTo(2);
        assertThat(one.errorOutput().strip())
                .isEqualTo(
                        "--interleave hosts lets A and B change places between two hosts, but hosts.yaml names 1 for the"
                                + " gateway; name two, as in gateway: [one, other]");
        assertThat(directory.resolve("r")).doesNotExist();
    }

    private Program.Result ab(String a, String b, String... further) {
        return Program.run(directory, arguments(a, b, further));
    }

    private static String[] arguments(String a, String b, String... further) {
        List<String> arguments = new ArrayList<>(
                List.of("ab", "--a=" + a, "--b=" + b, "--warm-up=1s", "--window=1s", "--results=r", "--format=json"));
        if (List.of(further).stream().noneMatch(argument -> argument.startsWith("--users="))) {
            arguments.add("--users=1");
        }
        arguments.addAll(List.of(further));
        return arguments.toArray(String[]::new);
    }

    private void gateway(String file, int microseconds) throws IOException {
        Files.writeString(directory.resolve(file), """
                name: Burning Gateway
                url: http://{gateway-address}:{gateway-port}
                uses-backend: false
                gc-log: gc.log
                start: ["{java}", "{gc-options}", -XX:TieredStopAtLevel=1, -Dsun.net.httpserver.nodelay=true, -cp, "%s",
                  io.gatebench.orchestrator.BurningGateway, "{gateway-port}", "%d"]
                scenarios:
                  - name: echo
                    description: What is sent comes back.
                    url: /echo
                    check:
                      same-length: true
                """.formatted(
                        Path.of("target/test-classes").toAbsolutePath(), microseconds));
    }
}
