/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.maven;

import java.io.File;
import java.nio.file.Path;

import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

import io.gatebench.report.Report;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.results.ResultsDirectory;

/** Makes the report of a run again, with other columns, charts or templates. */
@Mojo(name = "report", defaultPhase = LifecyclePhase.VERIFY, requiresProject = false, threadSafe = true)
public final class ReportMojo extends GatebenchMojo {

    /** The results directory of the run; the last one in the directory of results unless set. */
    @Parameter(property = "gatebench.run")
    private @Nullable File run;

    /** Directory to write to; the results directory itself unless set. */
    @Parameter(property = "gatebench.report")
    private @Nullable File out;

    /** Columns of the CSV: PUBLISHED, or ALL with our own behind them. */
    @Parameter(property = "gatebench.columns", defaultValue = "PUBLISHED")
    private ReportOptions.Columns columns;

    /** Response times as recorded, EXACT, or rounded as past releases did, WSO2. */
    @Parameter(property = "gatebench.statistics", defaultValue = "EXACT")
    private ReportOptions.Statistics statistics;

    /** Charts: NONE, those that say something about this run, STANDARD, or all that were ever PUBLISHED. */
    @Parameter(property = "gatebench.charts", defaultValue = "STANDARD")
    private ReportOptions.Charts charts;

    /** Templates that replace the built-in ones of the same name. */
    @Parameter(property = "gatebench.templates")
    private @Nullable File templates;

    /** An earlier run that the page says the changes since. */
    @Parameter(property = "gatebench.baseline")
    private @Nullable File baseline;

    @Override
    void work() {
        ReportOptions options = ReportOptions.defaults()
                .withColumns(columns)
                .withStatistics(statistics)
                .withCharts(charts);
        if (templates != null) {
            options = options.withTemplates(templates.toPath());
        }
        if (baseline != null) {
            options = options.withBaseline(baseline.toPath());
        }
        Path input = run(run);
        Report report =
                ReportGenerator.generate(ResultsDirectory.open(input), out == null ? input : out.toPath(), options);
        report.warnings().forEach(getLog()::warn);
        getLog().info("Report: " + report.directory().resolve("index.html"));
    }
}
