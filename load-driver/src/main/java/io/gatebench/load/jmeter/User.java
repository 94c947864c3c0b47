/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.HttpConnection;
import io.gatebench.load.engine.http.RequestMark;
import io.gatebench.load.engine.http.ResponseVerifier;
import io.gatebench.load.engine.steps.UserSteps;

/** State that one user of a test keeps between its requests. Belongs to one thread. */
final class User {

    final int number;
    final ResponseVerifier verifier;
    /** Its connection, once it has one of ours. */
    @Nullable
    HttpConnection connection;

    final RequestMark mark;
    /** Steps that it sends in place of one request, or null. */
    final @Nullable UserSteps steps;

    long requests;
    /** Time at which the next request is meant to start, by {@link System#nanoTime}; only in the open model. */
    long intendedNanos;

    boolean open;
    /** Times at which the last request started and ended, from the start of the test. */
    long lastStart = Long.MIN_VALUE;

    long lastEnd = Long.MIN_VALUE;
    boolean atWork;
    /** True from its first request in the measurement window on. */
    boolean inWindow;
    /** Time from the start of the test at which it was last told of. */
    long toldNanos = Long.MIN_VALUE;
    /** True once it has waited for the start of a test that holds its users back. */
    boolean begun;

    User(int number, ResponseVerifier verifier, RequestMark mark, @Nullable UserSteps steps) {
        this.number = number;
        this.verifier = verifier;
        this.mark = mark;
        this.steps = steps;
    }
}
