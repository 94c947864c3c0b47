/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A real Chromium without a window. */
public final class HeadlessBrowser {

    private final String program;
    private final Path work;

    private HeadlessBrowser(String program, Path work) {
        this.program = program;
        this.work = work;
    }

    /** Returns the browser of this machine; a test without one is skipped. */
    public static HeadlessBrowser found(Path work) {
        Optional<String> found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(directory -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
        assumeThat(found).as("no Chromium is on the PATH; install chromium").isPresent();
        return new HeadlessBrowser(found.orElseThrow(), work);
    }

    /** Returns the page as the browser has it after its scripts ran; fails if they wrote to the console. */
    public String open(Path page, String fragment) throws Exception {
        Path out = work.resolve("dom.html");
        Path err = work.resolve("console.txt");
        Process process = new ProcessBuilder(
                        program,
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--user-data-dir=" + work.resolve("profile"),
                        "--enable-logging=stderr",
                        "--virtual-time-budget=3000",
                        "--dump-dom",
                        page.toUri() + fragment)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("the browser did not end within 90 s");
        }
        assertThat(Files.readAllLines(err))
                .filteredOn(line -> line.contains("CONSOLE"))
                .isEmpty();
        return Files.readString(out);
    }

    /** Returns how often a text holds another. */
    public static int countOf(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }
}
