/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.IOException;
import java.nio.file.Path;

import com.microsoft.gctoolkit.GCToolKit;
import com.microsoft.gctoolkit.aggregator.Aggregates;
import com.microsoft.gctoolkit.aggregator.Aggregation;
import com.microsoft.gctoolkit.aggregator.Aggregator;
import com.microsoft.gctoolkit.aggregator.Collates;
import com.microsoft.gctoolkit.aggregator.EventSource;
import com.microsoft.gctoolkit.event.g1gc.G1GCPauseEvent;
import com.microsoft.gctoolkit.event.generational.GenerationalGCPauseEvent;
import com.microsoft.gctoolkit.io.SingleGCLogFile;

/** The pauses of a log as GCToolkit reads them. */
@Collates(ToolkitPauses.Collector.class)
public final class ToolkitPauses extends Aggregation {

    private int count;
    private double seconds;

    /** Reads a log with GCToolkit. */
    static ToolkitPauses of(Path log) throws IOException {
        GCToolKit toolkit = new GCToolKit();
        toolkit.loadAggregation(new ToolkitPauses());
        return toolkit.analyze(new SingleGCLogFile(log))
                .getAggregation(ToolkitPauses.class)
                .orElseThrow();
    }

    int count() {
        return count;
    }

    double seconds() {
        return seconds;
    }

    private void add(double duration) {
        count++;
        seconds += duration;
    }

    @Override
    public boolean hasWarning() {
        return false;
    }

    @Override
    public boolean isEmpty() {
        return count == 0;
    }

    /** Feeds the events in. */
    @Aggregates({EventSource.G1GC, EventSource.GENERATIONAL, EventSource.CMS_UNIFIED, EventSource.TENURED})
    public static final class Collector extends Aggregator<ToolkitPauses> {
        /** Called by GCToolkit. */
        public Collector(ToolkitPauses pauses) {
            super(pauses);
            register(G1GCPauseEvent.class, event -> pauses.add(event.getDuration()));
            register(GenerationalGCPauseEvent.class, event -> pauses.add(event.getDuration()));
        }
    }
}
