/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogManager;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the gateway process. */
@Command(
        name = "synapse-gateway",
        mixinStandardHelpOptions = true,
        versionProvider = GatewayCommand.Version.class,
        sortOptions = false,
        description = {
            "Serves the scenarios of integration products with Apache Synapse, in this JVM.",
            "Prints one line when it is ready and runs until it is told to stop (SIGTERM or Ctrl-C)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"1:the gateway could not be started", "2:wrong option or value"})
final class GatewayCommand implements Callable<Integer> {
    private static final Duration READY_LIMIT = Duration.ofSeconds(60);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--http-port",
            paramLabel = "<port>",
            defaultValue = "8290",
            description = "HTTP port; 0 chooses a free one. Default: ${DEFAULT-VALUE}")
    private int httpPort;

    @Option(
            names = "--https-port",
            paramLabel = "<port>",
            defaultValue = "8253",
            description = "HTTPS port; 0 chooses a free one. Default: ${DEFAULT-VALUE}")
    private int httpsPort;

    @Option(
            names = "--bind",
            paramLabel = "<address>",
            defaultValue = "127.0.0.1",
            description = "Address to listen on. Default: ${DEFAULT-VALUE}")
    private String bind = "127.0.0.1";

    @Option(
            names = "--backend",
            paramLabel = "<url>",
            description = {
                "URL of the back end; an https back end's certificate is not checked.",
                "Default: http://127.0.0.1:8688/service/EchoService"
            })
    private @Nullable String backend;

    @Option(
            names = "--work-dir",
            paramLabel = "<dir>",
            description = "New or empty folder for the engine's files. Default: a temporary one, removed at the end")
    private @Nullable Path workDir;

    @Option(
            names = "--config",
            paramLabel = "<dir>",
            description = {
                "Own Synapse configuration in place of the built-in scenarios: a folder with",
                "proxy-services, api, sequences, endpoints, local-entries; see the documentation."
            })
    private @Nullable Path config;

    @Option(
            names = "--keystore",
            paramLabel = "<file>",
            description = "JKS or PKCS#12 file with the HTTPS key. Default: a self-signed certificate")
    private @Nullable Path keyStore;

    @Option(
            names = "--keystore-password-file",
            paramLabel = "<file>",
            description = "File whose first line is the password of --keystore and of its key")
    private @Nullable Path keyStorePasswordFile;

    /** Parses the command line, runs the gateway until it is stopped, and returns the exit code. */
    static int execute(String... args) {
        return commandLine().execute(args);
    }

    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new GatewayCommand());
        commandLine.setParameterExceptionHandler((failure, rejected) -> {
            PrintWriter err = failure.getCommandLine().getErr();
            err.println("synapse-gateway: " + failure.getMessage() + " (--help lists the options)");
            return ExitCode.USAGE;
        });
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            if (failure instanceof GatewayException) {
                command.getErr().println("synapse-gateway: " + failure.getMessage());
                return ExitCode.SOFTWARE;
            }
            throw failure;
        });
        return commandLine;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        InetAddress address = bindAddress();
        Optional<GatewaySettings.KeyStoreFile> identity = keyStoreFile();
        Optional<URI> backendUrl = backendUrl();
        Optional<Path> ownConfig = configFolder();
        checkPort("--http-port", httpPort);
        checkPort("--https-port", httpsPort);
        if (httpPort != 0 && httpPort == httpsPort) {
            throw usage("--http-port and --https-port are both " + httpPort + "; they must differ");
        }
        configureLogging();

        int[] ports = freePorts(address);
        GatewaySettings settings = new GatewaySettings(address, ports[0], ports[1], backendUrl, ownConfig, identity);
        @Nullable TemporaryHome temporary = workDir == null ? TemporaryHome.create() : null;
        SynapseHome home = temporary == null
                ? new SynapseHome(
                        Objects.requireNonNull(workDir).toAbsolutePath().normalize())
                : temporary.home();
        SynapseEngine engine = new SynapseEngine();
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            engine.close();
                            if (temporary != null) {
                                temporary.delete();
                            }
                            stopped.countDown();
                        },
                        "gateway-stop"));

        String token = UUID.randomUUID().toString();
        home.write(settings, token, Clock.systemUTC());
        // Axis2 leaves lock files in the temporary folder of the JVM.
        System.setProperty("java.io.tmpdir", home.temporary().toString());
        StrayAccessLog accessLog = StrayAccessLog.before(Path.of("logs"));
        engine.start(home);
        new ReadinessProbe(reachable(address), token, System::nanoTime).await(ports[0], ports[1], READY_LIMIT);
        accessLog.remove();

        PrintWriter out = spec().commandLine().getOut();
        out.println(String.format(
                Locale.ROOT,
                "synapse-gateway ready http=%d https=%d startup=%.1fs",
                ports[0],
                ports[1],
                (System.currentTimeMillis()
                                - ManagementFactory.getRuntimeMXBean().getStartTime())
                        / 1000.0));
        out.flush();
        stopped.await();
        return ExitCode.OK;
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    private void checkPort(String option, int port) {
        if (port < 0 || port > 65535) {
            throw usage(option + " must be 0 to 65535 but was " + port);
        }
    }

    private InetAddress bindAddress() {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw usage("--bind must be an address of this machine but was '" + bind + "'");
        }
    }

    private Optional<URI> backendUrl() {
        if (backend == null) {
            return Optional.empty();
        }
        try {
            URI url = new URI(backend);
            String scheme = url.getScheme();
            if (("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme)) && url.getHost() != null) {
                return Optional.of(url);
            }
        } catch (URISyntaxException e) {
            // Said below, in the words of the option.
        }
        throw usage("--backend must be an absolute http or https URL but was '" + backend + "'");
    }

    private Optional<Path> configFolder() {
        if (config != null && !Files.isDirectory(config)) {
            throw usage("--config must be a folder but was '" + config + "'");
        }
        return Optional.ofNullable(config);
    }

    private Optional<GatewaySettings.KeyStoreFile> keyStoreFile() {
        if (keyStore == null && keyStorePasswordFile == null) {
            return Optional.empty();
        }
        if (keyStore == null || keyStorePasswordFile == null) {
            throw usage("--keystore and --keystore-password-file must be given together");
        }
        for (Path file : new Path[] {keyStore, keyStorePasswordFile}) {
            if (!Files.isReadable(file)) {
                throw usage((file == keyStore ? "--keystore" : "--keystore-password-file")
                        + " must be a readable file but was '" + file + "'");
            }
        }
        return Optional.of(new GatewaySettings.KeyStoreFile(keyStore, keyStorePasswordFile));
    }

    // Both are held at once, so that the same free port is not chosen twice.
    private int[] freePorts(InetAddress address) {
        try (ServerSocket http = open(address, httpPort, "--http-port");
                ServerSocket https = open(address, httpsPort, "--https-port")) {
            return new int[] {http.getLocalPort(), https.getLocalPort()};
        } catch (IOException e) {
            throw new GatewayException("cannot release a probed port: " + e.getMessage(), e);
        }
    }

    private static ServerSocket open(InetAddress address, int port, String option) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw new GatewayException(
                    "cannot listen on " + address.getHostAddress() + " port " + port + ": " + e.getMessage()
                            + "; stop what uses it or give another " + option + " (0 chooses a free one)",
                    e);
        }
    }

    private static InetAddress reachable(InetAddress bound) {
        return bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
    }

    private static void configureLogging() throws IOException {
        if (System.getProperty("java.util.logging.config.file") == null
                && System.getProperty("java.util.logging.config.class") == null) {
            try (InputStream in = GatewayCommand.class.getResourceAsStream("home/logging.properties")) {
                LogManager.getLogManager().readConfiguration(in);
            }
            // Set here, because java.util.logging looks for classes where the nested jars of this program are not seen.
            for (Handler handler : LogManager.getLogManager().getLogger("").getHandlers()) {
                handler.setFormatter(new OneLineFormatter());
                handler.setFilter(new LogLimit(System::nanoTime));
            }
        }
    }

    /** The version that the build wrote into the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = GatewayCommand.class.getPackage().getImplementationVersion();
            return new String[] {"synapse-gateway " + (version == null ? "(not packaged)" : version)};
        }
    }
}
