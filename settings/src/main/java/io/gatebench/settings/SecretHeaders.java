/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatebench.model.PerfPlan;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.TestScenario;

/** Headers whose values are secrets by their names: they are sent, and stand nowhere but in the request. */
public final class SecretHeaders {

    /** Placeholder of a value. */
    public static final String MASK = "***";

    private static final Pattern SECRET =
            Pattern.compile("cookie|key|token|secret|passw|credential|session|signature|auth|jwt|assertion");

    private static final Pattern USER = Pattern.compile("^([^/]*//)?[^/?#]*@");

    private SecretHeaders() {}

    /** Returns whether a header of that name holds a secret, as far as a name can tell. */
    public static boolean isSecret(String name) {
        return SECRET.matcher(name.toLowerCase(Locale.ROOT)).find();
    }

    /** Returns a plan as results may show it. */
    public static PerfPlan masked(PerfPlan plan) {
        return plan.withScenarios(
                plan.scenarios().stream().map(SecretHeaders::masked).toList());
    }

    /** Returns a scenario as results may show it. */
    public static TestScenario masked(TestScenario scenario) {
        return scenario.withHeaders(masked(scenario.headers()))
                .withProbes(scenario.probes().stream()
                        .map(probe -> probe.withHeaders(masked(probe.headers())))
                        .toList())
                .withSteps(scenario.steps().map(SecretHeaders::masked));
    }

    private static ScenarioSteps masked(ScenarioSteps steps) {
        return new ScenarioSteps(
                steps.routes().stream()
                        .map(route -> new ScenarioSteps.Route(
                                route.name(),
                                route.weight(),
                                route.steps().stream()
                                        .map(step -> step.withHeaders(masked(step.headers())))
                                        .toList()))
                        .toList(),
                steps.data());
    }

    /** Returns a URL as a message may show it: without what stands before the host. */
    public static String withoutUser(String url) {
        return USER.matcher(url)
                .replaceFirst(
                        match -> Matcher.quoteReplacement((match.group(1) == null ? "" : match.group(1)) + MASK + "@"));
    }

    private static Map<String, String> masked(Map<String, String> headers) {
        Map<String, String> masked = new LinkedHashMap<>();
        headers.forEach((name, value) -> masked.put(name, isSecret(name) ? MASK : value));
        return masked;
    }
}
