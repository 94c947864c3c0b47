/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;

import org.apache.sshd.agent.SshAgent;
import org.apache.sshd.agent.SshAgentFactory;
import org.apache.sshd.agent.SshAgentServer;
import org.apache.sshd.agent.common.AbstractAgentProxy;
import org.apache.sshd.common.FactoryManager;
import org.apache.sshd.common.channel.ChannelFactory;
import org.apache.sshd.common.session.ConnectionService;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/**
 * Talks to the agent that holds the user's keys, over the socket that {@code SSH_AUTH_SOCK} names. The library's own
 * client for it needs a native library.
 */
final class SshAgentSocket implements SshAgentFactory {

    private static final int MAX_ANSWER = 1 << 20;

    private final Path socket;

    SshAgentSocket(Path socket) {
        this.socket = socket;
    }

    @Override
    public List<ChannelFactory> getChannelForwardingFactories(FactoryManager manager) {
        return List.of();
    }

    @Override
    public SshAgent createClient(Session session, FactoryManager manager) throws IOException {
        return new Client(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }

    @Override
    public SshAgentServer createServer(ConnectionService service) {
        throw new UnsupportedOperationException("keys of the agent are never forwarded to a host");
    }

    private static final class Client extends AbstractAgentProxy {

        private final SocketChannel channel;

        private Client(SocketChannel channel) {
            super(null);
            this.channel = channel;
        }

        @Override
        protected Buffer request(Buffer request) throws IOException {
            ByteBuffer out = ByteBuffer.wrap(request.array(), request.rpos(), request.available());
            while (out.hasRemaining()) {
                channel.write(out);
            }
            ByteBuffer length = read(4);
            int size = length.getInt();
            if (size < 1 || size > MAX_ANSWER) {
                throw new IOException("the SSH agent sent an answer of " + size + " bytes");
            }
            return new ByteArrayBuffer(read(size).array());
        }

        private ByteBuffer read(int size) throws IOException {
            ByteBuffer in = ByteBuffer.allocate(size);
            while (in.hasRemaining()) {
                if (channel.read(in) < 0) {
                    throw new IOException("the SSH agent closed the connection");
                }
            }
            return in.flip();
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
