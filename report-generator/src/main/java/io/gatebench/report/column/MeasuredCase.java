/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

import java.util.List;
import java.util.Optional;

import io.gatebench.model.GcSummary;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCaseResult;

/**
 * One row before it is text: what the samples of one label came to in one measured case.
 *
 * @param info the head of the run
 * @param result the measured case
 * @param statistics the samples of the label
 * @param times the response times that the row shows
 * @param repeats all results of the run, from which columns over the repeats of the case are made
 * @since 0.1
 */
public record MeasuredCase(
        RunManifest info,
        TestCaseResult.Completed result,
        SampleStatistics statistics,
        ResponseTimes times,
        List<? extends TestCaseResult> repeats) {

    /** Copies the results. */
    public MeasuredCase {
        repeats = List.copyOf(repeats);
    }

    /** Returns the row of the exact response times. */
    public static MeasuredCase exact(
            RunManifest info,
            TestCaseResult.Completed result,
            SampleStatistics statistics,
            List<? extends TestCaseResult> repeats) {
        return new MeasuredCase(info, result, statistics, statistics.all(), repeats);
    }

    /** Returns the garbage collections of the gateway, or of its worst replica, if there was one and a log of it. */
    public Optional<GcSummary> gatewayGc() {
        return WholeGateway.of(result.processes()).flatMap(ProcessReport::gc);
    }
}
