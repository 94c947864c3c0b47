/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.netty.util.ResourceLeakDetector;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The echo back end as a command: starts a server, prints one line when it is ready, and serves until it is told to stop.
 *
 * <p>The line is {@code echo-backend ready port=8688 admin=40123 transport=io_uring threads=2 tls=false http2=false},
 * where {@code admin} may be {@code none}, {@code tls-port} and {@code tls-provider} follow if something speaks TLS, and
 * more {@code name=value} pairs may follow in later versions. On SIGTERM or SIGINT requests in flight are finished; the
 * process then ends as the JVM does on these signals, with 143 or 130. Interrupting the thread that runs the command stops
 * the server as well, and the command returns 0.
 *
 * @since 0.1
 */
@Command(
        name = "echo",
        versionProvider = EchoCommand.Version.class,
        sortOptions = false,
        abbreviateSynopsis = true,
        description = "Answer each HTTP request with its own body, after a delay if one is asked for.",
        footer = {
            "",
            "A request may ask for its own response by header: echo-delay, echo-response-size, echo-body-rate,"
                    + " echo-status (200 to 599), echo-fault (reset, never-answer, none).",
            "A path that holds 'graphql' or 'starwars', or a header query-number (1, 2, 3), gets the canned response"
                    + " of the Star Wars queries.",
            "/health and /metrics (Prometheus) are served on the admin port."
        })
