/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.InputStream;

import org.apache.axiom.om.OMElement;
import org.apache.axis2.AxisFault;
import org.apache.axis2.builder.ApplicationXMLBuilder;
import org.apache.axis2.builder.Builder;
import org.apache.axis2.builder.SOAPBuilder;
import org.apache.axis2.context.MessageContext;

/**
 * Reads {@code text/xml} as SOAP 1.1 when a SOAPAction came with it and as plain XML otherwise.
 *
 * <p>Axis2 makes that choice for its own transports, but the pass-through transport of the engine asks the configured
 * builder at once, and the one for {@code text/xml} takes SOAP only. {@code axis2.xml} names this class, so it is
 * public. Stateless and safe for concurrent use.
 */
public final class TextXmlBuilder implements Builder {
    private final Builder soap = new SOAPBuilder();
    private final Builder plain = new ApplicationXMLBuilder();

    /** Called by Axis2. */
    public TextXmlBuilder() {}

    @Override
    public OMElement processDocument(InputStream in, String contentType, MessageContext message) throws AxisFault {
        return (message.isDoingREST() ? plain : soap).processDocument(in, contentType, message);
    }
}
