/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.steps.DataFile;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.TestScenario;
import io.gatebench.settings.Suggestion;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.GatewaySource;
import io.gatebench.spi.Product;
import io.gatebench.spi.ProductDefaults;

/** Scenarios of a plan: those that the user named, or the product's, with the payload and the names that the user gave them. */
final class ScenarioChoice {

    private final PlanReader said;
    private final List<String> notes = new ArrayList<>();

    ScenarioChoice(PlanReader said) {
        this.said = said;
    }

    /** Returns what a reader of the figures must know of the choice. */
    List<String> notes() {
        return notes;
    }

    /**
     * Returns the scenarios.
     *
     * @param product the product; empty if it is not known
     * @param file whose bytes they send, if the user named one
     */
    List<TestScenario> scenarios(
            Optional<Product> product, ProductDefaults defaults, GatewaySource source, Optional<PayloadFile> file) {
        List<TestScenario> served = product.map(known -> served(known, source, chosen(known, defaults)))
                .orElse(List.of());
        return served.stream()
                .map(scenario -> file.map(given -> sending(given, scenario)).orElse(scenario))
                .map(named(served))
                .toList();
    }

    private List<TestScenario> chosen(Product product, ProductDefaults defaults) {
        List<String> known =
                product.scenarios().stream().map(TestScenario::name).toList();
        List<String> included = matching(PlanKey.SCENARIO, known).orElse(defaults.scenarios());
        List<String> excluded = matching(PlanKey.EXCLUDE_SCENARIO, known).orElse(List.of());
        List<TestScenario> chosen = included.stream()
                .filter(name -> !excluded.contains(name))
                .map(name -> product.scenarios().stream()
                        .filter(s -> s.name().equals(name))
                        .findFirst()
                        .orElseThrow())
                .toList();
        if (chosen.isEmpty() && said.problems().isEmpty()) {
            said.problem("no scenario is left: all that were chosen are excluded");
        }
        return chosen;
    }

    private Optional<List<String>> matching(PlanKey key, List<String> known) {
        return said.entry(key).map(entry -> {
            List<String> matched = new ArrayList<>();
            for (String pattern : entry.values()) {
                String regex = Arrays.stream(pattern.split("\\*", -1))
                        .map(Pattern::quote)
                        .reduce((a, b) -> a + ".*" + b)
                        .orElseThrow();
                List<String> found =
                        known.stream().filter(name -> name.matches(regex)).toList();
                if (found.isEmpty()) {
                    said.unknown(entry, "unknown scenario '" + pattern + "'" + Suggestion.among(pattern, known));
                }
                found.stream().filter(name -> !matched.contains(name)).forEach(matched::add);
            }
            return matched;
        });
    }

    /** Leaves out, and says so, what the user did not choose by name and the gateway cannot serve. */
    private List<TestScenario> served(Product product, GatewaySource source, List<TestScenario> scenarios) {
        if (said.has(PlanKey.SCENARIO) || !said.problems().isEmpty()) {
            return scenarios;
        }
        try {
            Gateway gateway = product.gateway(source);
            Map<String, String> unserved = gateway.unserved(scenarios);
            List<TestScenario> left = scenarios.stream()
                    .filter(scenario -> !unserved.containsKey(scenario.name()))
                    .toList();
            if (left.isEmpty()) {
                return scenarios;
            }
            unserved.forEach((name, reason) -> notes.add("Scenario " + name + " was left out, because "
                    + gateway.applicationName() + " cannot serve it: " + reason.replaceFirst("\\.$", "") + "."));
            return left;
        } catch (IllegalArgumentException e) {
            // Said where the gateway of the plan is made.
            return scenarios;
        }
    }

    /** Only a generated payload holds its size, and what is made into something else, so an answer cannot be expected to. */
    private TestScenario sending(PayloadFile file, TestScenario scenario) {
        if (scenario.messageKind() != MessageLevel.Kind.SIZE_BYTES || scenario.payload() == PayloadKind.NONE) {
            said.problem("scenario " + scenario.name() + " "
                    + (scenario.payload() == PayloadKind.NONE
                            ? "sends no payload"
                            : "is measured by its queries or elements")
                    + ", so it cannot send " + file.path() + "; leave it out: --exclude-scenario " + scenario.name());
            return scenario;
        }
        ResponseCheck check = scenario.check();
        return scenario.withCheck(new ResponseCheck(
                check.status(),
                check.contains().filter(text -> !text.contains("{size}")),
                check.sameLengthAsRequest(),
                check.noGraphQlErrors(),
                check.body().form() == ResponseCheck.Body.Form.ECHO ? check.body() : ResponseCheck.Body.any()));
    }

    /** Returns what gives scenarios the names that the user wants in the documents. */
    private UnaryOperator<TestScenario> named(List<TestScenario> chosen) {
        Map<String, String> names = new LinkedHashMap<>();
        List<String> known = chosen.stream().map(TestScenario::name).toList();
        said.entry(PlanKey.SCENARIO_NAME)
                .map(PlanInput.Entry::values)
                .orElse(List.of())
                .forEach(text -> {
                    int sign = text.indexOf('=');
                    String scenario = sign < 0 ? text : text.substring(0, sign).strip();
                    String name = sign < 0 ? "" : text.substring(sign + 1).strip();
                    if (name.isEmpty()) {
                        said.refuse(PlanKey.SCENARIO_NAME, "must be <scenario>=<name> but was '" + text + "'");
                    } else if (!known.contains(scenario)) {
                        said.refuse(
                                PlanKey.SCENARIO_NAME,
                                "names '" + scenario + "', which is no scenario of this plan"
                                        + Suggestion.among(scenario, known));
                    } else if (names.put(scenario, name) != null) {
                        said.refuse(PlanKey.SCENARIO_NAME, "names '" + scenario + "' twice");
                    }
                });
        return scenario -> Optional.ofNullable(names.get(scenario.name()))
                .map(scenario::withDisplayName)
                .orElse(scenario);
    }

    /** Finds what would fail each case of a scenario with steps once the load begins. */
    void checkSteps(List<TestScenario> scenarios, HttpClientKind client, ParameterMatrix matrix) {
        int users = matrix.users().stream().mapToInt(Integer::intValue).max().orElse(0);
        for (TestScenario scenario : scenarios) {
            if (scenario.steps().isPresent() && client == HttpClientKind.JMETER) {
                said.problem("scenario " + scenario.name()
                        + " has steps, which the HTTP client of JMeter does not send; drop --http-client jmeter");
            }
            scenario.steps()
                    .flatMap(ScenarioSteps::data)
                    .filter(ScenarioSteps.Data::unique)
                    .ifPresent(data -> {
                        int rows = DataFile.read(data.file()).rows().size();
                        if (rows < users) {
                            said.problem("scenario " + scenario.name() + " has " + rows + " rows of data, of which "
                                    + users + " users need one of their own each; give more rows, or fewer users");
                        }
                    });
        }
    }
}
