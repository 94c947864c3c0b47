/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.nio.file.Path;
import java.util.List;

import io.gatebench.model.TestCaseResult;

/**
 * A result and where its measured data lie.
 *
 * @param directory the directory of the case, in which the paths of the result are resolved
 * @param result the result
 * @param changes what is not as it was when the case was finished, in words; empty if all is
 * @since 0.1
 */
public record StoredResult(Path directory, TestCaseResult result, List<String> changes) {

    /** Copies the list. */
    public StoredResult {
        changes = List.copyOf(changes);
    }
}
