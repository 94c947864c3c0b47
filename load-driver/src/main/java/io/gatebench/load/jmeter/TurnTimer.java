/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.Serial;

import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.testelement.ThreadListener;
import org.apache.jmeter.threads.JMeterContextService;
import org.apache.jmeter.timers.Timer;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.jmeter.LoadSession.Runtime;

/**
 * Lets each user wait for its next request, and ends its thread when there is none.
 *
 * <p>Waits itself instead of returning a delay: JMeter's delays are whole milliseconds and begin when they are asked for.
 */
public final class TurnTimer extends AbstractTestElement implements Timer, ThreadListener {

    @Serial
    private static final long serialVersionUID = 1L;

    private @Nullable LoadSession session;
    private transient @Nullable User user;

    /** Is for JMeter's cloning. */
    public TurnTimer() {
        // JMeter makes clones by reflection and needs this constructor.
    }

    TurnTimer(LoadSession session) {
        this.session = session;
    }

    @Override
    public Object clone() {
        TurnTimer copy = (TurnTimer) super.clone();
        copy.session = session;
        return copy;
    }

    @Override
    public long delay() {
        Runtime runtime = java.util.Objects.requireNonNull(session).runtime();
        User me = user;
        if (me == null) {
            me = runtime.user();
            user = me;
        }
        if (!runtime.awaitTurn(me)) {
            runtime.finish(me);
            JMeterContextService.getContext().getThread().stop();
        }
        return 0;
    }

    @Override
    public void recoverRunningVersion() {
        // JMeter looks after each sample for properties that are of that sample alone: here are none.
    }

    @Override
    public void threadStarted() {
        // The user is made with its first turn.
    }

    @Override
    public void threadFinished() {
        User me = user;
        LoadSession shared = session;
        if (me != null && shared != null) {
            shared.runtime().finish(me);
        }
    }
}
