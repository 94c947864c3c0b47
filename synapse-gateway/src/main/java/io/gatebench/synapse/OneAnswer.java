/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.io.InputStream;

import org.apache.axis2.context.MessageContext;
import org.apache.axis2.context.OperationContext;
import org.apache.axis2.handlers.AbstractHandler;
import org.apache.http.nio.NHttpServerConnection;
import org.apache.synapse.SynapseConstants;
import org.apache.synapse.transport.passthru.PassThroughConstants;
import org.apache.synapse.transport.passthru.Pipe;
import org.apache.synapse.transport.passthru.SourceContext;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a request gets one answer, gets it after it was read to its end, and gets it whole.
 *
 * <p>{@link ClientConnection} says why an answer is held until it is submitted. Three more faults of Synapse 3.0.1 make
 * this class necessary, all of them in answers that do not come from the back end:
 *
 * <ul>
 *   <li>A scenario that makes several calls for one request answers once for each of them that fails. The second answer
 *       breaks the connection or is taken for that to the client's next request. All of them share the operation of
 *       the request, which is marked here.
 *   <li>A request larger than the 8 KiB buffer that nobody reads never ends, and its answer is never written.
 *   <li>An answer reuses the buffer of the request. If a call had begun, the buffer goes back to the pool twice, and from
 *       then on two messages write into it: other clients get empty or mixed answers.
 * </ul>
 *
 * <p>{@code axis2.xml} names this class, so it is public. Stateless and safe for concurrent use.
 */
public final class OneAnswer extends AbstractHandler {
    private static final String ANSWERED = OneAnswer.class.getName();
    // A constant of the engine that only its own package may see.
    private static final String BACKEND_RESPONSE = "pass-through.Target-Response";

    /** Called by Axis2. */
    public OneAnswer() {}

    @Override
    public InvocationResponse invoke(MessageContext message) {
        OperationContext operation = message.getOperationContext();
        if (operation == null || !message.isPropertyTrue(SynapseConstants.ISRESPONSE_PROPERTY)) {
            return InvocationResponse.CONTINUE;
        }
        boolean isRelayed = !message.isPropertyTrue(PassThroughConstants.NO_ENTITY_BODY)
                && !message.isPropertyTrue(PassThroughConstants.MESSAGE_BUILDER_INVOKED);
        if (!markAnswered(operation)) {
            if (isRelayed) {
                readToEnd((Pipe) message.getProperty(PassThroughConstants.PASS_THROUGH_PIPE));
            }
            return InvocationResponse.ABORT;
        }
        if (!isRelayed && message.getProperty(BACKEND_RESPONSE) == null) {
            readToEnd(request(message));
            message.removeProperty(PassThroughConstants.PASS_THROUGH_PIPE);
        }
        if (message.getProperty(PassThroughConstants.PASS_THROUGH_SOURCE_CONNECTION)
                instanceof ClientConnection client) {
            client.holdAnswer();
        }
        return InvocationResponse.CONTINUE;
    }

    private static boolean markAnswered(OperationContext operation) {
        synchronized (operation) {
            if (operation.getPropertyNonReplicable(ANSWERED) != null) {
                return false;
            }
            operation.setNonReplicableProperty(ANSWERED, Boolean.TRUE);
            return true;
        }
    }

    private static @Nullable Pipe request(MessageContext message) {
        Object connection = message.getProperty(PassThroughConstants.PASS_THROUGH_SOURCE_CONNECTION);
        if (connection instanceof NHttpServerConnection client) {
            SourceContext context = SourceContext.get(client);
            return context == null ? null : context.getReader();
        }
        return null;
    }

    private static void readToEnd(@Nullable Pipe pipe) {
        if (pipe == null) {
            return;
        }
        InputStream in = pipe.getInputStream();
        byte[] ignored = new byte[8192];
        try {
            int length = in.read(ignored);
            // The engine's stream gives 0, not -1, when the sender has gone away.
            while (length > 0) {
                length = in.read(ignored);
            }
        } catch (IOException e) {
            System.getLogger(OneAnswer.class.getName())
                    .log(System.Logger.Level.DEBUG, "the sender went away before its message was read", e);
        }
    }
}
