/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 over raw frames: what is no request, and what may not hurt the other streams of a connection. */
@TestInstance(Lifecycle.PER_CLASS)
class Http2ConformanceTest {

    private static final String GET = ":method=GET :scheme=http :path=/ :authority=a";
    private static final String POST = ":method=POST :scheme=http :path=/ :authority=a";

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int GOAWAY = 7;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int PROTOCOL_ERROR = 1;
    private static final int STREAM_CLOSED = 5;

    private LeakWatch leaks;
    private EchoServer server;

    @BeforeAll
    void start() {
        leaks = LeakWatch.start();
        server = EchoServer.start(EchoServerConfig.builder()
                .host("127.0.0.1")
                .port(0)
                .noAdmin()
                .http2(true)
                .build());
    }

    @AfterAll
    void stop() {
        server.close();
        leaks.assertNone();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":scheme=http :path=/ :authority=a",
                ":method=GET :path=/ :authority=a",
                ":method=GET :scheme=http :authority=a",
                ":method=GET :scheme=http :path= :authority=a",
                ":method=GET :method=GET :scheme=http :path=/",
                ":method=GET :scheme=http :scheme=http :path=/",
                ":method=GET :scheme=http :path=/ :path=/",
                ":method=GET :scheme=http x=y :path=/",
                ":method=GET :scheme=http :path=/ :unknown=1",
                ":method=GET :scheme=http :path=/ :status=200",
                ":method=GET :scheme=http :path=/ connection=close",
                ":method=GET :scheme=http :path=/ te=gzip",
                ":method=GET :scheme=http :path=/ Upper=1",
            })
    void resetsWhatIsNoRequestAndServesTheNext(String fields) throws IOException {
        try (Client client = new Client()) {
            client.headers(1, fields, true);
            Frame reset = client.next(RST_STREAM);
            assertThat(reset.stream).isEqualTo(1);
            assertThat(reset.code()).isEqualTo(PROTOCOL_ERROR);
            client.headers(3, GET, true);
            assertThat(client.next(HEADERS).stream).isEqualTo(3);
        }
    }

    @Test
    void resetsAStreamWhoseTrailersClaimToBeARequest() throws IOException {
        try (Client client = new Client()) {
            client.headers(1, POST, false);
            client.send(DATA, 0, 1, new byte[] {'x'});
            client.headers(1, GET, true);
            assertThat(client.next(RST_STREAM).code()).isEqualTo(PROTOCOL_ERROR);
        }
    }

    @Test
    void echoesABodyThatEndsWithTrailers() throws IOException {
        try (Client client = new Client()) {
            client.headers(1, POST, false);
            client.send(DATA, 0, 1, new byte[] {'x'});
            client.headers(1, "checksum=1", true);
            assertThat(client.next(HEADERS).stream).isEqualTo(1);
            assertThat(client.next(DATA).payload).isEqualTo(new byte[] {'x'});
        }
    }

    @Test
    void aSecondRequestOnAnEndedStreamIsOneToAClosedStream() throws IOException {
        try (Client client = new Client()) {
            client.headers(1, GET + " echo-delay=200ms", true);
            client.headers(1, GET, true);
            assertThat(client.next(RST_STREAM).code()).isEqualTo(STREAM_CLOSED);
        }
    }

    @Test
    void aStreamNumberThatWasPassedByEndsTheConnection() throws IOException {
        try (Client client = new Client()) {
            client.headers(5, GET, true);
            client.next(HEADERS);
            client.headers(3, GET, true);
            Frame goodbye = client.next(GOAWAY);
            assertThat(ByteBuffer.wrap(goodbye.payload).getInt(4)).isEqualTo(PROTOCOL_ERROR);
        }
    }

    @Test
    void whatIsUnderWayOnARefusedStreamHurtsNoOther() throws IOException {
        try (Client client = new Client()) {
            client.headers(1, POST + " content-length=2000000", false);
            assertThat(client.next(RST_STREAM).stream).isEqualTo(1);
            client.send(DATA, 0, 1, new byte[1000]);
            client.headers(1, "checksum=1", true);
            client.headers(3, GET, true);
            Frame answer = client.next(HEADERS);
            assertThat(answer.stream).isEqualTo(3);
        }
    }

    @Test
    void whoSpeaksNeitherProtocolGetsAnAnswerInNeither() {
        try (RawClient client = new RawClient(server.port())) {
            client.send("INVALID CONNECTION PREFACE\r\n\r\n");
            assertThat(client.isEnded()).isTrue();
        }
        try (RawClient client = new RawClient(server.port())) {
            client.send("BAD(METHOD) / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.response().status()).isEqualTo(400);
        }
    }

    private record Frame(int type, int flags, int stream, byte[] payload) {

        int code() {
            return ByteBuffer.wrap(payload).getInt();
        }
    }

    /** Sends exactly the frames it is told to, after the preface; fields are literals without a table. */
    private final class Client implements AutoCloseable {

        private final Socket socket;
        private final DataInputStream in;

        Client() throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
            socket.setSoTimeout(10_000);
            in = new DataInputStream(socket.getInputStream());
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            send(SETTINGS, 0, 0, new byte[0]);
        }

        void send(int type, int flags, int stream, byte[] payload) throws IOException {
            ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
            frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
            frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
            socket.getOutputStream().write(frame.array());
        }

        void headers(int stream, String fields, boolean last) throws IOException {
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            for (String field : fields.split(" ")) {
                int equals = field.indexOf('=');
                block.write(0);
                for (String part : new String[] {field.substring(0, equals), field.substring(equals + 1)}) {
                    block.write(part.length());
                    block.writeBytes(part.getBytes(StandardCharsets.US_ASCII));
                }
            }
            send(HEADERS, END_HEADERS | (last ? END_STREAM : 0), stream, block.toByteArray());
        }

        /** Returns the next frame of the type; what comes before it is passed over. */
        Frame next(int type) throws IOException {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int read = in.readUnsignedByte();
                Frame frame = new Frame(read, in.readUnsignedByte(), in.readInt(), in.readNBytes(length));
                if (frame.type == type) {
                    return frame;
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
