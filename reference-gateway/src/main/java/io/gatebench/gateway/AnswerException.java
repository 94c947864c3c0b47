/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

/** Ends a request with an answer of the gateway's own, from inside a body filter that can only fail or go on. */
final class AnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient JsonAnswer answer;

    AnswerException(JsonAnswer answer) {
        // No stack trace: this is an expected answer, and refusals must not cost more than they have to.
        super(answer.json(), null, false, false);
        this.answer = answer;
    }

    /** Returns the answer to send. */
    JsonAnswer answer() {
        return answer;
    }
}