public final class EchoCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    private boolean version;

    @Option(
            names = "--port",
            paramLabel = "<port>",
            defaultValue = "8688",
            description = "Port to listen on, 0 for any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "<address>",
            defaultValue = "0.0.0.0",
            description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String host = "";

    @Option(
            names = "--delay",
            paramLabel = "<delay>",
            defaultValue = "0ms",
            converter = DelayConverter.class,
            description = "Wait before each response: 30ms, uniform:20ms-40ms, normal:30ms,5ms or"
                    + " lognormal:p50=20ms,p99=200ms; a bare number is milliseconds (default: ${DEFAULT-VALUE}).")
    private ResponseDelay delay = ResponseDelay.none();

    @Option(
            names = {"--ssl", "--tls"},
            description = "Speak TLS on the port, with a self-signed certificate unless a key store is given.")
    private boolean ssl;

    @Option(
            names = "--tls-port",
            paramLabel = "<port>",
            description = "Speak TLS on this port as well, 0 for any free one.")
    private @Nullable Integer tlsPort;

    @Option(names = "--key-store-file", paramLabel = "<file>", description = "PKCS12 key store with the server's key.")
    private @Nullable Path keyStoreFile;

    @Option(
            names = "--key-store-password",
            paramLabel = "<password>",
            defaultValue = "${env:ECHO_KEY_STORE_PASSWORD:-}",
            showDefaultValue = CommandLine.Help.Visibility.NEVER,
            description = "Its password; better given in the environment variable ECHO_KEY_STORE_PASSWORD, since"
                    + " command lines can be read by others.")
    private String keyStorePassword = "";

    @Option(
            names = "--tls-provider",
            paramLabel = "<name>",
            defaultValue = "auto",
            converter = TlsProviderConverter.class,
            description = "auto, openssl or jdk (default: ${DEFAULT-VALUE}, openssl where it works).")
    private TlsProvider tlsProvider = TlsProvider.AUTO;

    @Option(
            names = "--export-certificate",
            paramLabel = "<file>",
            description = "Write the server's certificate to this PEM file, for clients to trust.")
    private @Nullable Path exportCertificate;

    @Option(
            names = "--http2",
            description = "Offer HTTP/2: by ALPN where TLS is spoken, by prior knowledge and upgrade in clear.")
    private boolean http2;

    @Option(
            names = "--admin-port",
            paramLabel = "<port>",
            defaultValue = "0",
            description = "Port for /health and /metrics, 0 for any free one, none for none"
                    + " (default: ${DEFAULT-VALUE}).")
    private String adminPort = "";

    @Option(
            names = "--response-size",
            paramLabel = "<size>",
            converter = SizeConverter.class,
            description = "Answer with a body of this size instead of an echo: 10240, 10KiB, 1MiB.")
    private @Nullable Long responseSize;

    @Option(
            names = "--body-rate",
            paramLabel = "<rate>",
            converter = RateConverter.class,
            description = "Send response bodies slowly: 10KiB/s.")
    private @Nullable Long bodyRate;

    @Option(
            names = "--error-rate",
            paramLabel = "<share>",
            defaultValue = "0",
            converter = ProbabilityConverter.class,
            description = "Share of requests answered with the error status: 1%% or 0.01 (default: ${DEFAULT-VALUE}).")
    private double errorRate;

    @Option(
            names = "--error-status",
            paramLabel = "<status>",
            defaultValue = "503",
            description = "Status of those responses, 400 to 599 (default: ${DEFAULT-VALUE}).")
    private int errorStatus;

    @Option(
            names = "--reset-rate",
            paramLabel = "<share>",
            defaultValue = "0",
            converter = ProbabilityConverter.class,
            description =
                    "Share of requests whose connection (HTTP/2: stream) is reset" + " (default: ${DEFAULT-VALUE}).")
    private double resetRate;

    @Option(
            names = "--never-answer-rate",
            paramLabel = "<share>",
            defaultValue = "0",
            converter = ProbabilityConverter.class,
            description = "Share of requests that are never answered (default: ${DEFAULT-VALUE}).")
    private double neverAnswerRate;

    @Option(
            names = "--seed",
            paramLabel = "<number>",
            defaultValue = "1",
            description = "Seed of drawn delays and faults; the same seed gives the n-th request the same fate"
                    + " (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--no-control-headers",
            description = "Do not let requests steer their own response by echo-* headers.")
    private boolean noControlHeaders;

    @Option(
            names = "--max-content-length",
            paramLabel = "<size>",
            defaultValue = "1MiB",
            converter = SizeConverter.class,
            description = "Largest request body; above it 413 is answered (default: ${DEFAULT-VALUE}).")
    private long maxContentLength;

    @Option(
            names = "--max-header-size",
            paramLabel = "<size>",
            defaultValue = "16KiB",
            converter = SizeConverter.class,
            description = "Largest request head; above it 431 is answered (default: ${DEFAULT-VALUE}).")
    private long maxHeaderSize;

    @Option(
            names = {"--threads", "--worker-threads"},
            paramLabel = "<count>",
            defaultValue = "0",
            description = "Threads that serve connections, 0 for one per processor (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--transport",
            paramLabel = "<name>",
            defaultValue = "auto",
            converter = TransportConverter.class,
            description = "auto, io_uring, epoll or nio (default: ${DEFAULT-VALUE}, the best that works here).")
    private Transport transport = Transport.AUTO;

    @Option(
            names = "--request-timeout",
            paramLabel = "<time>",
            defaultValue = "60s",
            converter = TimeConverter.class,
            description = "Time for a request to arrive in full, 0 for no limit (default: ${DEFAULT-VALUE}).")
    private Duration requestTimeout = Duration.ZERO;

    @Option(
            names = "--write-timeout",
            paramLabel = "<time>",
            defaultValue = "60s",
            converter = TimeConverter.class,
            description = "Time for which a client may leave a response unread, 0 for no limit"
                    + " (default: ${DEFAULT-VALUE}).")
    private Duration writeTimeout = Duration.ZERO;

    @Option(
            names = "--idle-timeout",
            paramLabel = "<time>",
            defaultValue = "15m",
            converter = TimeConverter.class,
            description = "Time for which a connection may rest between requests, 0 for no limit"
                    + " (default: ${DEFAULT-VALUE}).")
    private Duration idleTimeout = Duration.ZERO;

    @Option(
            names = "--shutdown-timeout",
            paramLabel = "<time>",
            defaultValue = "10s",
            converter = TimeConverter.class,
            description = "Time for requests in flight to finish when told to stop (default: ${DEFAULT-VALUE}).")
    private Duration shutdownTimeout = Duration.ZERO;

    @Option(
            names = "--max-connections",
            paramLabel = "<count>",
            defaultValue = "32768",
            description = "Connections open at once, 0 for no limit (default: ${DEFAULT-VALUE}).")
    private int maxConnections;

    @Option(
            names = "--backlog",
            paramLabel = "<count>",
            defaultValue = "16384",
            description = "Connections that may wait to be accepted; the kernel's somaxconn cuts it"
                    + " (default: ${DEFAULT-VALUE}).")
    private int backlog;

    @Option(
            names = "--access-log",
            paramLabel = "<file>",
            description = "Write one CSV line per response to this file; an existing one is overwritten.")
    private @Nullable Path accessLog;

    /** Serves until the process ends or the thread is interrupted, and returns 0. */
    @Override
    public Integer call() throws InterruptedException {
        trustBuffers();
        CommandLine commandLine = Objects.requireNonNull(spec).commandLine();
        try (EchoServer server = EchoServer.start(config(commandLine))) {
            Thread stop = new Thread(server::close, "echo-stop");
            Runtime.getRuntime().addShutdownHook(stop);
            if (exportCertificate != null) {
                export(server, exportCertificate);
            }
            PrintWriter out = commandLine.getOut();
            out.println(readyLine(server));
            out.flush();
            try {
                server.awaitClosed();
            } finally {
                unhook(stop);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /** Netty traces one buffer in 128 to find forgotten ones, at a price; that is what the tests are for. */
    private static void trustBuffers() {
        if (System.getProperty("io.netty.leakDetection.level") == null) {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        }
    }

    private static void unhook(Thread stop) {
        try {
            Runtime.getRuntime().removeShutdownHook(stop);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook is what closed the server.
            Thread.currentThread().interrupt();
        }
    }

    static String readyLine(EchoServer server) {
        String line = "echo-backend ready port=" + server.port() + " admin="
                + text(server.adminPort()) + " transport=" + server.transport() + " threads=" + server.threads()
                + " tls=" + server.config().ssl() + " http2=" + server.config().http2();
        if (server.tlsPort().isPresent()) {
            line += " tls-port=" + server.tlsPort().getAsInt();
        }
        if (server.tlsProvider().isPresent()) {
            line += " tls-provider=" + server.tlsProvider().get();
        }
        return line;
    }

    private static String text(OptionalInt port) {
        return port.isPresent() ? Integer.toString(port.getAsInt()) : "none";
    }

    private EchoServerConfig config(CommandLine commandLine) {
        try {
            EchoServerConfig.Builder builder = EchoServerConfig.builder()
                    .port(port)
                    .host(host)
                    .delay(delay)
                    .ssl(ssl)
                    .http2(http2)
                    .tlsProvider(tlsProvider)
                    .errorRate(errorRate)
                    .errorStatus(errorStatus)
                    .resetRate(resetRate)
                    .neverAnswerRate(neverAnswerRate)
                    .seed(seed)
                    .controlHeaders(!noControlHeaders)
                    .maxContentLength(maxContentLength)
                    .maxHeaderSize(Math.toIntExact(maxHeaderSize))
                    .threads(threads)
                    .transport(transport)
                    .requestTimeout(requestTimeout)
                    .writeTimeout(writeTimeout)
                    .idleTimeout(idleTimeout)
                    .shutdownTimeout(shutdownTimeout)
                    .maxConnections(maxConnections)
                    .backlog(backlog);
            if (tlsPort != null) {
                builder.tlsPort(tlsPort);
            }
            if (adminPort.equals("none")) {
                builder.noAdmin();
            } else {
                builder.adminPort(port(adminPort));
            }
            if (keyStoreFile != null) {
                builder.keyStore(keyStoreFile, keyStorePassword);
            }
            if (responseSize != null) {
                builder.responseSize(Math.toIntExact(responseSize));
            }
            if (bodyRate != null) {
                builder.bodyRate(bodyRate);
            }
            if (accessLog != null) {
                builder.accessLog(accessLog);
            }
            if (exportCertificate != null && !ssl && tlsPort == null) {
                throw new IllegalArgumentException("--export-certificate " + exportCertificate
                        + " is given, but no port speaks TLS; add --ssl or --tls-port, or leave it out");
            }
            return builder.build();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ParameterException(commandLine, e.getMessage(), e);
        }
    }

    private static int port(String text) {
        if (!text.matches("\\d{1,5}")) {
            throw new IllegalArgumentException("admin port must be a number or none, but was '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static void export(EchoServer server, Path file) {
        X509Certificate certificate = server.certificate().orElseThrow();
        try {
            String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded());
            Files.writeString(
                    file,
                    "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n",
                    StandardCharsets.US_ASCII);
        } catch (IOException | CertificateEncodingException e) {
            throw new EchoException("cannot write the certificate to " + file + ": " + e.getMessage(), e);
        }
    }

    static final class Version implements CommandLine.IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = EchoCommand.class.getPackage().getImplementationVersion();
            return new String[] {"echo-backend " + (version == null ? "(not packaged)" : version)};
        }
    }

    static final class DelayConverter implements ITypeConverter<ResponseDelay> {

        @Override
        public ResponseDelay convert(String value) {
            return converted(() -> ResponseDelay.parse(value));
        }
    }

    static final class TimeConverter implements ITypeConverter<Duration> {

        @Override
        public Duration convert(String value) {
            return converted(() -> Amounts.duration(value)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "'" + value + "' is no time; write for example 500ms, 60s or 15m")));
        }
    }

    static final class SizeConverter implements ITypeConverter<Long> {

        @Override
        public Long convert(String value) {
            return converted(() -> Amounts.bytes(value));
        }
    }

    static final class RateConverter implements ITypeConverter<Long> {

        @Override
        public Long convert(String value) {
            return converted(() -> Amounts.bytesPerSecond(value));
        }
    }

    static final class ProbabilityConverter implements ITypeConverter<Double> {

        @Override
        public Double convert(String value) {
            return converted(() -> Amounts.probability(value));
        }
    }

    static final class TransportConverter implements ITypeConverter<Transport> {

        @Override
        public Transport convert(String value) {
            return oneOf(Transport.values(), value);
        }
    }

    static final class TlsProviderConverter implements ITypeConverter<TlsProvider> {

        @Override
        public TlsProvider convert(String value) {
            return oneOf(TlsProvider.values(), value);
        }
    }

    private static <T> T oneOf(T[] all, String value) {
        for (T one : all) {
            if (one.toString().equalsIgnoreCase(value)) {
                return one;
            }
        }
        throw new CommandLine.TypeConversionException("'" + value + "' is none of "
                + Arrays.stream(all).map(Object::toString).collect(Collectors.joining(", ")));
    }

    private interface Conversion<T> {
        T get();
    }

    /** Lets picocli show our own words instead of "invalid value". */
    private static <T> T converted(Conversion<T> conversion) {
        try {
            return conversion.get();
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new CommandLine.TypeConversionException(String.valueOf(e.getMessage()));
        }
    }
}
