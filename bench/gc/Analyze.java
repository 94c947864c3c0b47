/* SPDX-License-Identifier: Apache-2.0 */
import java.nio.file.Path;
import java.util.List;

import io.gatebench.gc.GcLogAnalyzer;
import io.gatebench.gc.GcLogOptions;
import io.gatebench.model.GcSummary;

/** One analysis in a JVM of its own, as the peers are measured. */
public final class Analyze {
    private Analyze() {}

    /** Argument: the log. */
    public static void main(String[] arguments) {
        GcSummary s = GcLogAnalyzer.analyze(
                List.of(Path.of(arguments[0])), GcLogOptions.defaults().withoutCompat());
        System.out.println("pauses " + s.exact().pauseCount().value().orElse(-1) + " throughput " + s.exact().gcThroughputPercent().value().orElse(-1));
    }
}
