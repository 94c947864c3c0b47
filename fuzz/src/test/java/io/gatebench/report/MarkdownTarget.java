/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import io.gatebench.fuzz.InputFile;

/** Published Markdown. */
public final class MarkdownTarget {

    private MarkdownTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        ImporterTarget.read(InputFile.of(bytes, "summary.md"));
    }
}
