/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

import io.gatebench.hosts.LocalSystem;
import io.gatebench.spi.host.BundledText;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;

/**
 * Takes a snapshot of a host's counters each second while a case runs.
 *
 * <p>It is a loop of the host's own shell that needs no package and no root. The
 * snapshots end up in the file {@link #FILE} of its directory, for {@link HostMetrics#read}. Not safe for use by
 * several threads.
 */
public final class MetricsCollector implements AutoCloseable {

    /** The file in the collector's directory that holds the snapshots. */
    public static final String FILE = ProcessSpec.LOG;

    /** The file in the collector's directory that names the processes to watch. */
    public static final String PIDS = "pids";

    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Host host;
    private final String directory;
    private final LongConsumer watch;
    private final Supplier<Optional<String>> ended;
    private final Runnable stop;
    private Optional<String> problem = Optional.empty();
    private boolean closed;

    private MetricsCollector(
            Host host, String directory, LongConsumer watch, Supplier<Optional<String>> ended, Runnable stop) {
        this.host = host;
        this.directory = directory;
        this.watch = watch;
        this.ended = ended;
        this.stop = stop;
    }

    /**
     * Starts to collect.
     *
     * @param directory a directory on the host, which is created, for the snapshots
     * @throws HostException if the host cannot be reached or is another machine and no Linux
     */
    public static MetricsCollector start(Host host, String directory) {
        host.createDirectory(directory);
        if (host.isLocal() && !LocalSystem.hasProc()) {
            return here(host, directory);
        }
        if (host.run(List.of("test", "-r", "/proc/stat"), PATIENCE).exitCode() != 0) {
            throw new HostException("no host metrics of " + host.name() + ": it has no /proc/stat, so it is no Linux");
        }
        HostProcess process = host.start(new ProcessSpec(
                "host metrics of " + host.name(),
                List.of(
                        "sh",
                        "-c",
                        BundledText.of(MetricsCollector.class, "snapshots.sh"),
                        "gatebench-metrics",
                        directory + "/" + PIDS,
                        host.isLocal() ? String.valueOf(ProcessHandle.current().pid()) : "0"),
                Map.of(),
                directory));
        return new MetricsCollector(
                host,
                directory,
                pid -> host.run(
                        List.of("sh", "-c", "echo \"$1\" >>\"$2\"", "sh", String.valueOf(pid), directory + "/" + PIDS),
                        PATIENCE),
                () -> ended(process),
                () -> process.stop(GRACE));
    }

    private static Optional<String> ended(HostProcess process) {
        try {
            return process.isAlive()
                    ? Optional.empty()
                    : Optional.of("the host metrics ended early"
                            + process.whyEnded()
                                    .map(why -> ": " + why)
                                    .or(() -> process.exitCode().stream()
                                            .mapToObj(code -> " (exit code " + code + ")")
                                            .findFirst())
                                    .orElse(""));
        } catch (HostException e) {
            // That the host is not reached is said where its files are fetched.
            return Optional.empty();
        }
    }

    private static MetricsCollector here(Host host, String directory) {
        try {
            LocalSnapshots snapshots = new LocalSnapshots(Path.of(directory, FILE));
            return new MetricsCollector(host, directory, snapshots::watch, Optional::empty, snapshots::close);
        } catch (IOException e) {
            throw new HostException("no host metrics: " + directory + " cannot be written: " + e.getMessage(), e);
        }
    }

    /** Collects the counters of a process and of all that it starts too, from the next snapshot on. */
    public void watch(long pid) {
        watch.accept(pid);
    }

    /** Returns the host. */
    public Host host() {
        return host;
    }

    /** Returns the directory on the host. */
    public String directory() {
        return directory;
    }

    /** Returns in words that the collecting ended by itself, or by another's hand, before it was stopped; empty if it did not. */
    public Optional<String> problem() {
        return closed ? problem : ended.get();
    }

    /** Stops collecting; does nothing the second time. */
    @Override
    public void close() {
        if (!closed) {
            problem = ended.get();
            closed = true;
            stop.run();
        }
    }
}
