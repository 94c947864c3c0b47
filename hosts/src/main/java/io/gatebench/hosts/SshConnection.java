/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ChannelDirectTcpip;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.config.hosts.ConfigFileHostEntryResolver;
import org.apache.sshd.client.config.hosts.HostConfigEntry;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.client.session.forward.ExplicitPortForwardingTracker;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.keyprovider.FileKeyPairProvider;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.forward.ForwardingFilter;
import org.apache.sshd.server.forward.TcpForwardingFilter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostUnreachableException;
import io.gatebench.spi.host.Tunnel;

/** The connection to one host over SSH. */
final class SshConnection implements HostConnection {

    private static final Logger LOG = LoggerFactory.getLogger(SshConnection.class);
    private static final Duration CONNECT = Duration.ofSeconds(10);
    // A peer that is silent for this long is taken for gone; less would take a slow or lossy path for a dead one.
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(4);
    private static final int UNANSWERED = 3;

    private final SshTarget target;
    private final SshSettings settings;
    private final SshClient client;
    private final HostKeys hostKeys;
    private final HostConfigEntry entry;
    private @Nullable ClientSession session;
    /** Forwarded ports, which end with their connection. */
    private final Map<SshdSocketAddress, ExplicitPortForwardingTracker> forwarded = new HashMap<>();

    private @Nullable ClientSession forwarding;
    private volatile boolean closed;

