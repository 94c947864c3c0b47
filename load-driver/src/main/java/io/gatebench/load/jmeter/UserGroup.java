/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.Serial;

import org.apache.jmeter.samplers.Sampler;
import org.apache.jmeter.threads.ThreadGroup;
import org.jspecify.annotations.Nullable;

/**
 * JMeter's thread group for a plan with one sampler, which its users run again and again.
 *
 * <p>JMeter's own asks a loop controller for the sampler, twice for each sample, and looks through all properties afterwards.
 */
public final class UserGroup extends ThreadGroup {

    @Serial
    private static final long serialVersionUID = 1L;

    private transient @Nullable Sampler only;

    /** Is for JMeter's cloning. */
    public UserGroup() {
        // JMeter makes clones by reflection and needs this constructor.
    }

    @Override
    public Sampler next() {
        Sampler known = only;
        if (known == null) {
            known = super.next();
            only = known;
        }
        return known;
    }

    @Override
    public void recoverRunningVersion() {
        // JMeter looks after each sample for properties that are of that sample alone: here are none.
    }
}
