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

/**
 * Sends one message per remote load generator instead of one per sample: its totals, when its test has ended.
 *
 * <p>JMeter makes it by the name in its property {@code mode} and sends it to the remote.
 */
public final class HistogramSender extends AbstractSampleSender implements Serializable {

    @Serial
    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(HistogramSender.class);

    private final RemoteSampleListener controller;
    private transient @Nullable LoadSession session;

    /** Is for JMeter, which calls it by reflection. */
    public HistogramSender(RemoteSampleListener controller) {
        this.controller = controller;
    }

    @Override
    public void sampleOccurred(SampleEvent event) {
        if (session == null && event.getResult() instanceof SessionSample sample) {
            session = sample.session();
        }
    }

    @Override
    public void testEnded(String host) {
        try {
            LoadSession shared = session;
            SampleResult message = new SampleResult();
            message.setSampleLabel(host);
            message.setResponseData(shared == null ? new byte[0] : encoded(shared));
            controller.sampleOccurred(new SampleEvent(message, "gatebench", host));
            controller.testEnded(host);
        } catch (RemoteException e) {
            LOG.error("the controller could not be told what {} has measured: {}", host, e.toString());
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory cannot fail", e);
        }
    }

    private static byte[] encoded(LoadSession session) throws IOException {
        EmbeddedLoad.Outcome outcome = session.watch().finish();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            RemoteOutcome.encode(outcome, out);
        }
        return bytes.toByteArray();
    }
}