    SshConnection(SshTarget target, SshSettings settings) {
        this.target = target;
        this.settings = settings;
        this.hostKeys = new HostKeys(target.name(), settings.knownHosts(), settings.acceptNewHostKeys());
        this.client = SshClient.setUpDefaultClient();
        client.setServerKeyVerifier(hostKeys);
        // A server opens ways here only through ports that this program has asked it for.
        client.setForwardingFilter(
                ForwardingFilter.asForwardingFilter(client.getForwardingFilter(), null, TcpForwardingFilter.DEFAULT));
        HostConfigEntryResolver resolver = resolver();
        client.setHostConfigEntryResolver(resolver);
        agent();
        CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, KEEP_ALIVE);
        CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, UNANSWERED);
        CoreModuleProperties.IO_CONNECT_TIMEOUT.set(client, CONNECT);
        CoreModuleProperties.AUTH_TIMEOUT.set(client, Duration.ofSeconds(30));
        CoreModuleProperties.TCP_NODELAY.set(client, true);
        this.entry = entry(resolver);
        client.setSignatureFactories(HostKeys.order(
                client.getSignatureFactories(),
                settings.knownHosts(),
                List.of(target.destination(), entry.getHostName()),
                entry.getPort()));
        client.start();
    }

    /** Returns the address that the SSH configuration gives for the destination. */
    @Override
    public String hostName() {
        return entry.getHostName();
    }

    private HostConfigEntryResolver resolver() {
        return settings.configFile()
                .filter(Files::isReadable)
                .<HostConfigEntryResolver>map(ConfigFileHostEntryResolver::new)
                .orElse(HostConfigEntryResolver.EMPTY);
    }

    private void agent() {
        String socket = System.getenv("SSH_AUTH_SOCK");
        if (socket != null
                && !socket.isBlank()
                && Files.exists(Path.of(socket))
                && target.keys().isEmpty()) {
            client.setAgentFactory(new SshAgentSocket(Path.of(socket)));
            client.getProperties().put(org.apache.sshd.agent.SshAgent.SSH_AUTHSOCKET_ENV_NAME, socket);
        }
    }

    private HostConfigEntry entry(HostConfigEntryResolver resolver) {
        HostConfigEntry resolved;
        try {
            resolved = resolver.resolveEffectiveHost(
                    target.destination(),
                    target.port().orElse(0),
                    null,
                    target.user().orElse(null),
                    target.jump().orElse(null),
                    null);
        } catch (IOException e) {
            throw new HostException(
                    "the SSH configuration " + settings.configFile().orElseThrow() + " cannot be read: "
                            + HostException.reason(e),
                    e);
        }
        HostConfigEntry result = new HostConfigEntry();
        result.setHost(target.destination());
        result.setHostName(
                resolved == null || resolved.getHostName() == null ? target.destination() : resolved.getHostName());
        int port = resolved == null ? 0 : resolved.getPort();
        result.setPort(target.port().orElse(port > 0 ? port : 22));
        String user = resolved == null ? null : resolved.getUsername();
        result.setUsername(
                target.user().orElse(user == null || user.isBlank() ? System.getProperty("user.name") : user));
        target.jump().ifPresentOrElse(result::setProxyJump, () -> {
            if (resolved != null && resolved.getProxyJump() != null) {
                result.setProxyJump(resolved.getProxyJump());
            }
        });
        if (!target.keys().isEmpty()) {
            target.keys().forEach(result::addIdentity);
            result.setIdentitiesOnly(true);
            // A jump host of the same hosts file is entered with the same keys.
            client.setKeyIdentityProvider(new FileKeyPairProvider(target.keys()));
        } else if (resolved != null) {
            result.setIdentities(resolved.getIdentities());
            result.setIdentitiesOnly(resolved.isIdentitiesOnly());
        }
        return result;
    }

    /** Returns the connection, made anew if there is none. */
    private synchronized ClientSession session() {
        if (closed) {
            throw new HostException("the connection to " + target.name() + " was closed by this program");
        }
        ClientSession current = session;
        if (current != null && current.isOpen()) {
            return current;
        }
        ClientSession fresh = null;
        try {
            fresh = client.connect(entry).verify(CONNECT).getSession();
            fresh.auth().verify(Duration.ofSeconds(30));
            session = fresh;
            return fresh;
        } catch (IOException e) {
            if (fresh != null) {
                fresh.close(true);
            }
            throw failure(e);
        }
    }

    private HostException failure(IOException e) {
        String where =
                entry.getUsername() + "@" + entry.getHostName() + (entry.getPort() == 22 ? "" : ":" + entry.getPort());
        String refusal = hostKeys.refusal();
        if (refusal != null) {
            return new HostException(refusal, e);
        }
        String text = HostException.reason(e);
        if (e instanceof SshException && text.toLowerCase(Locale.ROOT).contains("authentication methods")) {
            return new HostException(
                    target.name() + " (" + where + ") accepts none of the keys that were tried"
                            + (target.keys().isEmpty()
                                    ? " (those of the SSH configuration, the default ones and the agent's)"
                                    : " (" + target.keys() + ")")
                            + "; a key with a pass-phrase works through the SSH agent",
                    e);
        }
        return new HostUnreachableException(target.name() + " (" + where + ") cannot be reached: " + text, e);
    }

    @Override
    public Exec exec(String command, InputStream in, long length, OutputStream out, Duration timeout) {
        ClientSession current = session();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (ChannelExec channel = channel(current, command)) {
            channel.setIn(in);
            channel.setOut(out);
            channel.setErr(new BoundedOutput(err, MAX_OUTPUT));
            channel.open().verify(CONNECT);
            Set<ClientChannelEvent> events = channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), timeout);
            if (events.contains(ClientChannelEvent.TIMEOUT)) {
                // The host may be cut off without a word: the next command must not wait on a dead connection.
                drop(current);
                throw new HostUnreachableException(
                        target.name() + " did not answer within " + timeout.toSeconds() + " s");
            }
            Integer status = channel.getExitStatus();
            if (status == null) {
                if (channel.getExitSignal() != null) {
                    return new Exec(128, new byte[0], "ended by signal " + channel.getExitSignal());
                }
                drop(current);
                throw new HostUnreachableException("the connection to " + target.name()
                        + " was lost while a command ran; how it ended is not known");
            }
            return new Exec(status, new byte[0], err.toString(java.nio.charset.StandardCharsets.UTF_8));
        } catch (IOException e) {
            drop(current);
            throw new HostUnreachableException(
                    "the connection to " + target.name() + " was lost: " + HostException.reason(e), e);
        }
    }

    /** A session that is just being closed refuses a channel by an exception that is none of I/O. */
    private static ChannelExec channel(ClientSession session, String command) throws IOException {
        try {
            return session.createExecChannel(command);
        } catch (IllegalStateException e) {
            throw new IOException("it is being closed", e);
        }
    }

    @Override
    public synchronized InetSocketAddress forward(String address, int port) {
        ClientSession current = session();
        SshdSocketAddress there = new SshdSocketAddress(address, port);
        if (forwarding != current) {
            forwarding = current;
            forwarded.clear();
        }
        ExplicitPortForwardingTracker open = forwarded.get(there);
        try {
            if (open == null || !open.isOpen()) {
                open = current.createLocalPortForwardingTracker(
                        new SshdSocketAddress(SshdSocketAddress.LOCALHOST_IPV4, 0), there);
                forwarded.put(there, open);
            }
            return open.getBoundAddress().toInetSocketAddress();
        } catch (IOException e) {
            throw new HostException(
                    "no way through " + target.name() + " to " + address + ":" + port + " can be made: "
                            + HostException.reason(e),
                    e);
        }
    }

    @Override
    public Tunnel tunnelTo(int port) {
        return tunnel("to", port, ClientSession::startLocalPortForwarding, ClientSession::stopLocalPortForwarding);
    }

    @Override
    public Tunnel tunnelFrom(int port) {
        return tunnel("from", port, ClientSession::startRemotePortForwarding, ClientSession::stopRemotePortForwarding);
    }

    /** Asks for a tunnel, and is told where its near end is. */
    private interface Start {
        SshdSocketAddress of(ClientSession current, SshdSocketAddress near, SshdSocketAddress far) throws IOException;
    }

    /** Ends a tunnel, which is known by where its near end is. */
    private interface Stop {
        void of(ClientSession current, SshdSocketAddress bound) throws IOException;
    }

    /** A tracker of the library is of no use here: it ends a remote tunnel by the port that was asked for, which is 0. */
    private Tunnel tunnel(String direction, int port, Start start, Stop stop) {
        ClientSession current = session();
        try {
            return new SshTunnel(current, start.of(current, loopback(0), loopback(port)), stop);
        } catch (IOException e) {
            if (!current.isOpen()) {
                throw new HostUnreachableException(
                        "the connection to " + target.name() + " was lost: " + HostException.reason(e), e);
            }
            throw new HostException(
                    "no tunnel " + direction + " " + target.name() + " can be made: " + HostException.reason(e)
                            + "; its sshd must allow it (AllowTcpForwarding), or name no distribution in the hosts file",
                    e);
        }
    }

    private static SshdSocketAddress loopback(int port) {
        return new SshdSocketAddress(SshdSocketAddress.LOCALHOST_IPV4, port);
    }

    /** A port that SSH forwards. */
    private record SshTunnel(ClientSession current, SshdSocketAddress bound, Stop stop) implements Tunnel {

        @Override
        public int port() {
            return bound.getPort();
        }

        @Override
        public void close() {
            try {
                stop.of(current, bound);
            } catch (IOException e) {
                LOG.debug("a tunnel was gone already: {}", HostException.reason(e));
            }
        }
    }

    @Override
    public boolean reaches(String address, int port) {
        ClientSession current = session();
        try (ChannelDirectTcpip channel = current.createDirectTcpipChannel(
                new SshdSocketAddress(SshdSocketAddress.LOCALHOST_IPV4, 0), new SshdSocketAddress(address, port))) {
            channel.open().verify(CONNECT);
            return true;
        } catch (IOException | IllegalStateException e) {
            if (!current.isOpen()) {
                throw new HostUnreachableException(
                        "the connection to " + target.name() + " was lost: " + HostException.reason(e), e);
            }
            return false;
        }
    }

    /** Returns whether roles have an address of their own, or the host lies behind another one, so that only its connection leads there. */
    @Override
    public boolean isApart() {
        return target.roleAddress().isPresent()
                || (entry.getProxyJump() != null && !entry.getProxyJump().isBlank());
    }

    private synchronized void drop(ClientSession lost) {
        lost.close(true);
        if (session == lost) {
            session = null;
        }
    }

    @Override
    public void close() {
        closed = true;
        ClientSession current;
        synchronized (this) {
            current = session;
            session = null;
        }
        if (current != null) {
            current.close(true);
        }
        client.stop();
    }
}
