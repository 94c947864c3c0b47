/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each parser against Jazzer, which looks for inputs that reach new code: {@code -Dgatebench.fuzz.seconds} (60) each.
 *
 * <p>What it finds is kept in {@code target/fuzz/<parser>}, as {@code crash-*} and the like. Once repaired it becomes a
 * seed.
 */
@Tag("full")
class ParsersIT {

    private static final int SECONDS = Integer.getInteger("gatebench.fuzz.seconds", 60);
    private static final int STARTING_SECONDS = 180;
    private static final List<String> SANITIZERS = List.of(
            "BigDecimal",
            "ClojureLangHooks",
            "Deserialization",
            "ExpressionLanguageInjection",
            "FilePathTraversal",
            "LdapInjection",
            "NamingContextLookup",
            "OsCommandInjection",
            "ReflectiveCall",
            "RegexInjection",
            "RegexRoadblocks",
            "ScriptEngineInjection",
            "ServerSideRequestForgery",
            "SqlInjection",
            "TemplateInjection",
            "UnsafeSanitizer",
            "XPathInjection",
            "XmlParserSsrfGuidance");

    @ParameterizedTest
    @EnumSource
    void readsOrRefuses(Parser parser) throws IOException, InterruptedException {
        Path found = Files.createDirectories(Path.of("target", "fuzz", parser.directory()));
        Path corpus = Files.createDirectories(found.resolve("corpus"));
        Path log = found.resolve("jazzer.log");
        Process jazzer = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx768m",
                        "-XX:+UseSerialGC",
                        "-Djava.awt.headless=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + parser.target().getName(),
                        "--instrumentation_includes=io.gatebench.**",
                        // The sanitizers look for injection in what applications do; the targets say what is wrong
                        // here.
                        "--disabled_hooks=" + sanitizers(),
                        "--reproducer_path=" + found,
                        "-artifact_prefix=" + found + "/",
                        "-max_total_time=" + SECONDS,
                        "-timeout=30",
                        // The heap of the JVM is the limit.
                        "-rss_limit_mb=0",
                        "-max_len=16384",
                        corpus.toString(),
                        Corpus.directory(parser.directory()).toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jazzer.waitFor(SECONDS + STARTING_SECONDS, TimeUnit.SECONDS))
                    .as("Jazzer ends in time, see " + log)
                    .isTrue();
        } finally {
            jazzer.destroyForcibly();
        }
        assertThat(jazzer.exitValue())
                .as("what Jazzer found, see " + found + ":\n" + end(log))
                .isZero();
    }

    /** One that watches Unsafe makes Netty fail; Jazzer takes only whole names. */
    private static String sanitizers() {
        return SANITIZERS.stream()
                .map(name -> "com.code_intelligence.jazzer.sanitizers." + name)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String end(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    }
}
