/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatebench.model.FileDigest;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;

/**
 * Files that a run leaves on disk: {@code run.json} at the root, and one {@code result.json} per executed test case in the
 * established tree {@code <scenario>/<heap>_heap/<users>_users/<size>B/<delay>ms_sleep/[repeat_<n>/]}.
 *
 * <p>Every file is replaced atomically and forced to the disk before a method returns, so that whatever ends the
 * process, a reader finds each result whole or not at all. Instances hold no results in memory; the methods may be
 * called from several threads as long as no two write the same case.
 *
 * @since 0.1
 */
public final class ResultsDirectory {

    /** Name of the file that holds the head of the run. */
    public static final String INFO_FILE = "run.json";

    /** Name of the file that holds the result of one case, in the directory of the case. */
    public static final String RESULT_FILE = "result.json";

    /** Scenario, heap, users, message, delay, processors, memory, repeat, and the file. */
    private static final int DEEPEST_RESULT = 9;

    private final Path root;
    private final ResultsJson json = new ResultsJson();

    private ResultsDirectory(Path root) {
        this.root = root;
    }

    /**
     * Creates a results directory and writes the head of the run.
     *
     * @param root the directory, which must not exist or must be empty
     * @param info the head of the run
     * @throws ReportException if it exists and holds something, or cannot be created
     */
    public static ResultsDirectory create(Path root, RunManifest info) {
        try {
            if (Files.exists(root) && !isEmptyDirectory(root)) {
                throw new ReportException("the results directory " + root
                        + " exists and is not empty; name another one, or continue the run in it with --resume");
            }
            Files.createDirectories(root);
        } catch (IOException e) {
            throw new ReportException("cannot create the results directory " + root + ": " + AtomicFiles.reason(e), e);
        }
        ResultsDirectory directory = new ResultsDirectory(root);
        directory.writeInfo(info);
        return directory;
    }

    /**
     * Opens the results directory of a run.
     *
     * @throws ReportException if it is not one
     */
    public static ResultsDirectory open(Path root) {
        if (!Files.isDirectory(root)) {
            throw new ReportException("there is no results directory " + root);
        }
        if (!Files.isRegularFile(root.resolve(INFO_FILE))) {
            throw new ReportException(root + " is not a results directory: it holds no " + INFO_FILE);
        }
        return new ResultsDirectory(root);
    }

    /** Returns whether a directory looks like the results directory of a run. */
    public static boolean isResultsDirectory(Path root) {
        return Files.isRegularFile(root.resolve(INFO_FILE));
    }

    /** Returns the root. */
    public Path root() {
        return root;
    }

    /**
     * Reads the head of the run.
     *
     * @throws ReportException if it cannot be read, or a newer version wrote it
     */
    public RunManifest info() {
        Path file = root.resolve(INFO_FILE);
        return json.readInfo(bytes(file), file.toString());
    }

    /**
     * Replaces the head of the run, which is open to changes then until {@link #seal()}.
     *
     * @throws ReportException if it cannot be written
     */
    public void writeInfo(RunManifest info) {
        try {
            Files.deleteIfExists(root.resolve(CaseChecksums.FILE));
        } catch (IOException e) {
            throw new ReportException(
                    "cannot remove " + root.resolve(CaseChecksums.FILE) + ": " + AtomicFiles.reason(e), e);
        }
        AtomicFiles.write(root.resolve(INFO_FILE), json.write(info));
    }

    /**
     * Notes the checksums of the head of a run that has ended, and of those of its cases.
     *
     * @throws ReportException if they cannot be written
     */
    public void seal() {
        Map<String, String> sums = new TreeMap<>();
        try {
            sums.put(INFO_FILE, FileDigest.sha256(root.resolve(INFO_FILE)));
            for (Path file : resultFiles()) {
                Path seal = file.resolveSibling(CaseChecksums.FILE);
                if (Files.isRegularFile(seal)) {
                    sums.put(relative(seal), FileDigest.sha256(seal));
                }
            }
        } catch (IOException e) {
            throw new ReportException("cannot read the results in " + root + ": " + AtomicFiles.reason(e), e);
        }
        CaseChecksums.write(root.resolve(CaseChecksums.FILE), sums);
    }

    /** Returns in words whether the head of the run was changed after its end; nothing if it was not, or has no end. */
    public List<String> infoChanges() {
        String sum = sealed().get(INFO_FILE);
        return sum == null || sum.equals(sumOf(root.resolve(INFO_FILE)))
                ? List.of()
                : List.of(INFO_FILE + " is not what was written");
    }

