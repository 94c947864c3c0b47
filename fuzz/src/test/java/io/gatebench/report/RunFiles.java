/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.gatebench.fuzz.InputFile;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;

/** The results directory of a run of one test case, made of two files of which one is foreign. */
final class RunFiles {

    private static final Map<String, byte[]> SEEDS = new ConcurrentHashMap<>();

    private RunFiles() {}

    static byte[] seed(String name) {
        return SEEDS.computeIfAbsent(name, RunFiles::bytes);
    }

    private static byte[] bytes(String name) {
        try {
            return Files.readAllBytes(Path.of("src/test/corpus", name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void read(byte[] info, byte[] result) {
        Path run = InputFile.of(info, "run/run.json").getParent();
        InputFile.of(result, "run/passthrough/512M_heap/2_users/50B/0ms_sleep/result.json");
        try {
            ReportGenerator.table(ResultsDirectory.open(run), ReportOptions.defaults());
        } catch (ReportException e) {
            // It says what is wrong.
        }
        ImporterTarget.read(run);
    }
}
