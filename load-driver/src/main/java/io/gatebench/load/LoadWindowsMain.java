/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.jmeter.EmbeddedLoad;
import io.gatebench.load.jmeter.JMeterStart;
import io.gatebench.load.jmeter.KeptConnections;

/**
 * A load generator that sends one load after the other, so that none of them pays for the start and the compilation of a
 * JVM. Their connections stay open from load to load, so that the gateways do not go on opening some where they are measured.
 *
 * <p>{@code LoadWindowsMain <directory>} waits for {@code <directory>/1/request.json}, which must appear whole, runs it,
 * leaves the result beside it, prints {@value #DONE} and the number, or {@value #FAILED}, the number and why, and waits for
 * the next number. It goes on until it is stopped.
 *
 * @since 0.1
 */
public final class LoadWindowsMain {

    /** The line, before the number, that says that a load is over and its result written. */
    public static final String DONE = "load-window done ";
    /** The line, before number and reason, that says that a load could not be run. */
    public static final String FAILED = "load-window failed ";
    /** The name of the file that begins a load. */
    public static final String REQUEST_FILE = "request.json";

    /** So many are loaded in turns. */
    private static final int GATEWAYS = 2;

    private static final int BAD_USAGE = 2;

    private LoadWindowsMain() {}

    /** Runs the load generator. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        if (arguments.length != 1 || !Files.isDirectory(Path.of(arguments[0]))) {
            out.println("usage: LoadWindowsMain <directory>");
            System.exit(BAD_USAGE);
        }
        JMeterStart.prepare();
        EmbeddedLoad.prepareForSignals();
        JMeterLoadDriver driver = new JMeterLoadDriver(new KeptConnections(GATEWAYS));
        for (int number = 1; ; number++) {
            Path directory = Path.of(arguments[0], String.valueOf(number));
            Path request = directory.resolve(REQUEST_FILE);
            LoadGeneratorMain.awaitRequest(request);
            try {
                driver.run(LoadRequest.read(request), directory, LoadProgress.none());
                out.println(DONE + number);
            } catch (LoadException | IllegalArgumentException e) {
                out.println(
                        FAILED + number + " " + String.valueOf(e.getMessage()).replace('\n', ' '));
            }
        }
    }
}
