/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.samplers.Remoteable;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleListener;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.testelement.TestStateListener;

/**
 * Receives the outcomes of remote load generators.
 *
 * <p>It is a state listener too, as JMeter otherwise sends every sample on its own and ignores the sender.
 */
public final class OutcomeSink extends AbstractTestElement
        implements SampleListener, TestStateListener, Remoteable, NoThreadClone {

    @Serial
    private static final long serialVersionUID = 1L;

    private transient Map<String, RemoteOutcome> outcomes = new ConcurrentHashMap<>();
    private transient List<String> problems = new CopyOnWriteArrayList<>();

    @Override
    public Object clone() {
        OutcomeSink copy = (OutcomeSink) super.clone();
        copy.outcomes = outcomes;
        copy.problems = problems;
        return copy;
    }

    @Override
    public void sampleOccurred(SampleEvent event) {
        byte[] data = event.getResult().getResponseData();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(data))) {
            outcomes.put(event.getResult().getSampleLabel(), RemoteOutcome.decode(in));
        } catch (IOException e) {
            problems.add("the result of " + event.getResult().getSampleLabel() + " is damaged: " + e.getMessage());
        }
    }

    /** Returns what has come, by the address of the remote. */
    Map<String, RemoteOutcome> outcomes() {
        return outcomes;
    }

    List<String> problems() {
        return problems;
    }

    @Override
    public void sampleStarted(SampleEvent event) {
        // Remotes send one message, at the end.
    }

    @Override
    public void sampleStopped(SampleEvent event) {
        // Remotes send one message, at the end.
    }

    @Override
    public void testStarted() {
        // The outcomes say what counts.
    }

    @Override
    public void testStarted(String host) {
        // The outcomes say what counts.
    }

    @Override
    public void testEnded() {
        // The outcomes say what counts.
    }

    @Override
    public void testEnded(String host) {
        // The outcomes say what counts.
    }
}
