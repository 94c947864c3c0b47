/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatebench.gc.GcEvent;
import io.gatebench.gc.GcLogAnalyzer;
import io.gatebench.gc.GcLogException;
import io.gatebench.gc.GcLogOptions;
import io.gatebench.report.ab.AbFigure;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.role.RoleProcess;

/**
 * Bytes that a JVM of this machine allocates from a look at its heap to a later one: what is used more, and what its collections
 * freed in between by its GC log. Known for the collectors that free memory in pauses alone: Serial, Parallel and G1.
 *
 * @param process the JVM
 * @param at when its heap was looked at first
 * @param usedBytes what was used then
 */
record Allocation(RoleProcess process, Instant at, long usedBytes) {

    private static final Duration LOOK = Duration.ofSeconds(20);
    /**
     * The lines of a heap, one for each generation, but not those of its parts, of metaspace and of ZGC. JDK 25 indents them no
     * more and names the generations of Serial anew.
     */
    private static final Pattern USED =
            Pattern.compile("(?m)^ ?(?:garbage-first heap|def new generation|tenured generation|DefNew|Tenured"
                    + "|PSYoungGen|ParOldGen)\\s.*\\bused (\\d+)K");

    private static final long KIBIBYTE = 1024;

    /** Looks at the heaps of those gateways that can be asked. */
    static Map<Side, Allocation> begin(Map<Side, RunningGateway> running, Clock clock) {
        Map<Side, Allocation> begun = new EnumMap<>(Side.class);
        running.forEach((side, gateway) -> gateway.process()
                .filter(process ->
                        process.notJvm().isEmpty() && process.host().isLocal() && Files.isRegularFile(log(process)))
                .ifPresent(process -> used(process)
                        .ifPresent(bytes -> begun.put(side, new Allocation(process, clock.instant(), bytes)))));
        return begun;
    }

    /**
     * Looks again and shares out what was allocated since.
     *
     * @param answers how many answers each gateway gave since the first look
     */
    static Map<Side, Map<AbFigure, Double>> perRequest(
            Map<Side, Allocation> begun, Map<Side, Long> answers, Clock clock) {
        Map<Side, Map<AbFigure, Double>> figures = new EnumMap<>(Side.class);
        begun.forEach((side, allocation) -> {
            OptionalLong bytes = allocation.untilNow(clock);
            long shares = answers.getOrDefault(side, 0L);
            if (bytes.isPresent() && bytes.getAsLong() > 0 && shares > 0) {
                figures.put(side, Map.of(AbFigure.ALLOCATION_PER_REQUEST, (double) bytes.getAsLong() / shares));
            }
        });
        return figures;
    }

    private OptionalLong untilNow(Clock clock) {
        OptionalLong used = used(process);
        if (used.isEmpty()) {
            return OptionalLong.empty();
        }
        long begin = at.toEpochMilli();
        long end = clock.instant().toEpochMilli();
        long bytes = used.getAsLong() - usedBytes;
        try {
            for (GcEvent event : GcLogAnalyzer.events(List.of(log(process)), GcLogOptions.defaults())) {
                if (event.pauseMillis().isEmpty() || event.heapBeforeBytes().isEmpty()) {
                    continue;
                }
                if (event.epochMillis().isEmpty() || event.heapAfterBytes().isEmpty()) {
                    return OptionalLong.empty();
                }
                long time = event.epochMillis().getAsLong();
                if (time >= begin && time <= end) {
                    bytes += event.heapBeforeBytes().getAsLong()
                            - event.heapAfterBytes().getAsLong();
                }
            }
        } catch (GcLogException e) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(bytes);
    }

    private static Path log(RoleProcess process) {
        return Path.of(process.directory(), RoleProcess.GC_LOG);
    }

    private static OptionalLong used(RoleProcess process) {
        try {
            CommandResult answer = Jcmd.run(process, LOOK, "GC.heap_info");
            return answer.exitCode() == 0 ? usedIn(answer.output()) : OptionalLong.empty();
        } catch (HostException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns what is used by the answer to {@code jcmd GC.heap_info}; empty for a collector that is not known. */
    static OptionalLong usedIn(String heapInfo) {
        Matcher lines = USED.matcher(heapInfo);
        long kibibytes = 0;
        boolean known = false;
        while (lines.find()) {
            kibibytes += Long.parseLong(lines.group(1));
            known = true;
        }
        return known ? OptionalLong.of(kibibytes * KIBIBYTE) : OptionalLong.empty();
    }
}
