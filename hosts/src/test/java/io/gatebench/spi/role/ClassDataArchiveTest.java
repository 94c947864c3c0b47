/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.hosts.LocalHost;

class ClassDataArchiveTest {

    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    @TempDir
    private Path directory;

    private final List<String> rehearsals = new ArrayList<>();

    @Test
    void isMadeOnceForAJarAndItsFlags() throws IOException {
        List<String> first = launch("-Xlog:gc");
        List<String> again = launch("-Xlog:gc");
        List<String> other = launch("-XX:+UseParallelGC");
        write("another build");
        List<String> newer = launch("-Xlog:gc");

        assertThat(again).isEqualTo(first);
        assertThat(rehearsals).hasSize(3);
        assertThat(List.of(first.get(0), other.get(0), newer.get(0))).doesNotHaveDuplicates();
        assertThat(first.get(0)).startsWith(ClassDataArchive.OPTION);
        assertThat(Path.of(first.get(0).substring(ClassDataArchive.OPTION.length())))
                .hasContent("classes");
        assertThat(Path.of(first.get(2))).hasContent("thin");
        assertThat(leftOver()).isEmpty();
    }

    @Test
    void isTheSameForProgramsThatMakeItAtOneTime() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        Path jar = jar();
        ExecutorService programs = Executors.newFixedThreadPool(2);
        try {
            List<Future<List<String>>> launches = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                launches.add(programs.submit(() -> archive().launch(host(), jar, List.of(), launch -> {
                    both.countDown();
                    await(both);
                    write(launch);
                })));
            }

            assertThat(launches.get(0).get()).isEqualTo(launches.get(1).get());
        } finally {
            programs.shutdownNow();
        }
        assertThat(leftOver()).isEmpty();
    }

    @Test
    void isMadeAgainAfterAProgramThatWasKilledWhileItMadeIt() throws IOException {
        assertThatIOException()
                .isThrownBy(() -> archive().launch(host(), jar(), List.of(), launch -> {}))
                .withMessage("the JVM wrote none when the program ended");
        assertThatIOException()
                .isThrownBy(() -> archive().launch(host(), jar(), List.of(), launch -> {
                    throw new RoleStartException("port taken");
                }))
                .withMessage("port taken");
        // What a killed program leaves has a name of its own.
        Path left = Files.createDirectories(directory.resolve("cache/0123.part"));

        assertThat(launch().get(2)).endsWith("gateway.jar");

        Files.setLastModifiedTime(left, FileTime.from(NOW.minus(Duration.ofDays(31))));
        launch("-XX:+UseParallelGC");
        assertThat(left).doesNotExist();
    }

    @Test
    void isLeftOutWhereTheSwitchSaysSo() {
        assertThat(ClassDataArchive.directory(Map.of("XDG_CACHE_HOME", "/c", "GATEBENCH_CLASS_DATA", "off")))
                .isEmpty();
        assertThat(ClassDataArchive.directory(Map.of("XDG_CACHE_HOME", "/c")))
                .contains(Path.of("/c/gatebench/class-data"));
        assertThat(ClassDataArchive.directory(Map.of("XDG_CACHE_HOME", "relative")))
                .isEmpty();
    }

    @Test
    void saysWhyTheJarCannotBeTakenApart() throws IOException {
        Files.writeString(directory.resolve("broken.jar"), "x");

        assertThatIOException()
                .isThrownBy(() -> archive()
                        .launch(
                                new LocalHost(directory.resolve("work")),
                                directory.resolve("broken.jar"),
                                List.of(),
                                l -> {}))
                .withMessageStartingWith("the jar cannot be taken apart (exit code 1): ");
    }

    private List<String> launch(String... flags) throws IOException {
        return archive().launch(host(), jar(), List.of(flags), launch -> {
            rehearsals.add(String.join(" ", launch));
            write(launch);
        });
    }

    private static void write(List<String> launch) {
        try {
            Files.writeString(Path.of(launch.get(0).substring("-XX:ArchiveClassesAtExit=".length())), "classes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private ClassDataArchive archive() {
        return new ClassDataArchive(directory.resolve("cache"), () -> NOW);
    }

    private Path jar() throws IOException {
        Path jar = directory.resolve("gateway.jar");
        return Files.exists(jar) ? jar : write("a build");
    }

    private Path write(String build) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Extractor.class.getName());
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, build);
        String name = Extractor.class.getName().replace('.', '/') + ".class";
        Path jar = directory.resolve("gateway.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream in = Extractor.class.getResourceAsStream("/" + name)) {
            out.putNextEntry(new JarEntry(name));
            in.transferTo(out);
        }
        return jar;
    }

    /** Stands in for the tool in a jar of Spring Boot. */
    static final class Extractor {

        private Extractor() {}

        public static void main(String[] arguments) throws IOException {
            Path target = Files.createDirectories(Path.of(arguments[2]));
            Files.writeString(target.resolve("gateway.jar"), "thin");
        }
    }

    private LocalHost host() {
        return new LocalHost(directory.resolve("work"));
    }

    private List<Path> leftOver() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("cache"))) {
            return files.filter(file -> file.toString().endsWith(".part")).toList();
        }
    }
}
