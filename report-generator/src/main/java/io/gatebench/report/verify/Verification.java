/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.gatebench.report.column.Numbers;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.render.Checksums;
import io.gatebench.report.results.CaseChecksums;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.results.StoredResult;

/**
 * Says whether Markdown, CSV, charts and HTML of a report belong to the same measured data.
 *
 * <p>Two questions are asked. Are the files those that {@code checksums.json} names, made from the measured data that
 * lie there? And do the rows of {@code summary.md} hold the figures of {@code summary.csv}? The second can be asked of a
 * publication of the predecessor as well, which has no checksums.
 *
 * @param checks the single answers
 */
public record Verification(List<Check> checks) {

    private static final int MAX_DIFFERENCES = 200;

    /** Findings of a check. */
    public enum Result {
        /** As it should be. */
        OK,
        /** Changed, missing or contradicting. */
        FAILED,
        /** Could not be asked. */
        UNKNOWN
    }

    /**
     * One answer.
     *
     * @param subject what was checked: {@code measured data}, {@code cases}, {@code Markdown}, {@code CSV}, {@code charts}, {@code HTML},
     *     {@code other files} or {@code rows}
     * @param result the answer
     * @param details what is wrong, with file names and lines, or what was compared
     */
    public record Check(String subject, Result result, List<String> details) {

        /** Copies the list. */
        public Check {
            details = List.copyOf(details);
        }
    }

    /** Copies the list. */
    public Verification {
        checks = List.copyOf(checks);
    }

    /** Returns whether nothing failed and something could be asked. */
    public boolean passed() {
        return checks.stream().noneMatch(check -> check.result() == Result.FAILED)
                && checks.stream().anyMatch(check -> check.result() == Result.OK);
    }

    /**
     * Checks a report.
     *
     * @param report the directory of the report
     * @param results the results directory, if the report lies elsewhere
     * <p>A report without {@code checksums.json} does not pass, whatever its rows say.
     *
     * @throws ReportException if there is neither {@code checksums.json} nor a pair of CSV and Markdown
     */
    public static Verification of(Path report, Optional<Path> results) {
        List<Check> checks = new ArrayList<>();
        if (Files.isRegularFile(report.resolve(Checksums.FILE))) {
            ExpectedSums expected = ExpectedSums.read(report);
            checks.add(measured(expected, results.orElse(report), report));
            checks.addAll(seals(results.orElse(report)));
            checks.addAll(files(expected, report));
        } else if (!hasBoth(report)) {
            throw new ReportException(report + " holds neither " + Checksums.FILE
                    + " nor summary.csv and summary.md; name the directory of a report");
        } else {
            checks.add(new Check(
                    "checksums",
                    Result.FAILED,
                    List.of("there is no " + Checksums.FILE
                            + ": nobody can say whether the files are those that were written")));
            checks.addAll(seals(results.orElse(report)));
        }
        if (hasBoth(report)) {
            try {
                checks.add(rows(report));
            } catch (ReportException e) {
                checks.add(new Check("rows", Result.FAILED, List.of(String.valueOf(e.getMessage()))));
            }
        }
        return new Verification(checks);
    }

    private static boolean hasBoth(Path report) {
        return Files.isRegularFile(report.resolve("summary.csv")) && Files.isRegularFile(report.resolve("summary.md"));
    }

    private static Check measured(ExpectedSums expected, Path results, Path report) {
        if (!ResultsDirectory.isResultsDirectory(results)) {
            return new Check(
                    "measured data",
                    Result.UNKNOWN,
                    List.of("there are none in " + results + "; name the results directory"));
        }
        Map<String, String> actual = new TreeMap<>(Checksums.measured(results));
        Path inside = results.toAbsolutePath()
                .normalize()
                .relativize(report.toAbsolutePath().normalize());
        if (!inside.toString().isEmpty() && !inside.startsWith("..")) {
            actual.keySet().removeIf(path -> Path.of(path).startsWith(inside));
        }
        List<String> details = new ArrayList<>();
        if (!Checksums.dataDigest(expected.measured()).equals(expected.digest())) {
            details.add(Checksums.FILE + ": its digest is not that of the files it lists");
        }
        new TreeMap<>(expected.measured()).forEach((path, sum) -> {
            String own = actual.get(path);
            if (own == null) {
                details.add(path + " is missing");
            } else if (!own.equals(sum)) {
                details.add(path + " was changed after the report was made");
            }
        });
        actual.keySet().stream()
                .filter(path -> !expected.measured().containsKey(path))
                .sorted()
                .forEach(path -> details.add(path + " was measured after the report was made"));
        return details.isEmpty()
                ? new Check("measured data", Result.OK, List.of(actual.size() + " files, digest " + expected.digest()))
                : new Check("measured data", Result.FAILED, details);
    }

