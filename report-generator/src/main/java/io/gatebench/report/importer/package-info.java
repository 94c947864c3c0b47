/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads result files of any origin into one neutral row: the predecessor's results directory, wide CSVs, published
 * Markdown tables and our own results directory. Entry type: {@link io.gatebench.report.importer.ResultsImporter}.
 */
@NullMarked
package io.gatebench.report.importer;

import org.jspecify.annotations.NullMarked;
