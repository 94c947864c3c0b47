/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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

    private static final int MOST = 2;

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
                    NodeRole.GATEWAY, List.of(host(work, "gateway-1"), host(work, "gateway-2")),
                    NodeRole.BACKEND, List.of(host(work, "backend")),
                    NodeRole.LOAD_GENERATOR, List.of(host(work, "load-1"), host(work, "load-2"))));
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

    private static RunPlan plan() {
        PlanInput input = new PlanInput();
        input.option(PlanKey.PRODUCT, "apim");
        // Each replica has a key of its own: a token of the other one is refused.
        input.option(PlanKey.SCENARIO, "passthrough");
        input.option(PlanKey.HEAP, "128M");
        input.option(PlanKey.USERS, "4");
        input.option(PlanKey.MESSAGE_SIZE, "50");
        input.option(PlanKey.BACKEND_DELAY, "0ms");
        input.option(PlanKey.DURATION, "6s");
        input.option(PlanKey.WARM_UP, "2s");
        input.option(PlanKey.RAMP_UP, "0s");
        input.option(PlanKey.BACKEND_HEAP, "64M");
        input.option(PlanKey.LOAD_GENERATOR_HEAP, "128M");
        input.option(PlanKey.GATEWAY_REPLICAS, "1," + MOST);
        return new PlanBuilder(ProductRegistry.load().products()).limited().build(input);
    }

    @Test
    void shareTheLoadAndAreShownOneByOneAndTogether() throws IOException {
        Path results = directory.resolve("results");
        PerfRun.Outcome outcome;
        try (PerfRun run = PerfRun.create(
                plan(), results, work -> Hosts.below(work), Clock.systemUTC(), new RunListener() {}, "1")) {
            outcome = run.execute(new Interruption());
        }

        List<TestCaseResult.Completed> cells = new ArrayList<>();
        for (TestCaseResult result : outcome.results()) {
            assertThat(result).isInstanceOfSatisfying(TestCaseResult.Completed.class, cells::add);
        }
        assertThat(cells).extracting(cell -> cell.testCase().gatewayReplicas()).containsExactly(1, MOST);
        assertThat(cells).allSatisfy(cell -> assertThat(cell.load().failures()).isEmpty());
        TestCaseResult.Completed two = cells.get(1);
        assertThat(gateways(cells.get(0))).extracting(ProcessReport::directory).containsExactly("gateway");
        assertThat(gateways(two)).extracting(ProcessReport::host).containsExactly("gateway-1", "gateway-2");
        assertThat(gateways(two)).extracting(ProcessReport::directory).containsExactly("gateway-1", "gateway-2");
        String name = gateways(cells.get(0)).get(0).name();
        assertThat(gateways(two)).extracting(ProcessReport::name).containsExactly(name + " 1", name + " 2");
        // Both have worked: neither figure is that of the other.
        assertThat(gateways(two)).allSatisfy(gateway -> {
            assertThat(gateway.gc()).isPresent();
            assertThat(gateway.hostMetrics().get("Task clock").value().orElse(0))
                    .isPositive();
        });
        assertThat(targets(results.resolve(two.testCase().id()))).hasSize(MOST);
        assertThat(targets(results.resolve(cells.get(0).testCase().id()))).hasSize(1);
        String summary = Files.readString(results.resolve("summary.md"));
        assertThat(summary)
                .contains("Replicas of the gateway: 1, 2.", "1 replica", "2 replicas", "replicas: 2", "GC that of");
    }

    private static List<ProcessReport> gateways(TestCaseResult.Completed cell) {
        return cell.processes().stream()
                .filter(process -> process.role() == NodeRole.GATEWAY)
                .toList();
    }

    /** Where the load generators of a cell sent their requests. */
    private static Set<URI> targets(Path cell) {
        return List.of("load-1", "load-2").stream()
                .map(part -> LoadRequest.read(cell.resolve(part).resolve("request.json")))
                .map(LoadRequest::target)
                .collect(Collectors.toSet());
    }
}
