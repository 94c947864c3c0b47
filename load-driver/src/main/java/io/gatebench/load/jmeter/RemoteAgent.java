/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.Serial;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.testelement.TestStateListener;
import org.apache.jmeter.util.JMeterUtils;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.stats.SelfObservation;
import io.gatebench.model.SecondOfLoad;

/** Watches a test on a remote load generator, as {@link EmbeddedLoad} does where it runs the engine itself. */
public final class RemoteAgent extends AbstractTestElement implements TestStateListener, NoThreadClone {

    @Serial
    private static final long serialVersionUID = 1L;

    private @Nullable LoadSession session;

    /** Is for JMeter's cloning. */
    public RemoteAgent() {
        // JMeter makes clones by reflection and needs this constructor.
    }

    RemoteAgent(LoadSession session) {
        this.session = session;
    }

    @Override
    public Object clone() {
        RemoteAgent copy = (RemoteAgent) super.clone();
        copy.session = session;
        return copy;
    }

    @Override
    public void testStarted() {
        testStarted("local");
    }

    @Override
    public void testStarted(String host) {
        LoadSession shared = java.util.Objects.requireNonNull(session);
        // A stop that was meant for the test before must not end this one.
        JMeterUtils.getJMeterProperties().remove(DistributedLoad.STOP_PROPERTY);
        SelfObservation self = new SelfObservation();
        AtomicReference<EmbeddedLoad> mine = new AtomicReference<>();
        EmbeddedLoad load = new EmbeddedLoad(shared, new EmbeddedLoad.Observer() {
            @Override
            public void windowBegins() {
                self.begin();
            }

            @Override
            public void windowEnds() {
                self.end();
            }

            @Override
            public void second(SecondOfLoad figures) {
                shared.report(figures);
                String reason = JMeterUtils.getPropDefault(DistributedLoad.STOP_PROPERTY, "");
                if (!reason.isEmpty()) {
                    mine.get().stop(reason);
                }
            }
        });
        mine.set(load);
        shared.watchedBy(load, self);
        load.begin();
    }

    @Override
    public void testEnded() {
        // The sender takes the outcome.
    }

    @Override
    public void testEnded(String host) {
        // The sender takes the outcome.
    }
}
