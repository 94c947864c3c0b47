/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

/**
 * The settings of an echo server; {@link #defaults()} echoes at once on port 8688.
 *
 * <p>Immutable and thread-safe. Each setter of the {@link Builder} checks its own value, {@link Builder#build()} checks
 * what must fit together; both throw {@link IllegalArgumentException} with the setting, the rule and the value.
 *
 * @since 0.1
 */
public final class EchoServerConfig {

    /** The port of every product's back end. */
    public static final int DEFAULT_PORT = 8688;
    /** The largest request body that is taken: 1 MiB. */
    public static final int DEFAULT_MAX_CONTENT_LENGTH = 1 << 20;
    /** The largest request head, request line included: 16 KiB, which leaves room for long tokens. */
    public static final int DEFAULT_MAX_HEADER_SIZE = 16 << 10;
    /** The largest response that can be asked for: 64 MiB. */
    public static final int MAX_RESPONSE_SIZE = 64 << 20;
    /** The status of responses that fail on purpose. */
    public static final int DEFAULT_ERROR_STATUS = 503;
    /** The time within which a whole request must have arrived, counted from its first byte. */
    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(60);
    /** The time for which a client may leave a response unread. */
    public static final Duration DEFAULT_WRITE_TIMEOUT = Duration.ofSeconds(60);
    /** The time for which a connection may rest; long, since gateways keep their pools between two test cases. */
    public static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofMinutes(15);
    /** The time that requests in flight get to finish when the server stops. */
    public static final Duration DEFAULT_SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);
    /** Far above the published matrices (1000 users, eight back-end calls each). */
    public static final int DEFAULT_MAX_CONNECTIONS = 32_768;
    /** Holds the first burst of 4000 connects without a lost SYN where the kernel's somaxconn allows it. */
    public static final int DEFAULT_BACKLOG = 16_384;

    private final Builder values;

    private EchoServerConfig(Builder values) {
        this.values = values;
    }

    /** Returns the settings that a server has when nothing is said. */
    public static EchoServerConfig defaults() {
        return builder().build();
    }

    /** Returns a builder that holds the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the address to listen on. */
    public String host() {
        return values.host;
    }

    /** Returns the port to listen on; 0 lets the system choose. */
    public int port() {
        return values.port;
    }

    /** Returns the port of a second listener, with TLS; 0 lets the system choose; empty for none. */
    public OptionalInt tlsPort() {
        return values.tlsPort < 0 ? OptionalInt.empty() : OptionalInt.of(values.tlsPort);
    }

    /** Returns the port for health and metrics; 0 lets the system choose; empty for none. */
    public OptionalInt adminPort() {
        return values.adminPort < 0 ? OptionalInt.empty() : OptionalInt.of(values.adminPort);
    }

    /** Returns the delay of every response that does not ask for another. */
    public ResponseDelay delay() {
        return values.delay;
    }

    /** Returns whether {@link #port()} speaks TLS. */
    public boolean ssl() {
        return values.ssl;
    }

    /** Returns whether HTTP/2 is offered, by ALPN on TLS, by prior knowledge and upgrade in clear. */
    public boolean http2() {
        return values.http2;
    }

    /** Returns the PKCS12 key store; empty for a self-signed certificate made at start. */
    public Optional<Path> keyStore() {
        return Optional.ofNullable(values.keyStore);
    }

    /** Returns the password of the key store and of its key. */
    public String keyStorePassword() {
        return values.keyStorePassword;
    }

    /** Returns the code that does TLS. */
    public TlsProvider tlsProvider() {
        return values.tlsProvider;
    }

    /** Returns the bytes of every response body, whatever the request held; empty for an echo. */
    public OptionalInt responseSize() {
        return values.responseSize < 0 ? OptionalInt.empty() : OptionalInt.of(values.responseSize);
    }

    /** Returns the bytes per second at which a response body leaves; empty for as fast as it goes. */
    public OptionalLong bodyRate() {
        return values.bodyRate < 0 ? OptionalLong.empty() : OptionalLong.of(values.bodyRate);
    }

    /** Returns the share of requests, 0 to 1, that are answered with {@link #errorStatus()}. */
    public double errorRate() {
        return values.errorRate;
    }

    /** Returns the status of those answers, 400 to 599. */
    public int errorStatus() {
        return values.errorStatus;
    }

    /** Returns the share of requests, 0 to 1, whose connection (HTTP/2: stream) is reset. */
    public double resetRate() {
        return values.resetRate;
    }

    /** Returns the share of requests, 0 to 1, that are never answered. */
    public double neverAnswerRate() {
        return values.neverAnswerRate;
    }

    /** Returns the seed of drawn delays and faults. */
    public long seed() {
        return values.seed;
    }

    /** Returns whether requests may ask for a delay, size, rate, status or fault of their own by header. */
    public boolean controlHeaders() {
        return values.controlHeaders;
    }

    /** Returns the largest request body in bytes; above it 413 is answered. */
    public int maxContentLength() {
        return values.maxContentLength;
    }

    /** Returns the largest request head in bytes; above it 431 is answered. */
    public int maxHeaderSize() {
        return values.maxHeaderSize;
    }

    /** Returns the threads that serve connections; 0 for one per processor. */
    public int threads() {
        return values.threads;
    }

    /** Returns the transport to use. */
    public Transport transport() {
        return values.transport;
    }

    /** Returns the time within which a whole request must arrive; zero for no limit. */
    public Duration requestTimeout() {
        return values.requestTimeout;
    }

    /** Returns the time for which a client may read nothing of a response; zero for no limit. */
    public Duration writeTimeout() {
        return values.writeTimeout;
    }

    /** Returns the time for which a connection may rest between requests; zero for no limit. */
    public Duration idleTimeout() {
        return values.idleTimeout;
    }

    /** Returns the time that requests in flight get when the server stops. */
    public Duration shutdownTimeout() {
        return values.shutdownTimeout;
    }

    /** Returns the most connections that may be open at once; 0 for no limit. */
    public int maxConnections() {
        return values.maxConnections;
    }

    /** Returns the length asked of the kernel for the queue of connections not yet accepted. */
    public int backlog() {
        return values.backlog;
    }

    /** Returns the file that gets a line for every response; empty for none. */
    public Optional<Path> accessLog() {
        return Optional.ofNullable(values.accessLog);
    }

    /** Collects settings; not thread-safe, can be used again after {@link #build()}. */
    public static final class Builder implements Cloneable {

        private String host = "0.0.0.0";
        private int port = DEFAULT_PORT;
        private int tlsPort = -1;
        private int adminPort;
        private ResponseDelay delay = ResponseDelay.none();
        private boolean ssl;
        private boolean http2;
        private @Nullable Path keyStore;
        private String keyStorePassword = "";
        private TlsProvider tlsProvider = TlsProvider.AUTO;
        private int responseSize = -1;
        private long bodyRate = -1;
        private double errorRate;
        private int errorStatus = DEFAULT_ERROR_STATUS;
        private double resetRate;
        private double neverAnswerRate;
        private long seed = 1;
        private boolean controlHeaders = true;
        private int maxContentLength = DEFAULT_MAX_CONTENT_LENGTH;
        private int maxHeaderSize = DEFAULT_MAX_HEADER_SIZE;
        private int threads;
        private Transport transport = Transport.AUTO;
        private Duration requestTimeout = DEFAULT_REQUEST_TIMEOUT;
        private Duration writeTimeout = DEFAULT_WRITE_TIMEOUT;
        private Duration idleTimeout = DEFAULT_IDLE_TIMEOUT;
        private Duration shutdownTimeout = DEFAULT_SHUTDOWN_TIMEOUT;
        private int maxConnections = DEFAULT_MAX_CONNECTIONS;
        private int backlog = DEFAULT_BACKLOG;
        private @Nullable Path accessLog;

        private Builder() {}

        private Builder copy() {
            try {
                return (Builder) clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Sets the address to listen on, for all listeners. */
        public Builder host(String value) {
            if (value.isBlank()) {
                throw new IllegalArgumentException("host must not be blank; write 0.0.0.0 for every address");
            }
            host = value;
            return this;
        }

        /** Sets the port, 0 to 65535; 0 lets the system choose. */
        public Builder port(int value) {
            port = within("port", value, 0, 65_535);
            return this;
        }

        /** Adds a second listener, with TLS, on the port, 0 to 65535; 0 lets the system choose. */
        public Builder tlsPort(int value) {
            tlsPort = within("TLS port", value, 0, 65_535);
            return this;
        }

        /** Sets the port for health and metrics, 0 to 65535; 0 lets the system choose. */
        public Builder adminPort(int value) {
            adminPort = within("admin port", value, 0, 65_535);
            return this;
        }

        /** Switches health and metrics off. */
        public Builder noAdmin() {
            adminPort = -1;
            return this;
        }

        /** Sets the delay of every response. */
        public Builder delay(ResponseDelay value) {
            delay = value;
            return this;
        }

        /** Sets a fixed delay of every response. */
        public Builder delay(Duration value) {
            return delay(ResponseDelay.fixed(value));
        }

        /** Sets whether the port speaks TLS. */
        public Builder ssl(boolean value) {
            ssl = value;
            return this;
        }

        /** Sets whether HTTP/2 is offered. */
        public Builder http2(boolean value) {
            http2 = value;
            return this;
        }

        /** Sets the PKCS12 key store with the server's key, and the password of both. */
        public Builder keyStore(Path file, String password) {
            keyStore = file;
            keyStorePassword = password;
            return this;
        }

        /** Sets the code that does TLS. */
        public Builder tlsProvider(TlsProvider value) {
            tlsProvider = value;
            return this;
        }

        /** Sets the bytes of every response body, 0 to {@link #MAX_RESPONSE_SIZE}. */
        public Builder responseSize(int value) {
            responseSize = within("response size", value, 0, MAX_RESPONSE_SIZE);
            return this;
        }

        /** Sets the bytes per second, 1 or more, at which response bodies leave. */
        public Builder bodyRate(long value) {
            if (value < 1) {
                throw new IllegalArgumentException("body rate must be at least 1 byte per second, but was " + value);
            }
            bodyRate = value;
            return this;
        }

        /** Sets the share of requests, 0 to 1, that are answered with the error status. */
        public Builder errorRate(double value) {
            errorRate = share("error rate", value);
            return this;
        }

        /** Sets the error status, 400 to 599. */
        public Builder errorStatus(int value) {
            errorStatus = within("error status", value, 400, 599);
            return this;
        }

        /** Sets the share of requests, 0 to 1, whose connection is reset. */
        public Builder resetRate(double value) {
            resetRate = share("reset rate", value);
            return this;
        }

        /** Sets the share of requests, 0 to 1, that are never answered. */
        public Builder neverAnswerRate(double value) {
            neverAnswerRate = share("never-answer rate", value);
            return this;
        }

        /** Sets the seed of drawn delays and faults. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Sets whether requests may steer their own answer by {@code echo-*} headers. */
        public Builder controlHeaders(boolean value) {
            controlHeaders = value;
            return this;
        }

        /** Sets the largest request body in bytes, 0 to 1 GiB. */
        public Builder maxContentLength(long value) {
            maxContentLength = (int) within("max content length", value, 0, 1 << 30);
            return this;
        }

        /** Sets the largest request head in bytes, 256 to 1 MiB. */
        public Builder maxHeaderSize(int value) {
            maxHeaderSize = within("max header size", value, 256, 1 << 20);
            return this;
        }

        /** Sets the threads that serve connections, 0 to 1024; 0 for one per processor. */
        public Builder threads(int value) {
            threads = within("threads", value, 0, 1024);
            return this;
        }

        /** Sets the transport. */
        public Builder transport(Transport value) {
            transport = value;
            return this;
        }

        /** Sets the time within which a whole request must arrive; zero for no limit. */
        public Builder requestTimeout(Duration value) {
            requestTimeout = limit("request time-out", value);
            return this;
        }

        /** Sets the time for which a client may read nothing; zero for no limit. */
        public Builder writeTimeout(Duration value) {
            writeTimeout = limit("write time-out", value);
            return this;
        }

        /** Sets the time for which a connection may rest; zero for no limit. */
        public Builder idleTimeout(Duration value) {
            idleTimeout = limit("idle time-out", value);
            return this;
        }

        /** Sets the time that requests in flight get when the server stops; zero cuts them off. */
        public Builder shutdownTimeout(Duration value) {
            shutdownTimeout = limit("shutdown time-out", value);
            return this;
        }

        /** Sets the most connections, 0 or more; 0 for no limit. */
        public Builder maxConnections(int value) {
            maxConnections = within("max connections", value, 0, Integer.MAX_VALUE);
            return this;
        }

        /** Sets the length of the accept queue, 1 or more; the kernel cuts it to its own limit. */
        public Builder backlog(int value) {
            backlog = within("backlog", value, 1, 1 << 20);
            return this;
        }

        /** Sets the file that gets a line for every response; an existing one is overwritten. */
        public Builder accessLog(Path value) {
            accessLog = value;
            return this;
        }

        /**
         * Returns the settings.
         *
         * @throws IllegalArgumentException if the shares of failing requests add up to more than 1, or a key store is
         *     given but nothing speaks TLS
         */
        public EchoServerConfig build() {
            double sum = errorRate + resetRate + neverAnswerRate;
            if (sum > 1 + 1e-9) {
                throw new IllegalArgumentException(
                        "error, reset and never-answer rate must not exceed 1 together, but were " + errorRate + " + "
                                + resetRate + " + " + neverAnswerRate);
            }
            if (keyStore != null && !ssl && tlsPort < 0) {
                throw new IllegalArgumentException("key store " + keyStore
                        + " is given, but no port speaks TLS; add --ssl or --tls-port, or leave it out");
            }
            return new EchoServerConfig(copy());
        }

        private static int within(String what, int value, int least, int most) {
            return (int) within(what, (long) value, least, most);
        }

        private static long within(String what, long value, long least, long most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(
                        what + " must be between " + least + " and " + most + ", but was " + value);
            }
            return value;
        }

        private static double share(String what, double value) {
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException(what + " must be between 0 and 1, but was " + value);
            }
            return value;
        }

        private static Duration limit(String what, Duration value) {
            if (value.isNegative() || value.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException(what + " must be between 0 and 24h, but was " + value);
            }
            return value;
        }
    }
}
