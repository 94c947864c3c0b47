/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

/** Sees a response body piece by piece; one instance belongs to one user. */
public interface BodyListener {

    /** Is called when a response's head is complete, before its body. */
    void begin(int status);

    /** Is called for each piece of the body, in order. */
    void accept(byte[] bytes, int offset, int length);

    /** Is called in place of {@link #accept} where the body is one piece; its bytes stay until the next request. */
    default void acceptWhole(byte[] bytes, int offset, int length) {
        accept(bytes, offset, length);
    }
}
