/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.http.BodyListener;
import io.gatebench.load.engine.http.HttpConnection;
import io.gatebench.load.engine.http.HttpExchangeException;
import io.gatebench.load.engine.http.HttpRequestHead;
import io.gatebench.load.engine.http.HttpTarget;
import io.gatebench.load.engine.http.HttpTimeouts;
import io.gatebench.load.engine.http.ResponseDeadlines;
import io.gatebench.load.engine.http.ScriptedServer;

class KeptConnectionsIT {

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final Trust TRUST = Trust.system();
    private static final HttpTarget OTHER = new HttpTarget("127.0.0.1", 1, false);
    private static final HttpTarget THIRD = new HttpTarget("127.0.0.1", 2, false);

    private final ResponseDeadlines deadlines = new ResponseDeadlines(Duration.ofSeconds(30));
    private final LongAdder opened = new LongAdder();
    private final KeptConnections kept = new KeptConnections(2);

    @AfterEach
    void close() {
        deadlines.close();
    }

    private static ScriptedServer server(String... answers) throws IOException {
        return new ScriptedServer(InetAddress.getByName("127.0.0.1"), answers);
    }

    private static HttpTarget target(ScriptedServer server) {
        return new HttpTarget("127.0.0.1", server.port(), false);
    }

    private HttpConnection connection(HttpTarget target) {
        return new HttpConnection(
                target,
                null,
                false,
                new HttpTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30)),
                deadlines,
                opened);
    }

    private static void get(HttpConnection connection, HttpTarget target) throws HttpExchangeException {
        connection.exchange(
                new HttpRequestHead(target, "GET", "/path", Map.of()), null, new byte[0], new BodyListener() {
                    @Override
                    public void begin(int status) {
                        assertThat(status).isEqualTo(200);
                    }

                    @Override
                    public void accept(byte[] piece, int offset, int length) {
                        // The status is enough.
                    }
                });
    }

    private HttpConnection.Opened used(HttpTarget target) throws HttpExchangeException {
        try (HttpConnection first = connection(target)) {
            get(first, target);
            return first.release().orElseThrow();
        }
    }

    @Test
    void theNextOneGoesOnWithWhatAnotherHasOpened() throws Exception {
        try (ScriptedServer server = server(OK, OK)) {
            HttpTarget target = target(server);
            kept.begin(target, TRUST);
            kept.keep(target, TRUST, used(target));

            try (HttpConnection second = connection(target)) {
                second.take(kept.take(target, TRUST).orElseThrow());
                get(second, target);

                assertThat(second.connectNanos()).isEqualTo(-1);
            }
            assertThat(kept.take(target, TRUST)).isEmpty();
            assertThat(server.connections()).hasValue(1);
            assertThat(opened.sum()).isEqualTo(1);
        }
    }

    @Test
    void oneThatTheServerHasClosedIsReplaced() throws Exception {
        try (ScriptedServer server = server(OK + "<close>", OK)) {
            HttpTarget target = target(server);
            kept.begin(target, TRUST);
            kept.keep(target, TRUST, used(target));

            try (HttpConnection second = connection(target)) {
                second.take(kept.take(target, TRUST).orElseThrow());
                get(second, target);
            }
            assertThat(server.connections()).hasValue(2);
        }
    }

    @Test
    void thoseOfTheServerThatWasLoadedLongestAgoAreClosed() throws Exception {
        try (ScriptedServer server = server(OK, OK)) {
            HttpTarget target = target(server);
            kept.begin(target, TRUST);
            HttpConnection.Opened open = used(target);
            kept.keep(target, TRUST, open);
            kept.begin(OTHER, TRUST);
            kept.begin(THIRD, TRUST);

            assertThat(kept.take(target, TRUST)).isEmpty();
            try (HttpConnection second = connection(target)) {
                second.take(open);
                get(second, target);
            }
            assertThat(server.connections()).hasValue(2);
        }
    }

    @Test
    void anotherTrustHasOtherConnections() throws Exception {
        try (ScriptedServer server = server(OK)) {
            HttpTarget target = target(server);
            kept.begin(target, TRUST);
            kept.keep(target, TRUST, used(target));

            assertThat(kept.take(target, Trust.everything())).isEmpty();
        }
    }

    @Test
    void whatEndedBadlyIsNotGivenAway() throws Exception {
        // So long that the server writes it at once.
        try (ScriptedServer server = server(OK + "x".repeat(1000))) {
            HttpTarget target = target(server);
            try (HttpConnection first = connection(target)) {
                assertThat(first.release()).isEmpty();
                get(first, target);
                // More has come than the answer.
                assertThat(first.release()).isEmpty();
            }
        }
    }
}
