/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCaseResult;

/** Leads what earlier versions kept as text among the facts of a result to the members that have it now. */
final class EarlierFacts {

    private static final String CLOCK_OFFSET = "clock.offset.";
    private static final String MILLIS = ".millis";

    private static final Pattern EARLIER = Pattern.compile(
            "load\\.model|start\\.skew\\.millis|probes\\.sent|backend\\.requests|clock\\.offset\\..*\\.millis|processors\\..*|jvm\\.processors");

    private final ObjectNode facts;
    private final String origin;

    private EarlierFacts(ObjectNode facts, String origin) {
        this.facts = facts;
        this.origin = origin;
    }

    /** Returns whether a record that was read as it stands may hold such facts. */
    static boolean isIn(Object value) {
        return value instanceof TestCaseResult result
                && result.<Boolean>fold(
                        completed -> isIn(completed.facts())
                                || isIn(completed.load().facts())
                                || completed
                                        .control()
                                        .filter(control -> isIn(control.facts()))
                                        .isPresent(),
                        failed ->
                                failed.load().filter(load -> isIn(load.facts())).isPresent(),
                        skipped -> false);
    }

    private static boolean isIn(Map<String, String> facts) {
        return facts.keySet().stream().anyMatch(name -> EARLIER.matcher(name).matches());
    }

    /**
     * Changes the tree of a result of any version to that of this one.
     *
     * @throws ReportException if a fact that has to be a number is none
     */
    static void lead(JsonNode result, String origin) {
        for (String load : List.of("load", "control")) {
            if (result.get(load) instanceof ObjectNode of && of.get("facts") instanceof ObjectNode facts) {
                new EarlierFacts(facts, origin).ofLoad(of);
            }
        }
        if (result instanceof ObjectNode of && of.get("facts") instanceof ObjectNode facts) {
            new EarlierFacts(facts, origin).ofCase(of);
        }
    }

    private void ofLoad(ObjectNode load) {
        text("load.model")
                .ifPresent(model -> load.putObject("method")
                        .put("model", model.replaceFirst("^closed, \\d+ users(?=,|$)", "closed"))
                        .put("ownClient", facts.path("http.client").asText().equals("fast"))
                        .put("usersWaitByPlan", text("load.users.wait.by.plan").isPresent())
                        .put("changesByPlan", text("load.changes.by.plan").isPresent()));
        number("start.skew.millis").ifPresent(millis -> load.put("startSkew", seconds(millis)));
        number("probes.sent").ifPresent(sent -> {
            ObjectNode probes = load.putObject("probes")
                    .put("sent", sent.longValue())
                    .put("wrong", number("probes.wrong").orElse(0.0).longValue());
            text("probes.first.wrong").ifPresent(first -> probes.put("firstWrong", first));
        });
    }

    private void ofCase(ObjectNode result) {
        number("backend.requests").ifPresent(requests -> {
            ObjectNode backend = result.putObject("backend")
                    .put("requests", requests.longValue())
                    .put(
                            "requestsPerSample",
                            number("backend.requests.per.sample").orElse(1.0).longValue());
            Optional<Double> unmediated = number("backend.request.bytes.unmediated");
            Optional<Double> payload = unmediated
                    .map(all -> requests == 0 ? 0 : all / requests)
                    .or(() -> number("backend.request.bytes.per.sample"));
            number("backend.request.bytes")
                    .ifPresent(bytes -> backend.putObject("bodies")
                            .put("bytes", bytes.longValue())
                            .put("payloadBytes", payload.orElse(0.0).longValue())
                            .put("rebuilt", unmediated.isPresent()));
        });
        for (String name : names(CLOCK_OFFSET)) {
            if (name.endsWith(MILLIS)) {
                String host = name.substring(CLOCK_OFFSET.length(), name.length() - MILLIS.length());
                result.withObjectProperty("clockOffsets")
                        .put(host, seconds(number(name).orElseThrow()));
            }
        }
        for (NodeRole role : NodeRole.values()) {
            text("processors." + role.name().toLowerCase(Locale.ROOT)).ifPresent(list -> {
                ArrayNode numbers = result.withObjectProperty("processors").putArray(role.name());
                for (String number : list.split(",")) {
                    numbers.add(number);
                }
            });
        }
        ofJvm(result);
    }

    private void ofJvm(ObjectNode result) {
        number("jvm.processors").ifPresent(processors -> {
            ObjectNode jvm = result.putObject("jvm")
                    .put("processors", processors.intValue())
                    .put(
                            "plannedProcessors",
                            number("jvm.processors.planned").orElse(processors).intValue());
            text("jvm.memory").ifPresent(memory -> jvm.put("memory", memory));
            text("jvm.memory.planned").ifPresent(memory -> jvm.put("plannedMemory", memory));
            text("jvm.heap").ifPresent(heap -> jvm.put("heap", heap));
        });
    }

    private List<String> names(String prefix) {
        List<String> names = new ArrayList<>();
        facts.fieldNames().forEachRemaining(name -> {
            if (name.startsWith(prefix)) {
                names.add(name);
            }
        });
        return names;
    }

    private Optional<String> text(String name) {
        @Nullable JsonNode value = facts.remove(name);
        return value == null ? Optional.empty() : Optional.of(value.asText());
    }

    private Optional<Double> number(String name) {
        return text(name).map(value -> {
            try {
                return Double.valueOf(value);
            } catch (NumberFormatException e) {
                throw new ReportException(
                        origin + " has a fact " + name + " that is no number: '" + value + "'; the file was damaged",
                        e);
            }
        });
    }

    /** The form of a duration: seconds. */
    private static String seconds(double millis) {
        return Duration.ofNanos(Math.round(millis * 1e6)).toString();
    }
}
