package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.gc.GcLogAnalyzer;
import io.gatebench.gc.GcLogging;
import io.gatebench.model.GcSummary;

/** The analyzer works with what its own POM brings. */
class GcFiguresTest {

    /** Two full collections, and enough garbage for more. */
    public static final class Garbage {
        public static void main(String[] args) {
            System.gc();
            for (int i = 0; i < 200_000; i++) {
                List<byte[]> list = new ArrayList<>();
                list.add(new byte[1024]);
            }
            System.gc();
        }
    }

    @Test
    void readsTheLogOfAJvmOfThisVersion(@TempDir Path directory) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx32M", "-XX:+UseSerialGC"));
        command.addAll(GcLogging.flagsFor(Runtime.version().feature(), directory.resolve("gc.log")));
        command.addAll(List.of("-cp", Path.of("target", "test-classes").toString(), Garbage.class.getName()));
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());

        GcSummary summary = GcLogAnalyzer.analyze(directory.resolve("gc.log"));

        assertEquals("Serial", summary.collector().orElseThrow());
        assertTrue(summary.exact().fullGcCount().value().orElseThrow() >= 2, summary.toString());
    }
}
