/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.ResponseCheck;

/**
 * Checks responses piece by piece, in constant memory whatever their size. Belongs to one user; not thread-safe.
 */
public final class ResponseVerifier implements BodyListener {

    /** Bytes of a body that are kept for a reader of a failure. */
    public static final int EXCERPT_BYTES = 1024;

    /** The failure of an answer that carries the mark of another request than the one that it answers. */
    public static final String OF_ANOTHER_REQUEST = "the response belongs to another request: it carries another mark";

    private static final String OTHER_BODY = "body differs from the one that the request must get";
    private static final String GARBAGE = "body goes on behind the end of the one that the request must get";
    private static final String CUT_BODY = "body ends before the end of the one that the request must get";
    /** Marks of two requests differ in nearly all their characters; a body with an error in it, in few. */
    private static final int OTHER_MARK_FROM = RequestMark.LENGTH / 2;

    private final int expectedStatus;
    private final @Nullable TextSearch text;
    private final String missingText;
    private final boolean sameLength;
    private final @Nullable GraphQlErrors graphQlErrors;
    private final byte[] kept = new byte[EXCERPT_BYTES];
    /** Begin of the body: what was kept, or the body itself where it was one piece. */
    private byte[] excerpt = kept;

    private int excerptFrom;
    private int excerptLength;
    private int status;
    private long length;
    private @Nullable ExpectedBody expected;
    private @Nullable RequestMark mark;
    private @Nullable XmlRecords records;
    /** Number of the expected bytes that have come. */
    private int matched;

    private boolean differs;
    private boolean behind;
    private int wrongInMark;

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

    /**
     * Says what the body of the next answer must be.
     *
     * @param body what it must be, or null if it may be anything
     * @param ofRequest the mark of the request, or null if it has none; it is looked at while the answer is read
     */
    public void expect(@Nullable ExpectedBody body, @Nullable RequestMark ofRequest) {
        mark = ofRequest;
        if (body == expected) {
            return;
        }
        expected = body;
        records = body instanceof ExpectedBody.Records elements ? new XmlRecords(elements.name) : null;
    }

    @Override
    public void begin(int answeredStatus) {
        status = answeredStatus;
        length = 0;
        forget();
        if (text != null) {
            text.reset();
        }
        if (graphQlErrors != null) {
            graphQlErrors.reset();
        }
    }

    @Override
    public void accept(byte[] bytes, int offset, int count) {
        if (excerptLength < EXCERPT_BYTES) {
            int more = Math.min(count, EXCERPT_BYTES - excerptLength);
            System.arraycopy(bytes, offset, kept, excerptLength, more);
            excerptLength += more;
        }
        look(bytes, offset, count);
    }

    @Override
    public void acceptWhole(byte[] bytes, int offset, int count) {
        excerpt = bytes;
        excerptFrom = offset;
        excerptLength = Math.min(count, EXCERPT_BYTES);
        look(bytes, offset, count);
    }

    private void look(byte[] bytes, int offset, int count) {
        length += count;
        if (expected instanceof ExpectedBody.Bytes body) {
            compare(body, bytes, offset, count);
        } else if (records != null) {
            records.accept(bytes, offset, count);
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
        if (expected != null) {
            String failure = expected instanceof ExpectedBody.Bytes body ? bytesFailure(body) : recordsFailure();
            if (failure != null) {
                return failure;
            }
        }
        if (graphQlErrors != null) {
            return graphQlErrors.failure();
        }
        return null;
    }

    private @Nullable String bytesFailure(ExpectedBody.Bytes body) {
        if (wrongInMark >= OTHER_MARK_FROM) {
            return OF_ANOTHER_REQUEST;
        }
        if (differs || wrongInMark > 0) {
            return OTHER_BODY;
        }
        if (behind) {
            return GARBAGE;
        }
        return matched < body.bytes.length ? CUT_BODY : null;
    }

    private @Nullable String recordsFailure() {
        XmlRecords seen = records;
        if (seen == null || !(expected instanceof ExpectedBody.Records wanted)) {
            return null;
        }
        if (!seen.whole()) {
            return "body is not one whole XML document";
        }
        if (seen.count() != wanted.count) {
            return "body has another number of elements '" + new String(wanted.name, StandardCharsets.US_ASCII)
                    + "' than the request must get";
        }
        return seen.sum() == wanted.sum ? null : OTHER_BODY;
    }

    private void forget() {
        excerpt = kept;
        excerptFrom = 0;
        excerptLength = 0;
        matched = 0;
        differs = false;
        behind = false;
        wrongInMark = 0;
        if (records != null) {
            records.reset();
        }
    }

    /** Compares many bytes at a time; those of the mark one by one, as they are of this request alone. */
    private void compare(ExpectedBody.Bytes body, byte[] bytes, int offset, int count) {
        int from = offset;
        int end = offset + count;
        int markStart = mark == null || body.markPlace < 0 ? Integer.MAX_VALUE : body.markPlace;
        while (from < end && !differs && !behind) {
            if (matched >= markStart && matched < markStart + RequestMark.LENGTH) {
                if (bytes[from++] != mark.text()[matched++ - markStart]) {
                    wrongInMark++;
                }
                continue;
            }
            int stop = matched < markStart ? Math.min(markStart, body.bytes.length) : body.bytes.length;
            int piece = Math.min(end - from, stop - matched);
            int same = Arrays.mismatch(body.bytes, matched, matched + piece, bytes, from, from + piece);
            int passed = same < 0 ? piece : same;
            matched += passed;
            from += passed;
            if (from < end && (same >= 0 || matched == body.bytes.length)) {
                from = unlike(body, bytes, from);
            }
        }
    }

    /** Passes over a byte of white space that says nothing, or notes that the body is another one. */
    private int unlike(ExpectedBody.Bytes body, byte[] bytes, int at) {
        byte b = bytes[at];
        boolean white = b == ' ' || b == '\n' || b == '\r' || b == '\t';
        if (white && body.gaps != null && body.gaps[matched]) {
            return at + 1;
        }
        behind = matched == body.bytes.length;
        differs = !behind;
        return at;
    }

    /** Returns the first bytes of the body that was seen last, as text. */
    public String excerpt() {
        return new String(excerpt, excerptFrom, excerptLength, StandardCharsets.UTF_8);
    }

    /** Forgets the response that was seen last, so that an exchange without an answer does not show the one before. */
    public void clear() {
        status = 0;
        length = 0;
        forget();
    }
}
