/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.hosts.LocalHost;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.SystemInformation;
import io.gatebench.model.TestCaseResult;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.runner.run.Interruption;
import io.gatebench.runner.run.PerfRun;
import io.gatebench.spi.Environment;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.host.ForwardingHost;
import io.gatebench.spi.host.Host;

/** Replicas of a gateway as pods have them, on hosts that are all this machine. */
@Tag("full")
class ReplicasIT {

    private static final int MOST = 3;

    @TempDir
    private Path directory;

    /** A host of a name and a directory of its own. */
    private record Named(String name, Host host) implements ForwardingHost {

        @Override
        public SystemInformation systemInformation() {
            return new SystemInformation(name, host.systemInformation().rows());
        }

        @Override
        public void close() {
            host.close();
        }
    }

    /** Pods, as it were. */
    private record Hosts(Map<NodeRole, List<Host>> all) implements Environment {

        static Hosts below(Path work) {
            return new Hosts(Map.of(
                    NodeRole.GATEWAY, several(work, "gateway"),
                    NodeRole.BACKEND, List.of(host(work, "backend")),
                    NodeRole.LOAD_GENERATOR, several(work, "load")));
        }

        private static List<Host> several(Path work, String name) {
            return IntStream.rangeClosed(1, MOST)
                    .mapToObj(number -> host(work, name + "-" + number))
                    .toList();
        }

        private static Host host(Path work, String name) {
            return new Named(name, new LocalHost(work.resolve(name)));
        }

        @Override
        public String name() {
            return "kubernetes";
        }

        @Override
        public List<Host> hosts(NodeRole role) {
            return all.get(role);
        }

        @Override
        public boolean takesLimits() {
            return true;
        }

        @Override
        public List<String> notes() {
            return List.of();
        }

        @Override
        public void close() {
            all.values().forEach(hosts -> hosts.forEach(Host::close));
        }
    }

    private static PlanInput input(String product, String scenario) {
        PlanInput input = new PlanInput();
        input.option(PlanKey.PRODUCT, product);
        input.option(PlanKey.SCENARIO, scenario);
        input.option(PlanKey.USERS, String.valueOf(2 * MOST));
        input.option(PlanKey.MESSAGE_SIZE, "500");
        input.option(PlanKey.BACKEND_DELAY, "0ms");
        input.option(PlanKey.DURATION, "6s");
        input.option(PlanKey.WARM_UP, "2s");
        input.option(PlanKey.RAMP_UP, "0s");
        input.option(PlanKey.BACKEND_HEAP, "64M");
        input.option(PlanKey.LOAD_GENERATOR_HEAP, "128M");
        input.option(PlanKey.GATEWAY_REPLICAS, "1," + MOST);
        return input;
    }

    /** Returns the test cases of a run with one gateway and with as many as there are hosts. */
    private List<TestCaseResult.Completed> run(PlanInput input) {
        RunPlan plan =
                new PlanBuilder(ProductRegistry.load().products()).limited().build(input);
        Path results = directory.resolve("results");
        PerfRun.Outcome outcome;
        try (PerfRun run = PerfRun.create(
                plan, results, work -> Hosts.below(work), Clock.systemUTC(), new RunListener() {}, "1")) {
            outcome = run.execute(new Interruption());
        }
        List<TestCaseResult.Completed> cells = new ArrayList<>();
        for (TestCaseResult result : outcome.results()) {
            assertThat(result).isInstanceOfSatisfying(TestCaseResult.Completed.class, cells::add);
        }
        assertThat(cells).extracting(cell -> cell.testCase().gatewayReplicas()).containsExactly(1, MOST);
        assertThat(cells).allSatisfy(cell -> assertThat(cell.load().failures()).isEmpty());
        assertThat(gateways(cells.get(0))).extracting(ProcessReport::directory).containsExactly("gateway");
        assertThat(gateways(cells.get(1)))
                .extracting(ProcessReport::host)
                .containsExactly("gateway-1", "gateway-2", "gateway-3");
        assertThat(gateways(cells.get(1)))
                .extracting(ProcessReport::directory)
                .containsExactly("gateway-1", "gateway-2", "gateway-3");
        // Each has worked: no figure is that of another.
        assertThat(gateways(cells.get(1)))
                .allSatisfy(gateway -> assertThat(
                                gateway.hostMetrics().get("Task clock").value().orElse(0))
                        .isPositive());
        assertThat(targets(results.resolve(cells.get(1).testCase().id()))).hasSize(MOST);
        assertThat(targets(results.resolve(cells.get(0).testCase().id()))).hasSize(1);
        return cells;
    }

