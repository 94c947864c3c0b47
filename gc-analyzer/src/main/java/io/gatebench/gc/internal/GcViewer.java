/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc.internal;

import java.nio.file.Path;
import java.util.List;

/** Reads GC logs as GCViewer does; safe for use by several threads. */
public interface GcViewer {

    /** Returns the GCViewer of the class path, or else the one that lies as a jar inside the program's jar. */
    static GcViewer get() {
        return NestedGcViewer.Loaded.GC_VIEWER;
    }

    /**
     * Reads a log.
     *
     * @param files oldest first; several are read as one series
     * @param mostBytes how many bytes, unpacked, fit into memory
     * @throws Unreadable if GCViewer cannot make a model of it
     */
    Reading read(List<Path> files, long mostBytes);

    /**
     * Figures of GCViewer, unguarded.
     *
     * @param events number of events of all kinds
     * @param throughputPercent its throughput
     * @param runSeconds its running time
     * @param pauseSeconds its accumulated pause
     * @param pauseCount number of pauses
     * @param fullCount number of full collections
     * @param afterFullCount number of values behind the footprint after full GC
     * @param afterFullMeanBytes mean footprint after full GC
     * @param afterFullDeviationBytes its sample standard deviation
     * @param footprintBytes largest heap
     * @param phases every concurrent phase that ended, of a JDK 8 log
     * @param stops every stop-the-world event, in order, of a JDK 8 log
     * @param warnings what it could not read, at most 100 lines
     */
    record Reading(
            int events,
            double throughputPercent,
            double runSeconds,
            double pauseSeconds,
            int pauseCount,
            int fullCount,
            int afterFullCount,
            double afterFullMeanBytes,
            double afterFullDeviationBytes,
            double footprintBytes,
            List<Phase> phases,
            List<Stop> stops,
            List<String> warnings) {

        /** Copies the lists. */
        public Reading {
            phases = List.copyOf(phases);
            stops = List.copyOf(stops);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * A concurrent phase.
     *
     * @param endSeconds its end by the JVM's uptime
     * @param seconds its length
     */
    record Phase(double endSeconds, double seconds) {}

    /**
     * A stop-the-world event.
     *
     * @param type its name with the cause
     * @param full whether it collected all generations
     * @param initialMark whether it is an initial mark
     * @param remark whether it is a remark
     * @param startSeconds start by the JVM's uptime
     * @param epochMillis start by the wall clock, {@link Long#MIN_VALUE} if the log has none
     * @param pauseSeconds length
     * @param beforeBytes heap used before, -1 if unknown
     * @param afterBytes heap used after, -1 if unknown
     * @param capacityBytes heap size, -1 if unknown
     * @param oldBeforeBytes old generation used before, -1 if unknown
     * @param oldAfterBytes old generation used after, -1 if unknown
     */
    record Stop(
            String type,
            boolean full,
            boolean initialMark,
            boolean remark,
            double startSeconds,
            long epochMillis,
            double pauseSeconds,
            long beforeBytes,
            long afterBytes,
            long capacityBytes,
            long oldBeforeBytes,
            long oldAfterBytes) {}

    /** GCViewer could not read the log. */
    final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** Says why. */
        public Unreadable(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
