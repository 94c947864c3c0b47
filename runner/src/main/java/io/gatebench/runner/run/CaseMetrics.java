/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.GZIPOutputStream;

import io.gatebench.hosts.metrics.HostMetrics;
import io.gatebench.hosts.metrics.MetricsCollector;
import io.gatebench.model.HostMetric;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.role.RoleProcess;

/**
 * The metrics of the hosts of one case. What goes wrong here never ends a case: the figures are then absent and say
 * why.
 */
final class CaseMetrics {

    /** The figures per second in the directory of a role. */
    static final String SERIES = "metrics.csv";

    private static final String RAW = "snapshots.gz";

    private final Map<String, Collected> byHost = new LinkedHashMap<>();

    private static final class Collected {
        private Optional<MetricsCollector> collector = Optional.empty();
        private Optional<HostMetrics> metrics = Optional.empty();
        private String missing = "the host metrics were not collected";
    }

    /**
     * Figures of the host of one process.
     *
     * @param figures by column
     * @param notes what a reader must know
     * @param busiestOther the program that took the most processor time of those that are no part of the run, if known
     */
    record OfProcess(Map<String, MeasuredValue> figures, List<String> notes, Optional<String> busiestOther) {}

    /** Begins to collect on a host, once. */
    void start(Host host, String directory) {
        if (byHost.containsKey(host.name())) {
            return;
        }
        Collected collected = new Collected();
        byHost.put(host.name(), collected);
        try {
            collected.collector = Optional.of(MetricsCollector.start(host, directory));
        } catch (HostException e) {
            collected.missing = e.getMessage();
        }
    }

    /** Collects the counters of a role's process too. */
    void watch(RoleProcess role) {
        Collected collected = byHost.get(role.host().name());
        if (collected != null && collected.collector.isPresent()) {
            try {
                collected.collector.get().watch(role.process().pid());
            } catch (HostException e) {
                collected.missing = e.getMessage();
            }
        }
    }

    /** Ends the collecting. */
    void stop() {
        byHost.values().forEach(collected -> collected.collector.ifPresent(MetricsCollector::close));
    }

    /**
     * Fetches what was collected into a directory of the case.
     *
     * @param sets the processors that processes were given
     */
    void fetch(Path directory, Collection<List<Integer>> sets) {
        byHost.forEach((name, collected) -> collected.collector.ifPresent(collector -> {
            Path here = directory.resolve(name.replaceAll("[^A-Za-z0-9._-]", "_"));
            try {
                collector.host().download(collector.directory(), here);
                Path raw = here.resolve(MetricsCollector.FILE);
                collected.metrics =
                        Optional.of(HostMetrics.read(raw, collector.host().isLocal(), sets));
                compress(raw, here.resolve(RAW));
                Files.deleteIfExists(here.resolve(MetricsCollector.PIDS));
            } catch (HostException | IOException e) {
                collected.missing = "the host metrics could not be fetched: " + e.getMessage();
            }
        }));
    }

    private static void compress(Path raw, Path compressed) throws IOException {
        try (InputStream in = Files.newInputStream(raw);
                OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            in.transferTo(out);
        }
        Files.delete(raw);
    }

    /**
     * Returns the figures of a role's host and process and leaves their course in the role's directory.
     *
     * @param directory the role's directory in the results
     * @param window the measurement window by the clock of the load generator, if there was one
     * @param offset how far the clock of the role's host is ahead of that clock
     * @param processors the processors that the role was given; empty for all
     * @param all the processes of the case
     * @param sharers those that were given the same processors
     */
    OfProcess of(
            RoleProcess role,
            Path directory,
            Optional<MeasurementWindow> window,
            Duration offset,
            List<Integer> processors,
            List<RoleProcess> all,
            List<RoleProcess> sharers) {
        Collected collected = byHost.get(role.host().name());
        if (collected == null || collected.metrics.isEmpty()) {
            return new OfProcess(
                    Map.of(),
                    collected == null ? List.of() : List.of("no host metrics: " + collected.missing),
                    Optional.empty());
        }
        HostMetrics metrics = collected.metrics.get();
        OptionalLong pid = OptionalLong.of(role.process().pid());
        List<String> notes = new ArrayList<>();
        collected.collector.flatMap(MetricsCollector::problem).ifPresent(notes::add);
        try {
            Files.createDirectories(directory);
            metrics.writeSeries(directory.resolve(SERIES), pid);
        } catch (IOException e) {
            notes.add("the course of the host metrics could not be written: " + e.getMessage());
        }
        if (window.isEmpty()) {
            notes.add("the host metrics are those of the whole case: there was no measurement window");
            return new OfProcess(metrics.average(pid), notes, Optional.empty());
        }
        notes.addAll(metrics.notes(window.get(), offset));
        Map<String, MeasuredValue> figures = new LinkedHashMap<>(metrics.average(
                window.get(),
                offset,
                pid,
                processors,
                sharers.stream().map(sharer -> sharer.process().pid()).toList()));
        whyOthersAreUnknown(metrics, all)
                .ifPresent(why -> figures.put(HostMetric.OTHER_PROGRAMS.header(), MeasuredValue.absent(why)));
        return new OfProcess(figures, notes, metrics.busiestOther(window.get(), offset));
    }

    /** A process that belongs to the run and is not known as such must not pass for another program. */
    private Optional<String> whyOthersAreUnknown(HostMetrics metrics, List<RoleProcess> all) {
        if (all.stream().noneMatch(role -> role.role() == NodeRole.GATEWAY)) {
            return Optional.of("the gateway was not started by this run: its time may be among that of other programs");
        }
        long names = byHost.values().stream()
                .flatMap(collected -> collected.metrics.stream())
                .filter(metrics::ofSameMachine)
                .count();
        return names > 1
                ? Optional.of(
                        "hosts of this run are one machine: what one of them does would be another's other programs")
                : Optional.empty();
    }
}
