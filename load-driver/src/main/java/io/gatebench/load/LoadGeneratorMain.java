/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.gatebench.load.jmeter.EmbeddedLoad;
import io.gatebench.model.LoadRun;
import io.gatebench.model.SecondOfLoad;

/**
 * The load generator's own JVM.
 *
 * <p>{@code LoadGeneratorMain <request.json> <output directory> [<start>]} waits for the start, an instant such as
 * {@code 2026-01-31T12:00:00Z} by the clock of its machine, so that several load generators begin together; prints one
 * line of JSON per second to standard output; and ends with 0 when the load was measured, 3 when it was aborted early (the result is written all the same), 2 for a
 * bad request, and 1 for anything unexpected. A SIGTERM ends the test and keeps what was measured.
 */
public final class LoadGeneratorMain {

    private static final int MEASURED = 0;
    private static final int UNEXPECTED = 1;
    private static final int BAD_REQUEST = 2;
    private static final int ABORTED = 3;
    private static final long STOP_SECONDS = 20;

    private LoadGeneratorMain() {}

    /** Runs the load generator. */
    public static void main(String[] arguments) {
        PrintStream out =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintStream err =
                new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.err), true, StandardCharsets.UTF_8);
        // JMeter's engine leaves threads behind, so the JVM does not end by itself.
        System.exit(run(arguments, out, err));
    }

    private static int run(String[] arguments, PrintStream out, PrintStream err) {
        if (arguments.length != 2 && arguments.length != 3) {
            err.println("usage: LoadGeneratorMain <request.json> <output directory> [<start>]");
            return BAD_REQUEST;
        }
        LoadRequest request;
        Instant start = Instant.MIN;
        Path directory = Path.of(arguments[1]);
        try {
            request = LoadRequest.read(Path.of(arguments[0]));
            if (arguments.length == 3) {
                start = Instant.parse(arguments[2]);
            }
        } catch (DateTimeParseException e) {
            err.println("the start must be an instant such as 2026-01-31T12:00:00Z but was " + arguments[2]);
            return BAD_REQUEST;
        } catch (LoadException e) {
            err.println(e.getMessage());
            return BAD_REQUEST;
        }
        if (!Files.isDirectory(directory)) {
            err.println("the output directory " + directory + " does not exist");
            return BAD_REQUEST;
        }
        JMeterLoadDriver driver = new JMeterLoadDriver();
        EmbeddedLoad.prepareForSignals();
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(driver, stopped, done), "gatebench-stop"));
        try {
            if (!awaitStart(start, stopped)) {
                err.println("aborted: stopped by a signal before the start");
                return ABORTED;
            }
            LoadRun run = driver.run(request, directory, second -> out.println(line(second)));
            run.aborted().ifPresent(reason -> err.println("aborted: " + reason));
            return run.aborted().isPresent() ? ABORTED : MEASURED;
        } catch (LoadException | IllegalArgumentException e) {
            err.println(e.getMessage());
            return e instanceof LoadException ? UNEXPECTED : BAD_REQUEST;
        } finally {
            done.countDown();
        }
    }

    private static boolean awaitStart(Instant start, CountDownLatch stopped) {
        Instant now = Clock.systemUTC().instant();
        if (!start.isAfter(now)) {
            return true;
        }
        try {
            return !stopped.await(Duration.between(now, start).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void stop(JMeterLoadDriver driver, CountDownLatch stopped, CountDownLatch done) {
        if (done.getCount() == 0) {
            return;
        }
        stopped.countDown();
        driver.stop("stopped by a signal");
        try {
            done.await(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String line(SecondOfLoad second) {
        return String.format(
                Locale.ROOT,
                "{\"second\":%d,\"samples\":%d,\"errors\":%d,\"p99Millis\":%.3f,\"users\":%d}",
                second.second(),
                second.samples(),
                second.errors(),
                second.p99Millis(),
                second.users());
    }
}
