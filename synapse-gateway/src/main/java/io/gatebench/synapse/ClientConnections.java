/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import org.apache.http.config.ConnectionConfig;
import org.apache.http.impl.ConnSupport;
import org.apache.http.impl.entity.StrictContentLengthStrategy;
import org.apache.http.impl.nio.DefaultNHttpServerConnection;
import org.apache.http.nio.NHttpConnectionFactory;
import org.apache.http.nio.reactor.IOSession;
import org.apache.http.nio.util.HeapByteBufferAllocator;

/**
 * Makes connections that take a request with neither Content-Length nor Transfer-Encoding for one without a body, as
 * RFC 9112 says.
 *
 * <p>Those of Synapse 3.0.1 wait for the body of every POST and PUT until the client gives up.
 *
 * @param config buffers and limits of a connection
 */
record ClientConnections(ConnectionConfig config) implements NHttpConnectionFactory<DefaultNHttpServerConnection> {
    private static final StrictContentLengthStrategy NO_LENGTH_IS_NO_BODY = new StrictContentLengthStrategy(0);

    @Override
    public DefaultNHttpServerConnection createConnection(IOSession session) {
        return new DefaultNHttpServerConnection(
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
}
