/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.http;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.ResponseCheck;

/**
 * Checks responses piece by piece, in constant memory whatever their size. Belongs to one user; not thread-safe.
 */
public final class ResponseVerifier implements BodyListener {

    /** Bytes of a body that are kept for a reader of a failure. */
    public static final int EXCERPT_BYTES = 1024;

    private final int expectedStatus;
    private final @Nullable TextSearch text;
    private final String missingText;
    private final boolean sameLength;
    private final @Nullable GraphQlErrors graphQlErrors;
    private final byte[] excerpt = new byte[EXCERPT_BYTES];
    private int excerptLength;
    private int status;
    private long length;

    /**
     * Creates a verifier.
     *
     * @param check what to check
     * @param messageSize what {@code {size}} in the check's text stands for
     */
    public ResponseVerifier(ResponseCheck check, int messageSize) {
        this.expectedStatus = check.status();
        String wanted = check.contains()
                .map(value -> value.replace("{size}", String.valueOf(messageSize)))
                .orElse("");
        this.text = wanted.isEmpty() ? null : new TextSearch(wanted.getBytes(StandardCharsets.UTF_8));
        this.missingText = "body lacks the text '" + wanted + "'";
        this.sameLength = check.sameLengthAsRequest();
        this.graphQlErrors = check.noGraphQlErrors() ? new GraphQlErrors() : null;
    }

    @Override
    public void begin(int answeredStatus) {
        status = answeredStatus;
        length = 0;
        excerptLength = 0;
        if (text != null) {
            text.reset();
        }
        if (graphQlErrors != null) {
            graphQlErrors.reset();
        }
    }

    @Override
    public void accept(byte[] bytes, int offset, int count) {
        length += count;
        if (excerptLength < EXCERPT_BYTES) {
            int kept = Math.min(count, EXCERPT_BYTES - excerptLength);
            System.arraycopy(bytes, offset, excerpt, excerptLength, kept);
            excerptLength += kept;
        }
        if (text != null) {
            text.accept(bytes, offset, count);
        }
        if (graphQlErrors != null) {
            graphQlErrors.accept(bytes, offset, count);
        }
    }

    /**
     * Returns why the response that was seen last is wrong, or null if it is right.
     *
     * @param requestLength length of the request's body
     */
    public @Nullable String failure(long requestLength) {
        if (status != expectedStatus) {
            return "status " + status + " instead of " + expectedStatus;
        }
        if (sameLength && length != requestLength) {
            return "body of " + length + " bytes instead of " + requestLength;
        }
        if (text != null && !text.found()) {
            return missingText;
        }
        if (graphQlErrors != null) {
            return graphQlErrors.failure();
        }
        return null;
    }

    /** Returns the first bytes of the body that was seen last, as text. */
    public String excerpt() {
        return new String(excerpt, 0, excerptLength, StandardCharsets.UTF_8);
    }

    /** Forgets the response that was seen last, so that an exchange without an answer does not show the one before. */
    public void clear() {
        status = 0;
        length = 0;
        excerptLength = 0;
    }
}