    /** A report that was made again has checksums of its own; those of the cases are from the run. */
    private static List<Check> seals(Path results) {
        if (!ResultsDirectory.isResultsDirectory(results)) {
            return List.of();
        }
        List<String> details = new ArrayList<>();
        int cases;
        try {
            ResultsDirectory directory = ResultsDirectory.open(results);
            details.addAll(directory.infoChanges());
            List<StoredResult> stored = directory.stored((result, all) ->
                    new StoredResult(result.directory(), result.result().withoutSeries(), result.changes()));
            cases = stored.size();
            for (StoredResult result : stored) {
                String where = results.relativize(result.directory()).toString().replace('\\', '/');
                if (CaseChecksums.isIn(result.directory())) {
                    result.changes().forEach(change -> details.add(where + ": " + change));
                } else {
                    details.add(where + ": its " + CaseChecksums.FILE + " is missing");
                }
            }
            directory.deleted().forEach(name -> details.add(name + " was measured, and has no result now"));
        } catch (ReportException e) {
            return List.of(new Check("cases", Result.FAILED, List.of(String.valueOf(e.getMessage()))));
        }
        return List.of(
                details.isEmpty()
                        ? new Check("cases", Result.OK, List.of(cases + " as they were measured"))
                        : new Check("cases", Result.FAILED, details));
    }

    private static List<Check> files(ExpectedSums expected, Path report) {
        Map<String, List<String>> wrong = new LinkedHashMap<>();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String subject : List.of("Markdown", "CSV", "charts", "HTML", "other files")) {
            wrong.put(subject, new ArrayList<>());
            counts.put(subject, 0);
        }
        new TreeMap<>(expected.files()).forEach((path, sum) -> {
            String subject = subject(path);
            counts.merge(subject, 1, Integer::sum);
            Path file = report.resolve(path).normalize();
            if (!file.startsWith(report.normalize())) {
                wrong.get(subject).add(path + " leads out of the directory");
            } else if (!Files.isRegularFile(file)) {
                wrong.get(subject).add(path + " is missing");
            } else if (!Checksums.digest(file).equals(sum)) {
                wrong.get(subject).add(path + " was changed, or belongs to other data");
            }
        });
        for (String chart : charts(report)) {
            if (!expected.files().containsKey(chart)) {
                counts.merge("charts", 1, Integer::sum);
                wrong.get("charts").add(chart + " is none of this report");
            }
        }
        List<Check> checks = new ArrayList<>();
        counts.forEach((subject, count) -> {
            if (count == 0) {
                return;
            }
            List<String> details = wrong.get(subject);
            checks.add(
                    details.isEmpty()
                            ? new Check(subject, Result.OK, List.of(count + (count == 1 ? " file" : " files")))
                            : new Check(subject, Result.FAILED, details));
        });
        return checks;
    }

    private static List<String> charts(Path report) {
        Path directory = report.resolve("charts");
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> "charts/" + file.getFileName())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new ReportException("cannot list " + directory + ": " + e.getMessage(), e);
        }
    }

    private static String subject(String path) {
        String name = path.toLowerCase(Locale.ROOT);
        if (name.startsWith("charts/") || name.endsWith(".png") || name.endsWith(".svg") || name.equals("charts.csv")) {
            return "charts";
        }
        if (name.endsWith(".md")) {
            return "Markdown";
        }
        if (name.endsWith(".csv")) {
            return "CSV";
        }
        return name.endsWith(".html") ? "HTML" : "other files";
    }

    /** Compares the rows of both tables in their order, every column that both have. */
    private static Check rows(Path report) {
        ResultsImporter reader = new ResultsImporter();
        ImportedRun csv = reader.read(report.resolve("summary.csv"));
        ImportedRun markdown = reader.read(report.resolve("summary.md"));
        List<String> details = new ArrayList<>();
        if (csv.rows().size() != markdown.rows().size()) {
            details.add("summary.csv holds " + csv.rows().size() + " rows, summary.md "
                    + markdown.rows().size());
        }
        Map<String, ResultRow> byKey = new LinkedHashMap<>();
        csv.rows().forEach(row -> byKey.put(row.key().matching().text() + "#" + row.repeat(), row));
        int compared = 0;
        for (ResultRow row : markdown.rows()) {
            ResultRow other = byKey.get(row.key().matching().text() + "#" + row.repeat());
            if (other == null) {
                details.add(row.where() + ": " + row.key().text() + " is not in summary.csv");
                continue;
            }
            compared++;
            row.cells().forEach((column, cell) -> {
                String wide = other.cells().get(column);
                if (wide != null && !same(cell, wide)) {
                    details.add(row.where() + ": " + column + " is '" + cell + "', in " + other.where() + " '" + wide
                            + "'");
                }
            });
        }
        csv.problems().forEach(problem -> details.add(problem.toString()));
        markdown.problems().stream()
                .filter(problem -> problem.line() > 0)
                .forEach(problem -> details.add(problem.toString()));
        if (details.size() > MAX_DIFFERENCES) {
            int more = details.size() - MAX_DIFFERENCES;
            details.subList(MAX_DIFFERENCES, details.size()).clear();
            details.add("and " + more + " more");
        }
        return details.isEmpty()
                ? new Check(
                        "rows", Result.OK, List.of(compared + " rows of summary.md hold the figures of summary.csv"))
                : new Check("rows", Result.FAILED, details);
    }

    private static boolean same(String left, String right) {
        if (left.strip().equals(right.strip())) {
            return true;
        }
        OptionalDouble a = Numbers.parse(left);
        OptionalDouble b = Numbers.parse(right);
        return a.isPresent() && b.isPresent() && a.getAsDouble() == b.getAsDouble();
    }
}
