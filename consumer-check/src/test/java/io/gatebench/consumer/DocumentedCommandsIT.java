/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.report.ReportGenerator;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.results.ResultsDirectory;

/**
 * Every block of shell commands in the documents is executed and ends with exit code 0.
 *
 * <p>The blocks of one document run one after the other in one directory that shows the sources, so that a tutorial works
 * as it is read; a block of another language whose first line is {@code # name.yaml} is written there as that file. What
 * cannot be run in a test has a reason in a comment before it, {@code <!-- not run: it takes five minutes -->}: of such a
 * block the commands that measure are at least checked by {@code --estimate}, unless they name what a test does not have,
 * {@code <!-- not run, nor estimated: it needs a pack -->}.
 */
class DocumentedCommandsIT {

    private static final String TUTORIAL = "docs/tutorial.md";
    private static final Pattern PROGRAM =
            Pattern.compile("(?:\\./gatebench|java -jar orchestrator/target/orchestrator\\.jar) --product.*");
    /** How long the tutorial measures; whether it works is what is asked here, and shows in a shorter time. */
    private static final String TIMES = "--duration 12s --warm-up 6s";

    private static final String SHORT_TIMES = "--duration 7s --warm-up 3s";

    @TempDir
    private Path directory;

    @TestFactory
    Stream<DynamicNode> runs() throws IOException {
        List<DynamicNode> nodes = new ArrayList<>();
        for (Path document : Documents.all()) {
            Path here = directory.resolve(Documents.name(document).replace('/', '_'));
            List<DynamicNode> tests = new ArrayList<>();
            for (Fence fence : Documents.fences(document)) {
                if (fence.language().equals("sh")) {
                    tests.add(DynamicTest.dynamicTest("line " + fence.line(), () -> run(fence, prepared(here))));
                } else {
                    file(fence)
                            .ifPresent(name -> tests.add(DynamicTest.dynamicTest(
                                    "file " + name,
                                    () -> Files.writeString(prepared(here).resolve(name), fence.text()))));
                }
            }
            if (Documents.name(document).equals(TUTORIAL)) {
                Path results = here.resolve("results/before");
                tests.add(DynamicTest.dynamicTest("files of the results", () -> requireKnownFiles(results)));
                tests.add(DynamicTest.dynamicTest("columns of the results", () -> requireKnownColumns(results)));
            }
            if (!tests.isEmpty()) {
                nodes.add(DynamicContainer.dynamicContainer(Documents.name(document), tests));
            }
        }
        assertThat(nodes).isNotEmpty();
        return nodes.stream();
    }

    /** Every file that a run leaves is explained on the page of the results directory. */
    private static void requireKnownFiles(Path results) throws IOException {
        String page = Files.readString(Documents.REFERENCE.resolve("results-directory.md"));
        try (Stream<Path> files = Files.walk(results)) {
            assertThat(files.filter(Files::isRegularFile)
                            .filter(file -> !file.getParent().endsWith("charts"))
                            .map(file -> file.getFileName().toString())
                            .distinct()
                            .filter(name -> !Pattern.compile("(?<![\\w.-])" + Pattern.quote(name) + "(?![\\w-])")
                                    .matcher(page)
                                    .find()))
                    .isEmpty();
        }
    }

    /** Every column of a run's widest table is explained on the page of the columns. */
    private void requireKnownColumns(Path results) throws IOException {
        ResultsDirectory opened = ResultsDirectory.open(results);
        Path out = directory.resolve("columns");
        ReportGenerator.generate(
                opened,
                out,
                ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE).withColumns(ReportOptions.Columns.ALL));
        JsonNode row;
        try (Stream<String> rows = Files.lines(out.resolve("summary.jsonl"))) {
            row = new ObjectMapper().readTree(rows.findFirst().orElseThrow());
        }
        List<String> processes =
                List.of(opened.info().applicationName(), SummaryColumns.BACKEND, SummaryColumns.LOAD_GENERATOR);
        List<String> columns = new ArrayList<>();
        row.fieldNames().forEachRemaining(column -> columns.add(general(column, processes)));
        assertThat(columns).contains("verdict", "<process> GC Throughput (%)", "Blocked");
        assertThat(Documents.firstCells(Documents.REFERENCE.resolve("columns.md")))
                .containsAll(columns);
    }

    private static String general(String column, List<String> processes) {
        for (String process : processes) {
            if (column.startsWith(process + " - ")) {
                return column.substring(process.length() + " - ".length());
            }
            if (column.contains(process)) {
                return column.replace(process, "<process>");
            }
        }
        return column;
    }

    private static Optional<String> file(Fence fence) {
        return fence.text()
                .lines()
                .findFirst()
                .filter(line -> line.matches("# [\\w.-]+\\.(yaml|yml|csv)"))
                .map(line -> line.substring(2));
    }

    /** Shows the sources through links: what commands write, as {@code results/}, must not lie among them. */
    private static Path prepared(Path here) throws IOException {
        if (!Files.exists(here)) {
            Files.createDirectories(here);
            try (Stream<Path> sources = Files.list(Documents.ROOT)) {
                for (Path source : sources.toList()) {
                    String name = source.getFileName().toString();
                    if (!name.startsWith(".") && !name.startsWith("results")) {
                        Files.createSymbolicLink(here.resolve(name), source);
                    }
                }
            }
        }
        return here;
    }

    private static void run(Fence fence, Path here) throws IOException, InterruptedException {
        Optional<String> missing = fence.comment("not run, nor estimated");
        if (missing.isPresent()) {
            assertThat(missing.get()).as("the reason why a block is not run").hasSizeGreaterThan(10);
            return;
        }
        Optional<String> reason = fence.comment("not run");
        if (reason.isEmpty()) {
            execute(fence.text(), here);
            return;
        }
        assertThat(reason.get()).as("the reason why a block is not run").hasSizeGreaterThan(10);
        for (String line : fence.text().replace("\\\n", " ").lines().toList()) {
            Matcher program = PROGRAM.matcher(line);
            if (program.find()) {
                String command = program.group().replaceAll("\\s(#|&&|;).*", "");
                execute(command.contains(" --estimate") ? command : command + " --estimate", here);
            }
        }
    }

    private static void execute(String script, Path here) throws IOException, InterruptedException {
        Path output = Files.createTempFile(here, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder("bash", "-euo", "pipefail", "-c", script.replace(TIMES, SHORT_TIMES));
        builder.environment().put("PATH", System.getProperty("java.home") + "/bin:" + System.getenv("PATH"));
        // JVMs that live for seconds start in half the time with the quicker compiler.
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
        Process process = builder.directory(here.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        try {
            boolean ended = process.waitFor(4, TimeUnit.MINUTES);
            assertThat(ended)
                    .as("ended in time:%n%s%n%s", script, Files.readString(output))
                    .isTrue();
            String printed = Files.readString(output);
            // Rows of a machine that others use are doubtful, and a comparison that compared nothing ends with 4.
            assumeThat(process.exitValue() == 4
                            && printed.contains("nothing could be compared")
                            && printed.contains("was stolen"))
                    .as("processor time of this machine was stolen, so that the document's runs could not be compared")
                    .isFalse();
            // A build whose modules run side by side is such another program, always: the command said so as
            // documented.
            boolean besideOthers = process.exitValue() == 4
                    && printed.contains("nothing could be compared")
                    && printed.contains("programs that are no part of the run took");
            assertThat(besideOthers ? 0 : process.exitValue())
                    .as("exit code of:%n%s%n%s", script, printed)
                    .isZero();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
