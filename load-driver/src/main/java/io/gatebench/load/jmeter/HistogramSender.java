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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.gatebench.model.SecondOfLoad;

/**
 * Sends, instead of a message per sample, one per second that says how the test goes, and the totals when it has ended.
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

    private transient @Nullable LoadSession session;

    /** Is for JMeter, which calls it by reflection. */
    public HistogramSender(RemoteSampleListener controller) {
        this.controller = controller;
    }

    @Override
    public void sampleOccurred(SampleEvent event) {
        if (session == null && event.getResult() instanceof SessionSample sample) {
            LoadSession shared = sample.session();
            if (shared != null) {
                session = shared;
                shared.reportsBy(this);
            }
        }
    }

    /** Tells the controller of a second; one that does not get through is lost, the totals do not depend on it. */
    void tell(SecondOfLoad second) {
        try {
            send("", RemoteSecond.encode(second));
        } catch (RemoteException e) {
            LOG.debug("the controller could not be told of second {}: {}", second.second(), e.toString());
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory cannot fail", e);
        }
    }

    private void send(String host, byte[] data) throws RemoteException {
        SampleResult message = new SampleResult();
        message.setSampleLabel(host);
        message.setResponseData(data);
        controller.sampleOccurred(new SampleEvent(message, "gatebench", host));
    }

    @Override
    public void testEnded(String host) {
        try {
            LoadSession shared = session;
            send(host, shared == null ? new byte[0] : encoded(shared));
            controller.testEnded(host);
        } catch (RemoteException e) {
            LOG.error("the controller could not be told what {} has measured: {}", host, e.toString());
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory cannot fail", e);
        }
    }

    private static byte[] encoded(LoadSession session) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            session.finish().encode(out);
        }
        return bytes.toByteArray();
    }
}
