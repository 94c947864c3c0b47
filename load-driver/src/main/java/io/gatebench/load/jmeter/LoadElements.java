/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.time.Duration;
import java.util.List;

import org.apache.jmeter.testelement.TestElement;
import org.apache.jmeter.testelement.property.PropertyIterator;
import org.apache.jmeter.threads.AbstractThreadGroup;
import us.abstracta.jmeter.javadsl.core.DslTestPlan;
import us.abstracta.jmeter.javadsl.core.listeners.BaseListener;
import us.abstracta.jmeter.javadsl.core.samplers.BaseSampler;
import us.abstracta.jmeter.javadsl.core.threadgroups.BaseThreadGroup.ThreadGroupChild;
import us.abstracta.jmeter.javadsl.core.threadgroups.DslDefaultThreadGroup;
import us.abstracta.jmeter.javadsl.core.timers.BaseTimer;

import io.gatebench.load.engine.LoadRequest;

/** The elements of jmeter-java-dsl that a load is made of. */
public final class LoadElements {

    /** JMeter's own limit must never be what ends a test: users end it themselves, to the millisecond. */
    private static final Duration BEYOND_THE_END = Duration.ofHours(1);

    private LoadElements() {}

    /** Returns the whole plan of a session. */
    public static DslTestPlan plan(LoadSession session) {
        LoadRequest request = session.request();
        List<ThreadGroupChild> children = List.of(new Turns(session), new Sampler(session), new Recording(session));
        return new DslTestPlan(List.of(new Users(
                request.scenario().name(),
                request.model().users(request.testCase().users()),
                request.timing().duration().plus(BEYOND_THE_END),
                children)));
    }

    /** Returns JMeter's element that sends the request of a session, for an engine that is about to run. */
    public static TestElement sampler(LoadSession session) {
        JMeterStart.findFunctions();
        return switch (session.request().client()) {
            case FAST -> new FastHttpSampler(session);
            case JMETER -> new ControlHttpSampler(session);
        };
    }

    private static final class Users extends DslDefaultThreadGroup {
        private Users(String name, int users, Duration duration, List<ThreadGroupChild> children) {
            super(name, users, duration, children);
        }

        @Override
        public AbstractThreadGroup buildThreadGroup() {
            UserGroup group = new UserGroup();
            PropertyIterator properties = super.buildThreadGroup().propertyIterator();
            while (properties.hasNext()) {
                group.setProperty(properties.next());
            }
            return group;
        }
    }

    private static final class Turns extends BaseTimer {
        private final LoadSession session;

        private Turns(LoadSession session) {
            super("turns", null);
            this.session = session;
        }

        @Override
        protected TestElement buildTestElement() {
            return new TurnTimer(session);
        }
    }

    private static final class Sampler extends BaseSampler<Sampler> {
        private final LoadSession session;

        private Sampler(LoadSession session) {
            super(session.request().scenario().name(), null);
            this.session = session;
        }

        @Override
        protected TestElement buildTestElement() {
            return sampler(session);
        }
    }

    private static final class Recording extends BaseListener {
        private final LoadSession session;

        private Recording(LoadSession session) {
            super("recording", null);
            this.session = session;
        }

        @Override
        protected TestElement buildTestElement() {
            return new RecordingListener(session);
        }
    }
}
