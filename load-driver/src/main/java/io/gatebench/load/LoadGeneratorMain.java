/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.SecondLine;
import io.gatebench.load.engine.StartSignal;
import io.gatebench.load.jmeter.EmbeddedLoad;
import io.gatebench.load.jmeter.JMeterStart;
import io.gatebench.load.jmeter.RemoteEngine;
import io.gatebench.model.LoadResult;
import io.gatebench.model.SecondOfLoad;

/**
 * The load generator's own JVM.
 *
 * <p>{@code LoadGeneratorMain <request.json> <output directory> [held] [early] [told] [remote:...]} prints one line of JSON per second to standard
 * output; and ends with 0 when the load was measured, 3 when it was aborted early (the result is written all the same),
 * 2 for a bad request, and 1 for anything unexpected. A SIGTERM ends the test and keeps what was measured.
 *
 * <p>With {@code held} several load generators begin together: when all is made and every user waits, it prints
 * {@value #READY}; then it waits for a file {@value #START_FILE} in the output directory with one line: the instant to
 * begin at, such as {@code 2026-01-31T12:00:00Z}, by the clock of its machine.
 *
 * <p>With {@code early} the request need not be there yet: when all is made that needs no request, it prints {@value
 * #WAITS}, and waits for it.
 *
 * <p>With {@code told} it does not decide when a warm-up that is to last until the load is steady ends, as it knows neither what
 * others send nor what the gateway does: it looks for a file {@value JMeterLoadDriver#WINDOW_FILE} with such a line, which
 * says when the window begins, and then why.
 *
 * <p>With {@code remote:<port>:<controller's port>:<way>:<key store>} it listens at that port of the loopback address until a
 * {@link LoadControllerMain} sends the plan, and tells it what was measured when that is on the disk. The controller listens
 * at its port of its machine, to which the port {@code way} of this machine leads. Users are held then, too.
 *
 * @since 0.1
 */
public final class LoadGeneratorMain {

    /** The line that says that all users wait for the start. */
    public static final String READY = "load-generator ready";
    /** The name of the file that holds the start. */
    public static final String START_FILE = "start";
    /** The line that says that the measurement window begins. */
    public static final String WINDOW = "load-generator window";
    /** The argument by which users wait for the start. */
    public static final String HELD = "held";
    /** The line that says that it waits for its request. */
    public static final String WAITS = "load-generator waits";
    /** The argument by which it waits for its request. */
    public static final String EARLY = "early";
    /** The argument by which it is told when the warm-up ends. */
    public static final String TOLD = "told";

    /** Beginning of the argument by which the plan is that of a controller. */
    public static final String REMOTE = "remote:";

    private static final Pattern REMOTE_FORM = Pattern.compile(REMOTE + "(\\d+):(\\d+):(\\d+):(.+)");
    private static final long LOOK_MILLIS = 20;
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
        List<String> words = List.of(arguments);
        List<String> options = words.subList(Math.min(2, words.size()), words.size());
        Optional<Matcher> remote = options.stream()
                .map(REMOTE_FORM::matcher)
                .filter(Matcher::matches)
                .findFirst();
        if (words.size() < 2
                || !options.stream()
                        .allMatch(option -> List.of(HELD, EARLY, TOLD).contains(option)
                                || REMOTE_FORM.matcher(option).matches())) {
            err.println("usage: LoadGeneratorMain <request.json> <output directory> [" + HELD + "] [" + EARLY + "] ["
                    + TOLD + "] [" + REMOTE + "<port>:<controller's port>:<way>:<key store>]");
            return BAD_REQUEST;
        }
        boolean held = options.contains(HELD) || remote.isPresent();
        boolean early = options.contains(EARLY);
        boolean told = options.contains(TOLD);
        Path file = Path.of(arguments[0]);
        Path directory = Path.of(arguments[1]);
        if (!Files.isDirectory(directory)) {
            err.println("the output directory " + directory + " does not exist");
            return BAD_REQUEST;
        }
        if (early) {
            JMeterStart.prepare();
        }
        LoadRequest request;
        try {
            if (early) {
                out.println(WAITS);
                awaitRequest(file);
            }
            request = LoadRequest.read(file);
        } catch (LoadException e) {
            err.println(e.getMessage());
            return BAD_REQUEST;
        }
        JMeterStart.prepare();
        JMeterLoadDriver driver = new JMeterLoadDriver();
        EmbeddedLoad.prepareForSignals();
        CountDownLatch done = new CountDownLatch(1);
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicBoolean begun = new AtomicBoolean(!held);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(driver, stopped, done), "gatebench-stop"));
        try {
            LoadProgress progress = new LoadProgress() {
                @Override
                public void second(SecondOfLoad second) {
                    out.println(SecondLine.text(second));
                }

                @Override
                public void windowBegins() {
                    out.println(WINDOW);
                }
            };
            StartSignal start = () -> {
                out.println(READY);
                Instant at = awaitStart(directory.resolve(START_FILE), stopped);
                begun.set(true);
                return at;
            };
            LoadResult run = driver.run(
                    request,
                    directory,
                    progress,
                    held ? Optional.of(start) : Optional.empty(),
                    told,
                    remote.map(LoadGeneratorMain::engine));
            run.aborted().ifPresent(reason -> err.println("aborted: " + reason));
            return run.aborted().isPresent() ? ABORTED : MEASURED;
        } catch (LoadException | IllegalArgumentException e) {
            err.println(e.getMessage());
            if (stopped.get() && !begun.get()) {
                return ABORTED;
            }
            return e instanceof LoadException ? UNEXPECTED : BAD_REQUEST;
        } finally {
            done.countDown();
        }
    }

    private static RemoteEngine engine(Matcher remote) {
        return new RemoteEngine(
                Integer.parseInt(remote.group(1)),
                Path.of(remote.group(4)),
                Map.of(Integer.valueOf(remote.group(2)), Integer.valueOf(remote.group(3))));
    }

    /** It appears whole. A signal ends the JVM meanwhile, as there is nothing to keep. */
    static void awaitRequest(Path file) {
        try {
            while (!Files.exists(file)) {
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted while it waited for " + file, e);
        }
    }

    private static Instant awaitStart(Path file, AtomicBoolean stopped) throws InterruptedException {
        try {
            while (true) {
                String text = Files.exists(file) ? Files.readString(file) : "";
                // Without its end the line may still be on its way.
                if (text.endsWith("\n")) {
                    return Instant.parse(text.strip());
                }
                // A signal may have come before there was a test that it could end.
                if (stopped.get()) {
                    throw new LoadException("stopped by a signal");
                }
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (IOException | DateTimeParseException e) {
            throw new LoadException("the start in " + file + " is no instant such as 2026-01-31T12:00:00Z: " + e, e);
        }
    }

    private static void stop(JMeterLoadDriver driver, AtomicBoolean stopped, CountDownLatch done) {
        if (done.getCount() == 0) {
            return;
        }
        stopped.set(true);
        driver.stop("stopped by a signal");
        try {
            done.await(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
