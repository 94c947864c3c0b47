/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

/**
 * Digests the elements of one name in an XML text that comes in pieces: what they hold, whatever their order.
 *
 * <p>Prefixes, attributes, comments, white space in text, and how an empty element is written say nothing. What else
 * stands within such an element does: names, texts and their order. No byte is kept.
 */
final class XmlRecords {

    private static final long SEED = 0xCBF29CE484222325L;
    private static final long PRIME = 0x100000001B3L;

    private enum State {
        TEXT,
        OPEN,
        NAME,
        IN_TAG,
        QUOTED,
        /** A declaration, an instruction or a comment. */
        ASIDE
    }

    private final byte[] record;

    private State state;
    private boolean closing;
    private boolean slash;
    private byte quote;
    private int nameLength;
    private boolean nameMatches;
    private long nameHash;
    private int depth;
    private int recordDepth;
    private long hash;
    private boolean rootSeen;
    private boolean spoilt;
    private int asideLength;
    private boolean comment;
    private int dashes;
    private long count;
    private long sum;

    XmlRecords(byte[] record) {
        this.record = record;
        reset();
    }

    void reset() {
        state = State.TEXT;
        depth = 0;
        recordDepth = 0;
        rootSeen = false;
        spoilt = false;
        count = 0;
        sum = 0;
    }

    void accept(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            accept(bytes[i]);
        }
    }

    private void accept(byte b) {
        switch (state) {
            case TEXT -> {
                if (b == '<') {
                    state = State.OPEN;
                } else if (!white(b)) {
                    if (recordDepth > 0) {
                        hash = (hash ^ b) * PRIME;
                    } else if (depth == 0) {
                        // The order of bytes that Windows puts before a text is no part of it.
                        spoilt |= rootSeen || b >= 0;
                    }
                }
            }
            case OPEN -> open(b);
            case NAME -> name(b);
            case IN_TAG -> {
                if (b == '"' || b == '\'') {
                    quote = b;
                    state = State.QUOTED;
                } else if (b == '>') {
                    endOfTag();
                } else {
                    slash = b == '/';
                }
            }
            case QUOTED -> {
                if (b == quote) {
                    state = State.IN_TAG;
                    slash = false;
                }
            }
            case ASIDE -> aside(b);
        }
    }

    private void open(byte b) {
        if (b == '?' || b == '!') {
            state = State.ASIDE;
            asideLength = 0;
            comment = b == '!';
            dashes = 0;
            return;
        }
        closing = b == '/';
        slash = false;
        nameLength = 0;
        nameMatches = true;
        nameHash = SEED;
        state = State.NAME;
        if (!closing) {
            name(b);
        }
    }

    private void name(byte b) {
        if (b == '>') {
            endOfTag();
        } else if (b == '/' || white(b)) {
            slash = b == '/';
            state = State.IN_TAG;
        } else if (b == ':') {
            nameLength = 0;
            nameMatches = true;
            nameHash = SEED;
        } else {
            nameMatches = nameMatches && nameLength < record.length && b == record[nameLength];
            nameLength++;
            nameHash = (nameHash ^ b) * PRIME;
        }
    }

    private void aside(byte b) {
        // A comment begins and ends with two dashes; a ">" in between is part of it.
        asideLength++;
        if (asideLength <= 2) {
            comment = comment && b == '-';
            if (comment) {
                return;
            }
        }
        if (b == '>' && (!comment || dashes >= 2)) {
            state = State.TEXT;
        }
        dashes = b == '-' ? dashes + 1 : 0;
    }

    private void endOfTag() {
        state = State.TEXT;
        boolean mine = nameMatches && nameLength == record.length;
        if (!closing) {
            spoilt |= depth == 0 && rootSeen;
            rootSeen = true;
            depth++;
            if (recordDepth > 0) {
                hash = (hash ^ nameHash) * PRIME + 1;
            } else if (mine) {
                recordDepth = depth;
                hash = SEED;
            }
        }
        if (closing || slash) {
            if (recordDepth > 0 && depth == recordDepth) {
                count++;
                sum += mixed(hash);
                recordDepth = 0;
            } else if (recordDepth > 0) {
                hash = (hash ^ nameHash) * PRIME + 2;
            }
            depth--;
            spoilt |= depth < 0;
        }
    }

    /** Sums of what has not been mixed would be alike too easily. */
    private static long mixed(long value) {
        long mixed = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }

    private static boolean white(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Returns whether the text had one root, which has ended, and nothing beside it. */
    boolean whole() {
        return rootSeen && depth == 0 && state == State.TEXT && !spoilt;
    }

    long count() {
        return count;
    }

    long sum() {
        return sum;
    }
}
