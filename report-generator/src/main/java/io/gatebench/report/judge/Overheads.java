/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import java.util.Optional;

import io.gatebench.model.TestCaseResult;

/** Overheads of a run's rows, made while the series were at hand that their intervals need. */
@FunctionalInterface
public interface Overheads {

    /** Returns the overhead of a result, for the label of one of its rows; empty without a control run. */
    Optional<Overhead> of(TestCaseResult.Completed result, String label);
}
