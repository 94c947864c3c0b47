/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.gatebench.report.importer.ImportedRun.Problem;
import io.gatebench.report.results.NaturalOrder;
import io.gatebench.report.results.ReportException;

/**
 * Many runs in one directory: each results directory, CSV or Markdown document in it is a run.
 *
 * @param runs the runs in natural order of their names, named by file or directory
 * @param problems entries that are no run, and what was wrong inside the runs
 */
public record History(List<ImportedRun> runs, List<Problem> problems) {

    private static final int MAX_RUNS = 10_000;

    /** Copies the lists. */
    public History {
        runs = List.copyOf(runs);
        problems = List.copyOf(problems);
    }

    /**
     * Reads all runs of a directory. Entries that begin with a dot are skipped.
     *
     * @throws ReportException if it is not a directory or cannot be listed
     */
    public static History read(Path directory, ResultsImporter reader) {
        if (!Files.isDirectory(directory)) {
            throw new ReportException(directory + ": is not a directory of runs");
        }
        List<Path> entries = new ArrayList<>();
        try (Stream<Path> children = Files.list(directory)) {
            children.filter(History::mayBeRun).limit(MAX_RUNS).forEach(entries::add);
        } catch (IOException e) {
            throw new ReportException(directory + ": cannot be listed: " + e.getMessage(), e);
        }
        entries.sort((a, b) -> NaturalOrder.INSTANCE.compare(name(a), name(b)));
        List<ImportedRun> runs = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        for (Path entry : entries) {
            try {
                ImportedRun run = reader.read(entry);
                runs.add(new ImportedRun(name(entry), run.format(), run.rows(), run.problems(), run.notes()));
                run.problems()
                        .forEach(problem -> problems.add(
                                new Problem(name(entry) + "/" + problem.file(), problem.line(), problem.text())));
            } catch (ReportException e) {
                problems.add(new Problem(name(entry), 0, "was not read as a run: " + e.getMessage()));
            }
        }
        return new History(runs, problems);
    }

    private static boolean mayBeRun(Path entry) {
        String name = name(entry).toLowerCase(Locale.ROOT);
        return !name.startsWith(".")
                && (Files.isDirectory(entry)
                        || name.endsWith(".csv")
                        || name.endsWith(".md")
                        || name.endsWith(".markdown")
                        || name.endsWith(".zip")
                        || name.endsWith(".jtl")
                        || name.endsWith(".json")
                        || name.endsWith(".txt"));
    }

    private static String name(Path path) {
        Path name = path.getFileName();
        return name == null ? path.toString() : name.toString();
    }
}
