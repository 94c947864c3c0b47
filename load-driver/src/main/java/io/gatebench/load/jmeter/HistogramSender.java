/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.rmi.RemoteException;

import org.apache.jmeter.samplers.AbstractSampleSender;
import org.apache.jmeter.samplers.RemoteSampleListener;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends, instead of a message per sample, the totals when the test has ended and they are on the disk.
 *
 * <p>JMeter makes it by the name in its property {@code mode} and sends it to the remote.
 */
public final class HistogramSender extends AbstractSampleSender implements Serializable {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(HistogramSender.class);

    /** A stub of the controller's, which RMI sends along; its type does not say so. */
    @SuppressWarnings("serial")
    private final RemoteSampleListener controller;

    /** Is for JMeter, which calls it by reflection. */
    public HistogramSender(RemoteSampleListener controller) {
        this.controller = controller;
    }

    @Override
    public void sampleOccurred(SampleEvent event) {
        // The load generator records them itself.
    }

    @Override
    public void testEnded(String host) {
        RemoteEngine engine = RemoteEngine.ofThisJvm().orElseThrow();
        try {
            SampleResult message = new SampleResult();
            message.setSampleLabel(host);
            message.setResponseData(encoded(engine.end()));
            controller.sampleOccurred(new SampleEvent(message, "gatebench", host));
            controller.testEnded(host);
        } catch (RemoteException e) {
            LOG.warn("the controller could not be told what was measured, which is kept here: {}", e.toString());
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory cannot fail", e);
        } finally {
            engine.told();
        }
    }

    private static byte[] encoded(RemoteOutcome outcome) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            outcome.encode(out);
        }
        return bytes.toByteArray();
    }
}