    @Test
    void shareTheLoadAndAreShownOneByOneAndTogether() throws IOException {
        // Each replica has a key of its own: a token of the other one is refused.
        PlanInput input = input("apim", "passthrough");
        input.option(PlanKey.HEAP, "128M");

        List<TestCaseResult.Completed> cells = run(input);

        String name = gateways(cells.get(0)).get(0).name();
        assertThat(gateways(cells.get(1)))
                .extracting(ProcessReport::name)
                .containsExactly(name + " 1", name + " 2", name + " 3");
        assertThat(gateways(cells.get(1)))
                .allSatisfy(gateway -> assertThat(gateway.gc()).isPresent());
        assertThat(Files.readString(directory.resolve("results/summary.md")))
                .contains("Replicas of the gateway: 1, 3.", "1 replica", "3 replicas", "replicas: 3", "GC that of");
    }

    @Test
    void areGatewaysThatAFileDescribes() {
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/nginx")), "nginx is not there; install nginx-light");
        PlanInput input = input("http", "passthrough");
        input.option(PlanKey.GATEWAY_CONFIG, "../docs/examples/http/nginx/gateway.yaml");

        assertThat(gateways(run(input).get(1)))
                .extracting(ProcessReport::name)
                .containsExactly("nginx 1", "nginx 2", "nginx 3");
    }

    /** A pack that is laid out and started as that of Micro Integrator, with the engine of the built-in gateway in it. */
    @Test
    void areInstalledFromAPack() throws IOException {
        Path pack = directory.resolve("mi.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(pack))) {
            zip.putNextEntry(new ZipEntry("mi/bin/micro-integrator.sh"));
            zip.write("""
                    #!/bin/sh
                    home=$(cd "$(dirname "$0")/.." && pwd)
                    for word in "$@"; do case $word in -DportOffset=*) offset=${word#*=};; esac; done
                    "$JAVA_HOME/bin/java" $JVM_MEM_OPTS $JAVA_OPTS -jar "$home/lib/engine.jar" \\
                      --bind=127.0.0.1 --http-port=$((8280 + offset)) --https-port=$((8243 + offset)) \\
                      --config="$home/repository/deployment/server/synapse-configs/default" --work-dir="$home/tmp/engine" &
                    echo $! >"$home/wso2carbon.pid"
                    wait $!
                    """.getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("mi/tmp/empty"));
            zip.putNextEntry(new ZipEntry("mi/lib/engine.jar"));
            Files.copy(Path.of("../synapse-gateway/target/synapse-gateway.jar"), zip);
        }
        PlanInput input = input("mi", "DirectProxy");
        input.option(PlanKey.HEAP, "192M");
        input.option(PlanKey.GATEWAY_HOME, pack.toString());

        assertThat(gateways(run(input).get(1)))
                .extracting(ProcessReport::name)
                .containsExactly("WSO2 Micro Integrator 1", "WSO2 Micro Integrator 2", "WSO2 Micro Integrator 3");
    }

    private static List<ProcessReport> gateways(TestCaseResult.Completed cell) {
        return cell.processes().stream()
                .filter(process -> process.role() == NodeRole.GATEWAY)
                .toList();
    }

    /** Where the load generators of a test case sent their requests. */
    private static Set<URI> targets(Path cell) {
        return IntStream.rangeClosed(1, MOST)
                .mapToObj(number -> "load-" + number)
                .map(part -> LoadRequest.read(cell.resolve(part).resolve("request.json")))
                .map(LoadRequest::target)
                .collect(Collectors.toSet());
    }
}
