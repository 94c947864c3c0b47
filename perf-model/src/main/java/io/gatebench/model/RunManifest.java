/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Head of the results directory: all that holds for a whole run.
 *
 * @param schemaVersion version of the files' form; readers refuse a higher one
 * @param runId identifier of the run
 * @param toolVersion version and revision of Gatebench
 * @param applicationName the name that title and columns carry, e.g. {@code WSO2 API Manager} or {@code Reference
 *     Gateway (apim scenarios)}
 * @param variant which published form the document has
 * @param plan the plan that was run
 * @param environment {@code local}, {@code hosts} or {@code aws}, with what a reader should know of it
 * @param loadGenerators number of load generators
 * @param stacks number of environments (stacks) that the plan was spread over
 * @param started when the run began
 * @param finished when it ended, absent while it runs or if it was killed
 * @param versions versions of what took part, e.g. {@code gateway}, {@code jdk}, {@code jmeter}
 * @param systems system information: that of the gateway's machine of each stack, behind them that of the other machines of
 *     a run on one stack
 * @param notes what a reader of the figures must know, e.g. that all roles shared two processors
 * @param thresholds the conditions that the figures had to meet, as they were written
 * @param missedThresholds one sentence for each condition that a test case did not meet; empty while the run goes on
 * @since 0.1
 */
public record RunManifest(
        int schemaVersion,
        String runId,
        String toolVersion,
        String applicationName,
        Variant variant,
        PerfPlan plan,
        String environment,
        int loadGenerators,
        int stacks,
        Instant started,
        Optional<Instant> finished,
        Map<String, String> versions,
        List<SystemInformation> systems,
        List<String> notes,
        List<String> thresholds,
        List<String> missedThresholds) {

    /** The schema that this version writes. */
    public static final int SCHEMA_VERSION = 1;

    /** Published form of a document. */
    public enum Variant {
        /** API gateways: APIM and Microgateway. */
        GATEWAY,
        /** Integration products: MI and EI. */
        INTEGRATION,
        /** The back end alone. */
        BACKEND
    }

    /** Copies the collections. */
    public RunManifest {
        versions = Map.copyOf(versions);
        systems = List.copyOf(systems);
        notes = List.copyOf(notes);
        thresholds = List.copyOf(thresholds);
        missedThresholds = List.copyOf(missedThresholds);
    }

    /** Creates the head of a run whose figures had to meet no condition. */
    public RunManifest(
            int schemaVersion,
            String runId,
            String toolVersion,
            String applicationName,
            Variant variant,
            PerfPlan plan,
            String environment,
            int loadGenerators,
            int stacks,
            Instant started,
            Optional<Instant> finished,
            Map<String, String> versions,
            List<SystemInformation> systems,
            List<String> notes) {
        this(
                schemaVersion,
                runId,
                toolVersion,
                applicationName,
                variant,
                plan,
                environment,
                loadGenerators,
                stacks,
                started,
                finished,
                versions,
                systems,
                notes,
                List.of(),
                List.of());
    }

    /** Returns the same with other conditions, and those of them that were not met. */
    public RunManifest withThresholds(List<String> conditions, List<String> missed) {
        return with(stacks, finished, systems, notes, conditions, missed);
    }

    /** Returns the same head with further notes behind its own. */
    public RunManifest withNotes(List<String> further) {
        List<String> all = new ArrayList<>(notes);
        all.addAll(further);
        return with(stacks, finished, systems, all, thresholds, missedThresholds);
    }

    /** Returns the same with another end, or none for a run that goes on. */
    public RunManifest withFinished(Optional<Instant> end) {
        return with(stacks, end, systems, notes, thresholds, missedThresholds);
    }

    /** Returns the same of a run that further machines take part in. */
    public RunManifest withSystems(int sets, List<SystemInformation> machines) {
        return with(sets, finished, machines, notes, thresholds, missedThresholds);
    }

    private RunManifest with(
            int sets,
            Optional<Instant> end,
            List<SystemInformation> machines,
            List<String> allNotes,
            List<String> conditions,
            List<String> missed) {
        return new RunManifest(
                schemaVersion,
                runId,
                toolVersion,
                applicationName,
                variant,
                plan,
                environment,
                loadGenerators,
                sets,
                started,
                end,
                versions,
                machines,
                allNotes,
                conditions,
                missed);
    }
}
