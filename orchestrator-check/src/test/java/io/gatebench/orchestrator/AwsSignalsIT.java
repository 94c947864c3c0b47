/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signals at every moment of creating and removing machines, and what is left of these. */
class AwsSignalsIT {

    private static final int KILLED = 137;
    private static final int INTERRUPTED = 130;
    private static final int ENVIRONMENT = 5;

    private static Moto moto;

    @TempDir
    private Path directory;

    private Map<String, Integer> before;

    /** When a signal comes: as soon as the program has said something like this. */
    private enum Moment {
        RECORDS("the records are begun", "records in", "private"),
        GUARD("the timers are created", "-guard: ", "private"),
        MACHINES("the machines are created", "-1: ", "private"),
        BOOT("the machines boot", "waiting for gateway", "private"),
        FAILED("the set-up has failed, the removal begins", "removing what was created", "public"),
        // Where the stack of the machines cannot be deleted as a whole, its parts are.
        REMOVING(
                "the removal after a failed set-up has gone half its way",
                "-1 is deleted|removing the network interface",
                "public");

        private final String text;
        private final Pattern said;
        private final String address;

        Moment(String text, String said, String address) {
            this.text = text;
            this.said = Pattern.compile(said);
            this.address = address;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        String missing = Moto.hindrance();
        assumeTrue(missing.isEmpty(), missing);
        moto = Moto.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (moto != null) {
            moto.close();
        }
    }

    @BeforeEach
    void count() throws Exception {
        moto.reset();
        before = moto.counts();
    }

    @Test
    void aSignalDoesNotBreakOffTheRemovalAfterAFailedSetUp() throws Exception {
        requireNothingLeft(Moment.FAILED, "TERM");
    }

    @Test
    void aSecondSignalLeavesWhatIsThereAndSaysSo() throws Exception {
        Process process = comeTo(Moment.FAILED);
        signal(process, "TERM");
        Moto.await("the signal is answered", 60, () -> log().contains("again to leave "));
        assertThat(log())
                .containsPattern(
                        "(removing, \\d+ left|ending; what was created is removed first); again to leave (it|them)");

        signal(process, "TERM");

        assertThat(end(process)).as(log()).isEqualTo(ENVIRONMENT);
        assertThat(log())
                .containsPattern(
                        "LEFT BEHIND: (\\d+ resources|what was created), which cost money until their own time is over");
        row(Moment.FAILED.text, "TERM, and again", "LEFT BEHIND.*", ENVIRONMENT);
    }

    @ParameterizedTest
    @CsvSource({
        "RECORDS, TERM", "GUARD, TERM", "MACHINES, TERM", "BOOT, TERM", "FAILED, TERM", "REMOVING, TERM",
        "RECORDS, INT", "GUARD, INT", "MACHINES, INT", "BOOT, INT", "FAILED, INT", "REMOVING, INT",
        "RECORDS, HUP", "GUARD, HUP", "MACHINES, HUP", "BOOT, HUP", "FAILED, HUP", "REMOVING, HUP"
    })
    @Tag("full")
    void nothingIsLeftByASignal(Moment moment, String signal) throws Exception {
        requireNothingLeft(moment, signal);
    }

    @ParameterizedTest
    @CsvSource({"RECORDS", "GUARD", "MACHINES", "BOOT", "FAILED", "REMOVING"})
    @Tag("full")
    void whatAKillLeavesIsRemovedByTeardown(Moment moment) throws Exception {
        Process process = comeTo(moment);
        signal(process, "KILL");
        assertThat(end(process)).isEqualTo(KILLED);
        row(moment.text, "KILL", "(?!)", KILLED);
    }

    private void requireNothingLeft(Moment moment, String signal) throws Exception {
        Process process = comeTo(moment);
        boolean taken = takes(process, signal);
        if (!taken) {
            process.destroyForcibly().waitFor();
        }
        assumeTrue(taken, "the tests run in the background, where SIG" + signal + " is ignored");
        signal(process, signal);
        int code = end(process);
        String said = log();
        assertThat(code).as(said).isEqualTo(INTERRUPTED);
        assertThat(said).containsPattern("again to leave (it|them)");
        assertThat(left()).as(said).isZero();
        row(moment.text, signal, "(removing, \\d+ left|ending;).*", code);
    }

    private Process comeTo(Moment moment) throws Exception {
        Files.writeString(directory.resolve("aws.yaml"), """
                region: us-east-1
                caller: 127.0.0.1/32
                address: %s
                network: 127.9.9.0/24
                max-cost: 5
                max-hours: 2
                """.formatted(moment.address));
        Process process = moto.program(
                directory,
                "run",
                "--product=apim",
                "--scenario=passthrough",
                "--users=2",
                "--message-size=50",
                "--duration=4s",
                "--warm-up=1s",
                "--environment=aws",
                "--aws=aws.yaml",
                "--results=out",
                "--yes");
        Moto.await(
                "the program comes to '" + moment.said + "'",
                120,
                () -> moment.said.matcher(log()).find() || !process.isAlive());
        assertThat(process.isAlive()).as(log()).isTrue();
        return process;
    }

    /** Writes the row after all that is left was removed by a program that knows no more than the account. */
    private void row(String when, String signal, String said, int code) throws Exception {
        int left = left();
        String line = log().lines()
                .filter(l -> l.matches(said))
                .reduce((first, second) -> second)
                .orElse("(nothing)");
        assertThat(end(moto.program(directory, "aws", "teardown", "--yes")))
                .as(log())
                .isZero();
        assertThat(moto.counts()).as(log()).isEqualTo(before);
        FailureTable.AWS.row(
                when + " | " + signal,
                List.of(
                        line.equals("(nothing)") ? line : "`" + line + "`",
                        String.valueOf(code),
                        String.valueOf(left),
                        "0"));
    }

    private int left() throws Exception {
        int left = 0;
        for (Map.Entry<String, Integer> kind : moto.counts().entrySet()) {
            left += Math.abs(kind.getValue() - before.get(kind.getKey()));
        }
        return left;
    }

    private static void signal(Process process, String signal) throws Exception {
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** What is started in the background ignores SIGINT, or SIGHUP, and so do its children. */
    private static boolean takes(Process process, String signal) throws IOException {
        Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
        int bit = switch (signal) {
            case "HUP" -> 1;
            case "INT" -> 2;
            default -> 0;
        };
        return bit == 0
                || Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .noneMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).trim(), 16) >> bit - 1 & 1) != 0);
    }

    private static int end(Process process) throws InterruptedException {
        assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("program.log"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
