/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two real gateways in turns on the hosts of the {@link Lab}, by the packaged program. */
@Tag("full")
class AbHostsIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** The host whose gateways burn CPU time for each request, whichever they are. */
    private static final String SLOW = "jmeter2";

    private static HostsFixture hosts;

    @BeforeAll
    static void startTheHosts() throws Exception {
        hosts = HostsFixture.start();
        String one = Files.readString(hosts.file("hosts.yaml")).replace("[jmeter1, jmeter2]", "jmeter1");
        hosts.lab().write("client", "one.yaml", one);
        hosts.lab().write("client", "two.yaml", one.replace("gateway: product", "gateway: [product, " + SLOW + "]"));
        hosts.lab().write(SLOW, "slow", "");
        gateway("a.yaml", 0);
        gateway("b.yaml", 2000);
    }

    @AfterAll
    static void stopTheHosts() {
        if (hosts != null) {
            hosts.close();
        }
    }

    @AfterEach
    void nothingIsLeftOnAnyHost() throws Exception {
        hosts.endCase();
    }

    private static void gateway(String file, int microseconds) {
        hosts.lab().write("client", file, """
                name: Burning Gateway
                url: http://{gateway-address}:{gateway-port}
                uses-backend: false
                start: [sh, -c, "[ -e ~/slow ] && slow=3000 || slow=0;
                  exec {java} -XX:TieredStopAtLevel=1 -Dsun.net.httpserver.nodelay=true -cp %s
                  io.gatebench.orchestrator.BurningGateway {gateway-port} $((slow + %d)) {gateway-address}"]
                scenarios:
                  - name: echo
                    url: /echo
                    check:
                      same-length: true
                """.formatted(
                        Path.of("target/test-classes").toAbsolutePath(), microseconds));
    }

    private static LabProgram ab(String b, String file, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "ab",
                "--a=a.yaml",
                "--b=" + b,
                "--hosts=" + file,
                "--users=1",
                "--warm-up=2s",
                "--window=1s",
                "--format=json"));
        arguments.addAll(List.of(more));
        return hosts.lab().program(arguments.toArray(String[]::new));
    }

    @Test
    void findsALossOnOneHost() throws Exception {
        try (LabProgram program = ab("b.yaml", "one.yaml", "--results=loss", "--max-time=3m", "--loss=50")) {
            assertThat(program.await()).as(program.errorOutput()).isEqualTo(4);

            JsonNode figures = JSON.readTree(program.output()).at("/cases/0/figures");
            assertThat(figures.findValuesAsText("verdict")).contains("slower");
            assertThat(figures.get(0).path("ratio").asDouble()).isLessThan(1);
            assertThat(figures.get(3).path("name").asText()).isEqualTo("cpu-per-request");
            assertThat(figures.get(3).path("ratio").asDouble()).isGreaterThan(2);
            assertThat(Files.readAllLines(hosts.file("loss/windows.csv")))
                    .filteredOn(line -> line.contains(",B,true,"))
                    .as("windows beside a gateway that stands still")
                    .isNotEmpty();
        }
    }

    @Test
    void aSlowHostIsNoSlowGatewayWhereTheyChangePlaces() throws Exception {
        try (LabProgram program =
                ab("a.yaml", "two.yaml", "--interleave=hosts", "--results=swapped", "--max-time=2m", "--loss=50")) {
            assertThat(program.await()).as(program.errorOutput()).isZero();

            JsonNode figures = JSON.readTree(program.output()).at("/cases/0/figures");
            assertThat(figures.findValuesAsText("verdict"))
                    .as(figures.toString())
                    .isNotEmpty()
                    .doesNotContain("slower", "faster");
            // On the slow host the one or the other has less than a third of the throughput, so that the ratio would be
            // far off.
            assertThat(figures.get(0).path("ratio").asDouble()).isBetween(0.6, 1.6);
            List<String[]> windows = Files.readAllLines(hosts.file("swapped/windows.csv")).stream()
                    .skip(1)
                    .map(line -> line.split(","))
                    .toList();
            Map<String, Long> ofStart =
                    windows.stream().collect(Collectors.groupingBy(cells -> cells[1], Collectors.counting()));
            // Of the pairs of a start the second half was measured where they had changed places.
            assertThat(windows.stream()
                            .filter(cells -> cells[4].equals(
                                    Integer.parseInt(cells[3]) > ofStart.get(cells[1]) / 4 ? "A" : "B")))
                    .as("windows on the slow host")
                    .isNotEmpty()
                    .allSatisfy(
                            cells -> assertThat(Double.parseDouble(cells[10])).isGreaterThanOrEqualTo(3));
        }
    }
}
