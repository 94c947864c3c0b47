/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import javax.net.ssl.SSLContext;

import org.apache.http.config.ConnectionConfig;
import org.apache.http.impl.nio.DefaultHttpServerIODispatch;
import org.apache.http.nio.NHttpServerEventHandler;
import org.apache.http.nio.reactor.IOEventDispatch;
import org.apache.http.nio.reactor.ssl.SSLSetupHandler;
import org.apache.synapse.transport.passthru.PassThroughHttpListener;

/** The engine's HTTP listener with {@link ClientConnection}; {@code axis2.xml} names it, so it is public. */
public final class HttpListener extends PassThroughHttpListener {

    /** Called by Axis2. */
    public HttpListener() {}

    @Override
    protected IOEventDispatch getEventDispatch(
            NHttpServerEventHandler handler, SSLContext tls, SSLSetupHandler tlsSetup, ConnectionConfig config) {
        return new DefaultHttpServerIODispatch(handler, session -> new ClientConnection(session, config));
    }
}
