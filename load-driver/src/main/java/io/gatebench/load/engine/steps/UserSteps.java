/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.steps;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.BodyListener;
import io.gatebench.load.engine.http.ExpectedBody;
import io.gatebench.load.engine.http.HttpRequestHead;
import io.gatebench.load.engine.http.RequestMark;
import io.gatebench.load.engine.http.ResponseVerifier;
import io.gatebench.load.engine.steps.CompiledSteps.CompiledStep;

/**
 * Requests of one user, step by step, and the values that it has taken so far. Belongs to one user; not thread-safe.
 *
 * <p>{@link #next} makes a request; {@link #finish} must follow it.
 */
public final class UserSteps {

    /** Spreads the seeds of users, which are small numbers, over all of them. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final CompiledSteps steps;
    private final int number;
    private final SplittableRandom choice;
    private final Map<String, String> values = new HashMap<>();
    private final Map<CompiledStep, ResponseVerifier> verifiers = new IdentityHashMap<>();
    private final CapturedBody captured = new CapturedBody();

    private List<CompiledStep> route = List.of();
    private int place;
    private long turn;

    UserSteps(CompiledSteps steps, int number) {
        this.steps = steps;
        this.number = number;
        this.choice = new SplittableRandom(steps.seed(number) * SPREAD);
    }

    /**
     * A request of a step.
     *
     * @param label the label of its sample
     * @param head the head
     * @param body the body, empty for none
     * @param check the check of the answer
     * @param listener what reads the body of the answer
     */
    public record Request(
            String label, HttpRequestHead head, byte[] body, ResponseVerifier check, BodyListener listener) {}

    /**
     * Returns the next request.
     *
     * @param mark what its answer must carry, if it carries a mark
     */
    public Request next(RequestMark mark) {
        if (place == route.size()) {
            begin();
        }
        CompiledStep step = route.get(place);
        byte[] body = step.body(values);
        ResponseVerifier check =
                step.hasPlainCheck() ? verifiers.computeIfAbsent(step, this::verifier) : verifier(step);
        check.clear();
        check.expect(ExpectedBody.of(step.check(values).body(), body, -1), mark);
        return new Request(
                step.label(), step.head(values), body, check, step.readsBody() ? captured.before(check) : check);
    }

    private ResponseVerifier verifier(CompiledStep step) {
        return new ResponseVerifier(step.check(values), steps.messageSize());
    }

    private void begin() {
        List<CompiledSteps.Route> routes = steps.routes();
        int index = 0;
        if (routes.size() > 1) {
            int drawn = choice.nextInt(routes.get(routes.size() - 1).upTo());
            while (drawn >= routes.get(index).upTo()) {
                index++;
            }
        }
        route = routes.get(index).steps();
        place = 0;
        values.clear();
        values.putAll(steps.fixed());
        steps.rows().ifPresent(rows -> values.putAll(rows.row(number, turn)));
        turn++;
    }

    /**
     * Takes the values from the answer of the last request, and goes on to the next step.
     *
     * @param failure why the answer is wrong, or null; no value is taken from a wrong one, and its route ends
     * @param headers the header fields of the answer by lower-case name
     * @return why the step has failed, or null
     */
    public @Nullable String finish(@Nullable String failure, Supplier<Map<String, String>> headers) {
        CompiledStep step = route.get(place);
        String problem = failure == null ? take(step, headers) : failure;
        place = problem == null ? place + 1 : route.size();
        return problem == null ? null : "step " + step.label() + ": " + problem;
    }

    private @Nullable String take(CompiledStep step, Supplier<Map<String, String>> headers) {
        for (Extractor extractor : step.extractors()) {
            Extractor.Taken taken = extractor.take(captured, headers);
            if (taken.text() == null) {
                return "no value for ${" + extractor.name() + "}: " + taken.problem();
            }
            values.put(extractor.name(), taken.text());
        }
        return null;
    }
}
