/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

/** Over a connection that answers as the script of a host does. */
class SshHostTest {

    /** A host that may be replaced by one on which nothing was taken yet. */
    private static final class Replaceable implements HostConnection {

        private boolean held;

        @Override
        public String hostName() {
            return "10.0.0.7";
        }

        @Override
        public boolean isApart() {
            return false;
        }

        @Override
        public String command(String script, List<String> words) {
            return words.get(0);
        }

        @Override
        public Exec exec(String command, InputStream in, long length, OutputStream out, Duration timeout) {
            switch (command) {
                case "info" -> write(out, "kernel=Linux\n");
                case "acquire" -> held = true;
                case "renew" -> {
                    return new Exec(held ? 0 : 1, new byte[0], "");
                }
                default -> {
                    // Nothing to do here.
                }
            }
            return new Exec(0, new byte[0], "");
        }

        private static void write(OutputStream out, String text) {
            try {
                out.write(text.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public InetSocketAddress forward(String address, int port) {
            throw new AssertionError("nothing is reached through it");
        }

        @Override
        public boolean reaches(String address, int port) {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void aHostThatWasReplacedSinceTheLastRenewalIsTakenAgain() {
        Replaceable connection = new Replaceable();
        List<String> notes = new ArrayList<>();
        // So long that no renewal falls into the test.
        SshSettings settings = new SshSettings(
                Optional.empty(), Path.of("none"), false, Duration.ofMinutes(10), Duration.ofSeconds(1));
        try (SshHost host =
                SshHost.connect(SshTarget.of("gateway", "gateway"), settings, connection, "a1", notes::add)) {
            host.lock("test");
            connection.held = false;
            host.recover();
            assertThat(connection.held).isTrue();
            assertThat(notes).last().isEqualTo("gateway was taken again");
        }
    }
}
