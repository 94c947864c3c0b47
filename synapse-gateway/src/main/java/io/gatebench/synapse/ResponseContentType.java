/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.util.Map;

import org.apache.axis2.Constants;
import org.apache.axis2.builder.BuilderUtil;
import org.apache.axis2.context.MessageContext;
import org.apache.axis2.handlers.AbstractHandler;

/**
 * Finds the content type of a back end's answer whatever the case of its header name.
 *
 * <p>Synapse 3.0.1 looks for {@code Content-Type} letter by letter and takes an answer with {@code content-type} for
 * binary. {@code axis2.xml} names this class, so it is public. Stateless and safe for concurrent use.
 */
public final class ResponseContentType extends AbstractHandler {

    /** Called by Axis2. */
    public ResponseContentType() {}

    @Override
    public InvocationResponse invoke(MessageContext message) {
        if (message.getProperty(MessageContext.TRANSPORT_HEADERS) instanceof Map<?, ?> headers
                && headers.get("Content-Type") instanceof String contentType
                && !contentType.equals(message.getProperty(Constants.Configuration.CONTENT_TYPE))) {
            message.setProperty(Constants.Configuration.CONTENT_TYPE, contentType);
            message.setProperty(
                    Constants.Configuration.CHARACTER_SET_ENCODING, BuilderUtil.getCharSetEncoding(contentType));
        }
        return InvocationResponse.CONTINUE;
    }
}