    /** Returns the cases that were there when the run ended and have no result now, as paths. */
    public List<String> deleted() {
        return sealed().keySet().stream()
                .filter(name -> !name.equals(INFO_FILE))
                .map(name -> Path.of(name).getParent())
                .filter(directory -> directory != null
                        && !Files.isRegularFile(root.resolve(directory).resolve(RESULT_FILE)))
                .map(directory -> directory.toString().replace('\\', '/'))
                .toList();
    }

    private Map<String, String> sealed() {
        Path seal = root.resolve(CaseChecksums.FILE);
        try {
            return Files.isRegularFile(seal) ? CaseChecksums.read(seal) : Map.of();
        } catch (IOException e) {
            throw new ReportException("cannot read " + seal + ": " + AtomicFiles.reason(e), e);
        }
    }

    private static String sumOf(Path file) {
        try {
            return FileDigest.sha256(file);
        } catch (IOException e) {
            throw new ReportException("cannot read " + file + ": " + AtomicFiles.reason(e), e);
        }
    }

    /**
     * Returns the directory of a case, whether it exists or not: {@code <root>/<TestCase.id()>}, and in it {@code
     * repeat_<n>} if the plan has more than one repeat.
     *
     * @param testCase the case
     * @param repeat which repeat, from 1
     * @throws IllegalArgumentException if {@code repeat} is less than 1 or the case's name leaves the root
     */
    public Path caseDirectory(TestCase testCase, int repeat) {
        return caseDirectory(testCase, repeat, info().plan().repeats());
    }

    private Path caseDirectory(TestCase testCase, int repeat, int repeats) {
        if (repeat < 1) {
            throw new IllegalArgumentException("repeat must be at least 1 but was " + repeat);
        }
        Path directory = root.resolve(testCase.id()).normalize();
        if (!directory.startsWith(root.normalize()) || testCase.scenario().contains("..")) {
            throw new IllegalArgumentException("the scenario name '" + testCase.scenario()
                    + "' leads out of the results directory; use letters, digits, '-' and '_'");
        }
        return repeats > 1 ? directory.resolve("repeat_" + repeat) : directory;
    }

    /**
     * Writes the result of a case into its directory, replacing an earlier one.
     *
     * @throws ReportException if it cannot be written
     */
    public void write(TestCaseResult result) {
        AtomicFiles.write(caseDirectory(result.testCase(), result.repeat()).resolve(RESULT_FILE), json.write(result));
    }

    /**
     * Reads the result of a case, if there is one.
     *
     * @throws ReportException if there is one that cannot be read
     */
    public Optional<TestCaseResult> result(TestCase testCase, int repeat) {
        Path file = caseDirectory(testCase, repeat).resolve(RESULT_FILE);
        return Files.isRegularFile(file)
                ? Optional.of(json.readResult(bytes(file), file.toString()))
                : Optional.empty();
    }

    /**
     * Reads all results in natural order of their paths, as published tables are sorted.
     *
     * @throws ReportException if one of them cannot be read
     */
    public List<TestCaseResult> results() {
        return resultFiles().parallelStream().map(this::read).toList();
    }

    /**
     * Reads all results without their series, in natural order of their paths; no more of these are in memory at a time than
     * there are processors.
     *
     * @throws ReportException if one of them cannot be read
     */
    public List<TestCaseResult> withoutSeries() {
        return resultFiles().parallelStream()
                .map(file -> read(file).withoutSeries())
                .toList();
    }

    /**
     * Reads all results with the directories they lie in, in natural order of their paths, and holds every file of each
     * case against its checksums.
     *
     * <p>Where no case has checksums, none is called changed: whoever wrote them did not write any.
     *
     * @throws ReportException if one of them cannot be read
     */
    public List<StoredResult> stored() {
        return stored((result, all) -> result);
    }

    /**
     * Reads all results as {@link #stored()} does, and returns what is kept of each. No more results are in memory at a time than
     * there are processors.
     *
     * @param keep makes what is kept of a result, given how many there are; may be called by several threads
     * @throws ReportException if one of them cannot be read
     */
    public <T> List<T> stored(BiFunction<StoredResult, Integer, T> keep) {
        List<Path> files = resultFiles();
        Function<Path, StoredResult> reader = reader(files);
        return files.parallelStream()
                .map(file -> keep.apply(reader.apply(file), files.size()))
                .toList();
    }

