/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.apache.jmeter.reporters.ResultCollector;
import org.apache.jorphan.collections.HashTree;
import us.abstracta.jmeter.javadsl.core.TestPlanStats;
import us.abstracta.jmeter.javadsl.core.engines.EmbeddedJmeterEngine;
import us.abstracta.jmeter.javadsl.core.engines.TestStopper;

/**
 * The embedded engine of jmeter-java-dsl without what it adds to every plan.
 *
 * <p>Its statistics collector takes one lock for all threads, and JMeter's summariser formats lines nobody reads.
 */
final class LeanEngine extends EmbeddedJmeterEngine {

    private static final Map<String, String> PROPERTIES = Map.of(
            "httpclient.reset_state_on_thread_group_iteration", "false",
            "httpclient4.time_to_live", "3600000",
            "httpclient4.retrycount", "0",
            "jmeterengine.force.system.exit", "false",
            "sampleresult.useNanoTime", "true");

    LeanEngine() {
        PROPERTIES.forEach(this::prop);
    }

    /** Returns what JMeter is told wherever it sends load. */
    static Map<String, String> properties() {
        return PROPERTIES;
    }

    @Override
    protected void addStatsCollector(HashTree plan, TestPlanStats stats) {
        // The recording listener of the plan does what this collector would do.
    }

    @Override
    protected TestRunner buildTestRunner(HashTree plan, HashTree root, TestStopper stopper) {
        List<Object> dropped = new ArrayList<>();
        for (Object element : plan.list()) {
            if (element instanceof ResultCollector collector
                    && collector.getFilename().isEmpty()) {
                dropped.add(element);
            }
        }
        dropped.forEach(plan::remove);
        return super.buildTestRunner(plan, root, stopper);
    }
}
