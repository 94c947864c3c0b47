/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.maven;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

import io.gatebench.model.TestCaseResult;
import io.gatebench.report.verdict.Level;
import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.CaseResult;
import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.runner.RelativeBaseline;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.settings.Suggestion;

/**
 * Measures a gateway, writes the report, and fails the build where a case failed, a threshold is not met, or something got
 * worse than a baseline.
 */
@Mojo(name = "run", defaultPhase = LifecyclePhase.VERIFY, requiresProject = false, threadSafe = true)
public final class RunMojo extends GatebenchMojo {

    private static final String DEFAULT_PLAN = "perf/plan.yaml";
    private static final String PREFIX = "gatebench.";

    @Parameter(defaultValue = "${basedir}", readonly = true, required = true)
    private File base;

    @Parameter(defaultValue = "${session.userProperties}", readonly = true, required = true)
    private Properties userProperties;

    /** The plan file; <code>perf/plan.yaml</code> unless set. Paths in it are relative to the directory of the project. */
    @Parameter(property = "gatebench.plan")
    private @Nullable File plan;

    /**
     * Keys of a plan with their values, which win over the plan file; <code>-Dgatebench.&lt;key&gt;=&lt;value&gt;</code> wins
     * over both. Commas separate values.
     */
    @Parameter
    private Map<String, String> options = Map.of();

    /** Conditions that the figures must meet, e.g. <code>p99 &lt; 50ms</code>; instead of those of the plan. */
    @Parameter
    private List<String> thresholds = List.of();

    /** File with the figures of an earlier run relative to its control run, which this run must not be worse than. */
    @Parameter(property = "gatebench.relativeBaseline")
    private @Nullable File relativeBaseline;

    /** The loss in percent that is accepted against the relative baseline, even if it is beyond noise. */
    @Parameter(property = "gatebench.acceptedLoss", defaultValue = "0")
    private double acceptedLoss;

    /** The hosts file, if roles run on other machines. */
    @Parameter(property = "gatebench.hosts")
    private @Nullable File hosts;

    /** True to accept and keep the keys of hosts that are not known yet. */
    @Parameter(property = "gatebench.acceptNewHostKeys", defaultValue = "false")
    private boolean acceptNewHostKeys;

    /**
     * The settings of pods that are created for the run, with <code>gatebench-environment-kubernetes</code> among the
     * dependencies of the plugin.
     */
    @Parameter(property = "gatebench.kubernetes")
    private @Nullable File kubernetes;

    /** Seconds to wait while another measurement runs on this machine. */
    @Parameter(property = "gatebench.patience", defaultValue = "600")
    private long patience;

    @Override
    void work() throws MojoFailureException {
        GatewayBenchmark.Builder builder = GatewayBenchmark.plan(plan())
                .relativeTo(base.toPath())
                .resultsIn(results())
                .patience(Duration.ofSeconds(patience))
                .listener(new LogListener(getLog()));
        options.forEach((key, value) -> option(builder, key(key), value));
        if (!thresholds.isEmpty()) {
            builder.thresholds(thresholds.toArray(String[]::new));
        }
        Arrays.stream(PlanKey.values())
                .filter(key -> key != PlanKey.RESULTS)
                .filter(key -> userProperties.containsKey(PREFIX + key.key()))
                .forEach(key -> option(builder, key, userProperties.getProperty(PREFIX + key.key())));
        if (hosts != null) {
            builder.hosts(hosts.toPath());
        }
        if (kubernetes != null) {
            builder.kubernetes(kubernetes.toPath());
        }
        if (acceptNewHostKeys) {
            builder.acceptNewHostKeys();
        }
        RelativeBaseline baseline = relativeBaseline == null ? null : RelativeBaseline.read(relativeBaseline.toPath());
        BenchmarkResult result = builder.run();
        getLog().info("Report: " + result.report());
        judge(result, baseline);
    }

    private Path plan() {
        if (plan != null) {
            return plan.toPath();
        }
        Path file = base.toPath().resolve(DEFAULT_PLAN);
        if (Files.notExists(file)) {
            throw new IllegalArgumentException("there is no plan " + file
                    + "; write it, or name another one with <plan> or -Dgatebench.plan=<file.yaml>");
        }
        return file;
    }

    private static PlanKey key(String name) {
        return Arrays.stream(PlanKey.values())
                .filter(key -> key.key().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("<options>: unknown key '" + name + "'"
                        + Suggestion.among(
                                name,
                                Arrays.stream(PlanKey.values())
                                        .map(PlanKey::key)
                                        .toList())));
    }

    private static void option(GatewayBenchmark.Builder builder, PlanKey key, String value) {
        builder.option(
                key, Arrays.stream(value.split(",", -1)).map(String::trim).toArray(String[]::new));
    }

    private void judge(BenchmarkResult result, @Nullable RelativeBaseline baseline) throws MojoFailureException {
        List<String> failures = new ArrayList<>();
        for (CaseResult cell : result.cells()) {
            if (!(cell.result() instanceof TestCaseResult.Completed)) {
                failures.add(cell.name() + ": " + cell.verdict().text());
            } else if (cell.verdict().level() != Level.VALID) {
                getLog().warn(cell.name() + " is " + cell.verdict().text());
            }
        }
        if (failures.isEmpty() && result.cells().stream().noneMatch(CaseResult::isUsable)) {
            failures.add("nothing was measured that can be used: " + String.join("; ", result.problems()));
        }
        result.missedThresholds().forEach(missed -> failures.add("threshold not met: " + missed));
        if (failures.isEmpty() && baseline != null) {
            for (RelativeBaseline.Difference difference : baseline.compare(result, acceptedLoss)) {
                String text = difference.cell() + ": " + difference.text();
                if (difference.worse()) {
                    failures.add("worse than the baseline: " + text);
                } else {
                    getLog().info(text);
                }
            }
        }
        if (!failures.isEmpty()) {
            throw new MojoFailureException(
                    String.join("; ", failures) + "; report: " + result.report().toAbsolutePath());
        }
    }
}
