/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs the gateway, or the introspection endpoint, as a program.
 *
 * <p>Standard output carries one line, when the program is ready; everything else goes to standard error. Exit codes: 1 for
 * a failure such as a port that is taken, 2 for a bad option, 143 after SIGTERM, when requests under way were answered.
 */
public final class ReferenceGateway {
    private static final int FAILURE = 1;
    private static final int USAGE = 2;

    private final Clock clock;
    private final PrintStream out;
    private final PrintStream err;

    ReferenceGateway(Clock clock, PrintStream out, PrintStream err) {
        this.clock = clock;
        this.out = out;
        this.err = err;
    }

    /**
     * Starts the program; it runs until it is ended by a signal.
     *
     * @param args see {@code docs/reference/reference-gateway.md}
     */
    public static void main(String[] args) {
        int code = new ReferenceGateway(Clock.systemUTC(), System.out, System.err).start(args);
        if (code != 0) {
            System.exit(code);
        }
    }

    /** Starts and prints the ready line; returns 0 if the program runs now, else the exit code. */
    int start(String... args) {
        try {
            CommandLine line = CommandLine.parse(args);
            OptionReader options = new OptionReader(line.environment());
            ProgramMode mode = options.choice(GatewayOption.MODE, ProgramMode.class, ProgramMode.GATEWAY);
            if (mode == ProgramMode.INTROSPECTION) {
                runIntrospection(options);
            } else {
                startGateway(GatewaySettings.read(options), line.arguments());
            }
            return 0;
        } catch (UsageException e) {
            e.problems().forEach(problem -> err.println("reference-gateway: " + problem));
            return USAGE;
        } catch (RuntimeException e) {
            err.println("reference-gateway: " + reason(e));
            return FAILURE;
        }
    }

    private void startGateway(GatewaySettings settings, List<String> arguments) {
        requireFree(settings.listener());
        ConfigurableApplicationContext context = GatewayApplication.start(settings, arguments, clock);
        int https =
                ((ReactiveWebServerApplicationContext) context).getWebServer().getPort();
        String http = context.getBean(PlainPort.class).port().stream()
                .mapToObj(Integer::toString)
                .findFirst()
                .orElse("-");
        out.println("reference-gateway ready https=" + https + " http=" + http + " profile="
                + settings.profile().optionName() + " startup=" + sinceProcessStart());
        out.flush();
    }

    private void runIntrospection(OptionReader options) {
        int port = options.number(GatewayOption.PORT, 0, 65_535, 0);
        Optional<Path> tokens = options.readableFile(GatewayOption.TOKENS);
        options.require(
                options.text(GatewayOption.TOKENS).isPresent(),
                "--gateway.tokens is missing: give the CSV file with the tokens that were issued");
        Optional<ClientCredentials> credentials = options.readableFile(GatewayOption.INTROSPECTION_CREDENTIALS_FILE)
                .map(ClientCredentials::read);
        options.finish();
        try (IntrospectionServer server = new IntrospectionServer(
                options.text(GatewayOption.BIND, GatewaySettings.DEFAULT_BIND),
                port,
                KnownTokens.read(tokens.orElseThrow(), clock),
                credentials)) {
            Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop-introspection"));
            out.println("introspection ready port=" + server.port());
            out.flush();
            server.await();
        }
    }

    private String sinceProcessStart() {
        Instant now = clock.instant();
        Instant started = ProcessHandle.current().info().startInstant().orElse(now);
        return String.format(
                Locale.ROOT, "%.1fs", Duration.between(started, now).toMillis() / 1000.0);
    }

    /** Says which port is taken, at once; the server would say it seconds later and without the port. */
    private static void requireFree(GatewaySettings.Listener listener) {
        requireFree(listener.bind(), listener.httpsPort(), GatewayOption.HTTPS_PORT);
        listener.httpPort().ifPresent(port -> requireFree(listener.bind(), port, GatewayOption.HTTP_PORT));
    }

    private static void requireFree(String bind, int port, GatewayOption option) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getByName(bind), port));
        } catch (UnknownHostException e) {
            throw new UsageException("--gateway.bind must be an address of this host but was '" + bind + "'");
        } catch (IOException e) {
            throw new IllegalStateException("port " + port + " of " + bind + " cannot be opened: " + Problem.of(e)
                    + "; choose another --" + option.property() + ", or 0 for any free one");
        }
    }

    private static String reason(RuntimeException failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return Problem.of(root);
    }
}