    /**
     * Reads all results as {@link #stored()} does, writes the head and all of them as one JSON document, and returns what is kept of
     * each. No more than a few results are in memory at a time.
     *
     * @param info the head
     * @param out where to; stays open
     * @param keep makes what is kept of a result, given how many there are; may be called by several threads
     * @throws IOException if it cannot be written
     * @throws ReportException if one of them cannot be read
     */
    public <T> List<T> writeWhole(RunManifest info, OutputStream out, BiFunction<StoredResult, Integer, T> keep)
            throws IOException {
        record Read<T>(T kept, byte[] form) {}
        List<Path> files = resultFiles();
        Function<Path, StoredResult> reader = reader(files);
        List<T> kept = new ArrayList<>();
        WholeJson whole = json.whole(info, out);
        InOrder.forEach(
                files,
                file -> {
                    StoredResult stored = reader.apply(file);
                    return new Read<>(keep.apply(stored, files.size()), json.form(stored.result()));
                },
                read -> {
                    whole.add(read.form());
                    kept.add(read.kept());
                });
        whole.end();
        return kept;
    }

    private Function<Path, StoredResult> reader(List<Path> files) {
        Map<String, String> ofRun = sealed();
        boolean sealed = !ofRun.isEmpty() || files.stream().anyMatch(file -> CaseChecksums.isIn(file.getParent()));
        int repeats = info().plan().repeats();
        return file -> stored(file.getParent(), read(file), repeats, sealed, ofRun);
    }

    /**
     * Returns in words which cases of the plan have no result.
     *
     * @param info the head
     * @param results the results that there are
     */
    public static List<String> missing(RunManifest info, List<TestCaseResult> results) {
        Set<String> there = results.stream()
                .map(result -> name(info, result.testCase(), result.repeat()))
                .collect(Collectors.toSet());
        List<String> missing = new ArrayList<>();
        for (int repeat = 1; repeat <= info.plan().repeats(); repeat++) {
            for (TestCase testCase : info.plan().testCases()) {
                String name = name(info, testCase, repeat);
                if (!there.contains(name)) {
                    missing.add(name);
                }
            }
        }
        return missing;
    }

    private static String name(RunManifest info, TestCase testCase, int repeat) {
        return testCase.id() + (info.plan().repeats() > 1 ? ", repeat " + repeat : "");
    }

    private StoredResult stored(
            Path directory, TestCaseResult result, int repeats, boolean sealed, Map<String, String> ofRun) {
        return new StoredResult(directory, result, sealed ? changes(directory, result, repeats, ofRun) : List.of());
    }

    private TestCaseResult read(Path file) {
        return json.readResult(bytes(file), file.toString());
    }

    /** A case that was copied over another is whole in itself. */
    private List<String> changes(Path directory, TestCaseResult result, int repeats, Map<String, String> ofRun) {
        List<String> changes = new ArrayList<>(CaseChecksums.changes(directory));
        Path seal = directory.resolve(CaseChecksums.FILE);
        if (!ofRun.isEmpty() && Files.isRegularFile(seal) && !sumOf(seal).equals(ofRun.get(relative(seal)))) {
            changes.add(CaseChecksums.FILE + " is not what was written");
        }
        if (!directory.normalize().equals(caseDirectory(result.testCase(), result.repeat(), repeats))) {
            changes.add("it is the result of " + result.testCase().id());
        }
        return changes;
    }

    private List<Path> resultFiles() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, EnumSet.noneOf(FileVisitOption.class), DEEPEST_RESULT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    // What a run works in or has set aside is no result.
                    return !directory.equals(root)
                                    && directory.getFileName().toString().startsWith(".")
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    // The root holds a file of that name too: the report's copy of all test cases.
                    if (file.getFileName().toString().equals(RESULT_FILE)
                            && !file.getParent().equals(root)) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new ReportException("cannot list the results in " + root + ": " + AtomicFiles.reason(e), e);
        }
        files.sort(Comparator.comparing(file -> relative(file), NaturalOrder.INSTANCE));
        return files;
    }

    private String relative(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new ReportException("cannot read " + file + ": " + AtomicFiles.reason(e), e);
        }
    }

    private static boolean isEmptyDirectory(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.findAny().isEmpty();
        }
    }
}
