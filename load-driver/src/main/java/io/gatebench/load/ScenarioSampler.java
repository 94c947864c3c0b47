/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import org.apache.jmeter.testelement.TestElement;
import us.abstracta.jmeter.javadsl.core.samplers.BaseSampler;

import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.jmeter.LoadElements;
import io.gatebench.load.jmeter.LoadSession;

/**
 * The sampler of a scenario for plans of one's own in jmeter-java-dsl.
 *
 * <p>Put it into any thread group of the DSL; it sends the scenario's request, checks the answer and names its samples
 * after the scenario. Users, duration and load model are then those of the thread group, not of the request. Results carry
 * body and headers of their answers, so that the DSL's assertions and extractors work as children of it.
 *
 * @since 0.1
 */
public final class ScenarioSampler extends BaseSampler<ScenarioSampler> {

    private final LoadSession session;

    private ScenarioSampler(LoadRequest request) {
        super(request.scenario().name(), null);
        this.session = new LoadSession(request).keepingAnswers();
    }

    /** Returns the sampler of that request. */
    public static ScenarioSampler scenarioSampler(LoadRequest request) {
        return new ScenarioSampler(request);
    }

    @Override
    protected TestElement buildTestElement() {
        return LoadElements.sampler(session);
    }
}
