/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.jmeter.DistributedLoad;
import io.gatebench.load.jmeter.JMeterStart;
import io.gatebench.load.jmeter.RemoteOutcome;
import io.gatebench.model.LoadResult;

/**
 * The controller of JMeter's distributed mode, which sends a plan to several {@link LoadGeneratorMain}.
 *
 * <p>{@code LoadControllerMain <request.json> <output directory> <key store> <port> <remote>=<way>...} listens at that port
 * of the loopback address; each load generator listens at the port {@code remote} of its machine, to which the port {@code
 * way} of this machine leads. All of it is TLS with the key of the key store at both ends, and leads through tunnels: nothing
 * listens at an address that another machine reaches. It merges what the load generators tell, writes it as {@link
 * SharedLoad} does, says so in a line that begins with {@value #RECEIVED}, and ends with 0; otherwise with 1.
 *
 * @since 0.1
 */
public final class LoadControllerMain {

    /** The line that says that every load generator has told what it measured. */
    public static final String RECEIVED = "load-controller received";

    private static final int OPTIONS = 4;

    private LoadControllerMain() {}

    /** Runs the controller. */
    public static void main(String[] arguments) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        // JMeter leaves threads behind, so the JVM does not end by itself.
        System.exit(run(List.of(arguments), out, err));
    }

    private static int run(List<String> arguments, PrintStream out, PrintStream err) {
        if (arguments.size() <= OPTIONS
                || !arguments.subList(OPTIONS, arguments.size()).stream()
                        .allMatch(remote -> remote.matches("\\d+=\\d+"))) {
            err.println("usage: LoadControllerMain <request.json> <output directory> <key store> <port>"
                    + " <remote>=<way>...");
            return 2;
        }
        Map<Integer, Integer> remotes = new LinkedHashMap<>();
        for (String remote : arguments.subList(OPTIONS, arguments.size())) {
            String[] ports = remote.split("=");
            remotes.put(Integer.valueOf(ports[0]), Integer.valueOf(ports[1]));
        }
        JMeterStart.prepare();
        try {
            LoadRequest request = LoadRequest.read(Path.of(arguments.get(0)));
            List<RemoteOutcome> parts = new DistributedLoad(
                            request, Integer.parseInt(arguments.get(3)), remotes, Path.of(arguments.get(2)))
                    .run();
            long before = System.nanoTime();
            LoadResult merged = SharedLoad.merged(request, parts, Path.of(arguments.get(1)));
            out.println(String.format(
                    Locale.ROOT,
                    "%s results=%d samples=%d merge.millis=%.1f cpu.millis=%d",
                    RECEIVED,
                    parts.size(),
                    Stream.concat(merged.warmUp().stream(), merged.measurement().stream())
                            .mapToLong(label -> label.samples())
                            .sum(),
                    (System.nanoTime() - before) / 1e6,
                    ProcessHandle.current()
                            .info()
                            .totalCpuDuration()
                            .orElseThrow()
                            .toMillis()));
            return 0;
        } catch (LoadException e) {
            err.println(e.getMessage());
            return 1;
        }
    }
}
