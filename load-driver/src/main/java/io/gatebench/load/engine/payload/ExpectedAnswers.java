/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.payload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.ExpectedBody;
import io.gatebench.load.engine.http.RequestMark;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.TestScenario;

/** Answers that the payloads of a scenario must get, and where its requests carry their mark. Immutable. */
public final class ExpectedAnswers {

    private final List<@Nullable ExpectedBody> bodies;
    private final int markPlace;

    private ExpectedAnswers(List<@Nullable ExpectedBody> bodies, int markPlace) {
        this.bodies = bodies;
        this.markPlace = markPlace;
    }

    /**
     * Works out the answers.
     *
     * @param payloads what is sent in turn
     * @param generated whether the payloads were made here, and not by the user
     * @throws IllegalArgumentException if a payload cannot have an answer that the scenario's check accepts
     */
    public static ExpectedAnswers of(
            TestScenario scenario, MessageLevel message, List<byte[]> payloads, boolean generated) {
        ResponseCheck.Body check = scenario.check().body();
        boolean kept = check.form() == ResponseCheck.Body.Form.ECHO
                || check.form() == ResponseCheck.Body.Form.PAYLOAD_AND_SIZE;
        // A mark in the body is of use only where the body comes back.
        int place = generated && kept ? Payloads.fillingAt(scenario.payload(), message) : -1;
        List<@Nullable ExpectedBody> bodies = new ArrayList<>();
        for (byte[] payload : payloads) {
            bodies.add(ExpectedBody.of(check, payload, place));
        }
        return new ExpectedAnswers(Collections.unmodifiableList(bodies), place);
    }

    /** Returns what the answer to a payload must be, or null if its body may be anything. */
    public @Nullable ExpectedBody body(int payload) {
        return bodies.get(payload);
    }

    /** Returns the marks of one user's requests; two users must not have the same seed. */
    public RequestMark mark(long seed) {
        return markPlace >= 0 ? RequestMark.inBody(markPlace, seed) : RequestMark.inHeader(seed);
    }
}
