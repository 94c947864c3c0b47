/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

/**
 * Something that no other request has: ten characters within the body, in place of as many that are filling there, or a
 * header that the back end returns.
 *
 * <p>An answer that carries another mark is the answer to another request. Belongs to one user; not thread-safe.
 */
public final class RequestMark {

    /** The header that carries the mark where the body does not. */
    public static final String HEADER = "echo-mark";
    /** Characters of a mark. */
    public static final int LENGTH = 10;

    private static final int IN_HEADER = -1;
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final byte[] CHARACTERS = new byte[64];

    static {
        String all = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
        for (int i = 0; i < CHARACTERS.length; i++) {
            CHARACTERS[i] = (byte) all.charAt(i);
        }
    }

    private final int place;
    private final byte[] text = new byte[LENGTH];
    private long count;

    private RequestMark(int place, long seed) {
        this.place = place;
        this.count = seed;
        next();
    }

    /**
     * Creates marks that lie in the body.
     *
     * @param place index of their first byte
     * @param seed where the marks begin; two users must not have the same
     */
    public static RequestMark inBody(int place, long seed) {
        if (place < 0) {
            throw new IllegalArgumentException("the place of a mark must not be negative but was " + place);
        }
        return new RequestMark(place, seed);
    }

    /** Creates marks that travel in a header. */
    public static RequestMark inHeader(long seed) {
        return new RequestMark(IN_HEADER, seed);
    }

    /** Makes the mark of the next request; marks that follow each other differ in nearly all characters. */
    public void next() {
        count += STEP;
        // The finisher of SplittableRandom: one to one, and every bit of the count changes half of the mark.
        long mixed = (count ^ (count >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        mixed ^= mixed >>> 31;
        for (int i = 0; i < LENGTH; i++) {
            text[i] = CHARACTERS[(int) (mixed & 63)];
            mixed >>>= 6;
        }
    }

    /** Returns whether the mark lies in the body. */
    public boolean inBody() {
        return place >= 0;
    }

    /** Returns the index of the mark's first byte in the body, negative if it travels in a header. */
    int place() {
        return place;
    }

    /** Returns the characters of the mark, which the next one overwrites. */
    public byte[] text() {
        return text;
    }

    /** Puts the mark into a body. */
    public void write(byte[] body) {
        write(body, 0);
    }

    void write(byte[] target, int bodyStart) {
        System.arraycopy(text, 0, target, bodyStart + place, LENGTH);
    }
}
