/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;
import org.apache.sshd.server.shell.ProcessShellFactory;

/** An SSH server in this JVM, on a free port of the loopback address; commands run as this user. */
final class EmbeddedSshServer implements AutoCloseable {

    private final SshServer server = SshServer.setUpDefaultServer();
    private final AtomicInteger commands = new AtomicInteger();
    private final Path directory;
    private final KeyPair hostKey;
    private final Path userKey;

    EmbeddedSshServer(Path directory) {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
            hostKey = KeyUtils.generateKeyPair("ecdsa-sha2-nistp256", 256);
            KeyPair user = KeyUtils.generateKeyPair("ecdsa-sha2-nistp256", 256);
            userKey = directory.resolve("id_user");
            try (OutputStream out = Files.newOutputStream(userKey)) {
                OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(user, "test", null, out);
            }
            server.setHost("127.0.0.1");
            server.setKeyPairProvider(KeyPairProvider.wrap(hostKey));
            server.setPublickeyAuthenticator((name, key, session) -> KeyUtils.compareKeys(key, user.getPublic()));
            server.setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
            server.setCommandFactory((channel, command) -> {
                commands.incrementAndGet();
                return new ProcessShellFactory(command, "/bin/sh", "-c", command).createShell(channel);
            });
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (java.security.GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    int port() {
        return server.getPort();
    }

    int commands() {
        return commands.get();
    }

    /** Ends all connections, as a network that fails does, but goes on to listen. */
    void breakConnections() {
        server.getActiveSessions().forEach(session -> session.close(true));
    }

    PublicKey hostKey() {
        return hostKey.getPublic();
    }

    Path knownHosts(PublicKey key) throws IOException {
        return Files.writeString(
                directory.resolve("known_hosts"), "[127.0.0.1]:" + port() + " " + PublicKeyEntry.toString(key) + "\n");
    }

    SshTarget target(Path work) {
        return new SshTarget(
                "embedded",
                "127.0.0.1",
                Optional.of("tester"),
                OptionalInt.of(port()),
                List.of(userKey),
                Optional.empty(),
                Optional.empty(),
                Optional.of(work.toString()),
                Optional.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString()),
                Optional.empty());
    }

    @Override
    public void close() {
        try {
            server.stop(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
