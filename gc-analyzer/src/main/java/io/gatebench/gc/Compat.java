/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.gatebench.gc.internal.GcViewer;
import io.gatebench.gc.internal.GcViewer.Reading;
import io.gatebench.model.GcStatistics;
import io.gatebench.model.MeasuredValue;

/** The figures by the formulas of the published documents: GCViewer's, where its reading can be trusted. */
final class Compat {

    /** GCViewer keeps every event: what it reads may be a third of the heap that is free. */
    private static final int HEAP_FACTOR = 3;

    /** Factor by which a packed log grows, at most, in practice. */
    private static final int PACKING = 20;

    private Compat() {}

    /**
     * Reads the files with GCViewer and checks what it says against our own count of pauses.
     *
     * @param pauses number of pauses in the whole log by our own reading
     * @param runs number of JVM starts in the log
     */
    static GcStatistics of(List<LogFile> files, long pauses, int runs) {
        if (runs > 1) {
            return GcStatistics.absent("the log holds " + runs + " JVM starts, which GCViewer would mix");
        }
        try {
            List<Path> paths = files.stream().map(LogFile::path).toList();
            return guarded(GcViewer.get().read(paths, mostBytes()), pauses);
        } catch (GcViewer.Unreadable e) {
            return GcStatistics.absent("GCViewer cannot read this log: " + e.getMessage());
        }
    }

    /** Returns why the files of a JDK 8 log do not fit into GCViewer's memory, if so. */
    static Optional<String> tooLarge(List<LogFile> files) {
        long bytes = 0;
        try {
            for (LogFile file : files) {
                boolean packed = file.path().toString().endsWith(".gz");
                bytes += Files.size(file.path()) * (packed ? PACKING : 1);
            }
        } catch (IOException e) {
            return Optional.of("the size of the log could not be read: " + e.getMessage());
        }
        return bytes <= mostBytes()
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "GCViewer keeps every event in memory: for a log of %d MiB this JVM needs a heap of %d MiB (-Xmx)",
                        bytes >> 20,
                        (bytes >> 20) * (HEAP_FACTOR + 1)));
    }

    /** Returns how large a log, unpacked, may be for GCViewer here. */
    static long mostBytes() {
        Runtime runtime = Runtime.getRuntime();
        return (runtime.maxMemory() - (runtime.totalMemory() - runtime.freeMemory())) / HEAP_FACTOR;
    }

    /** Lets through what GCViewer says only where nothing contradicts it. */
    static GcStatistics guarded(Reading reading, long pauses) {
        if (reading.events() == 0 || reading.pauseCount() == 0) {
            return GcStatistics.absent("GCViewer found no collection in this log");
        }
        if (reading.pauseCount() != pauses) {
            return GcStatistics.absent(String.format(
                    Locale.ROOT,
                    "GCViewer understood %d of %d pauses, so that its figures would be wrong",
                    reading.pauseCount(),
                    pauses));
        }
        if (!Double.isFinite(reading.pauseSeconds()) || !Double.isFinite(reading.footprintBytes())) {
            return GcStatistics.absent("GCViewer read a number of this log as infinite");
        }
        MeasuredValue run = reading.runSeconds() > 0 && Double.isFinite(reading.runSeconds())
                ? MeasuredValue.of(reading.runSeconds())
                : MeasuredValue.absent("GCViewer found no run time");
        MeasuredValue throughput;
        if (reading.pauseCount() < 2) {
            throughput = MeasuredValue.absent(
                    "the published formula needs two pauses: with one it gives 0 % whatever the truth is");
        } else if (reading.throughputPercent() >= 0 && reading.throughputPercent() <= 100) {
            throughput = MeasuredValue.of(reading.throughputPercent());
        } else {
            throughput = MeasuredValue.absent("GCViewer's throughput is not between 0 and 100 %");
        }
        String noFull = "GCViewer found no full GC";
        boolean full = reading.afterFullCount() > 0
                && Double.isFinite(reading.afterFullMeanBytes())
                && Double.isFinite(reading.afterFullDeviationBytes());
        return new GcStatistics(
                throughput,
                run,
                MeasuredValue.of(reading.pauseSeconds()),
                MeasuredValue.of(reading.pauseCount()),
                MeasuredValue.of(reading.fullCount()),
                full ? MeasuredValue.of(reading.afterFullMeanBytes()) : MeasuredValue.absent(noFull),
                full ? MeasuredValue.of(reading.afterFullDeviationBytes()) : MeasuredValue.absent(noFull),
                reading.footprintBytes() > 0
                        ? MeasuredValue.of(reading.footprintBytes())
                        : MeasuredValue.absent("GCViewer found no heap size"));
    }
}
