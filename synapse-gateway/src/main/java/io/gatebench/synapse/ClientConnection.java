/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import org.apache.http.config.ConnectionConfig;
import org.apache.http.impl.ConnSupport;
import org.apache.http.impl.entity.StrictContentLengthStrategy;
import org.apache.http.impl.nio.DefaultNHttpServerConnection;
import org.apache.http.nio.reactor.IOSession;
import org.apache.http.nio.util.HeapByteBufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client, which repairs two faults of Synapse 3.0.1.
 *
 * <ul>
 *   <li>A request with neither Content-Length nor Transfer-Encoding is one without a body, as RFC 9112 says. The engine
 *       waits for the body of every POST and PUT until the client gives up.
 *   <li>An answer begins when the thread that submits it is done with that. The engine attaches the connection to the
 *       answer of the back end first; where more of that answer arrives in this moment, the thread that reads it begins
 *       to write, and the client gets an empty answer, one of another request, or a closed connection.
 * </ul>
 *
 * <p>Safe for concurrent use where its superclass is, and in {@link #requestOutput()}.
 */
final class ClientConnection extends DefaultNHttpServerConnection {
    private static final StrictContentLengthStrategy NO_LENGTH_IS_NO_BODY = new StrictContentLengthStrategy(0);

    private volatile @Nullable Thread submitter;

    ClientConnection(IOSession session, ConnectionConfig config) {
        super(
                session,
                config.getBufferSize(),
                config.getFragmentSizeHint(),
                HeapByteBufferAllocator.INSTANCE,
                ConnSupport.createDecoder(config),
                ConnSupport.createEncoder(config),
                config.getMessageConstraints(),
                NO_LENGTH_IS_NO_BODY,
                StrictContentLengthStrategy.INSTANCE,
                null,
                null);
    }

    /** Lets no other thread begin the answer that the calling one submits, until the calling one begins it. */
    void holdAnswer() {
        submitter = Thread.currentThread();
    }

    @Override
    public void requestOutput() {
        Thread holder = submitter;
        if (holder != null) {
            if (holder != Thread.currentThread()) {
                return;
            }
            submitter = null;
        }
        super.requestOutput();
    }
}
