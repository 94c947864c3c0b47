/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the head of an HTTP/1.1 request out of a byte array, without creating an object.
 *
 * <p>Strict where leniency lets two servers disagree about where a request ends (RFC 9112, sections 5 to 7): line ends
 * are CR LF, nothing precedes the colon of a field but its name, no folded lines, one {@code Content-Length} of digits
 * only, {@code chunked} as the only transfer coding, and never both. The fields hold what was found by the last {@link
 * #parse} and are undefined after an error. Not thread-safe.
 */
final class Http1Head {

    /** Returned by {@link #parse} when the head is not complete yet. */
    static final int INCOMPLETE = 0;

    private static final int MAX_METHOD = 32;
    private static final int MAX_TARGET = 8192;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private static final boolean[] TOKEN = new boolean[256];

    static {
        for (int c = '!'; c <= '~'; c++) {
            TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
        }
    }

    private static final byte[] HOST = ascii("host");
    private static final byte[] EXPECT = ascii("expect");
    private static final byte[] UPGRADE = ascii("upgrade");
    private static final byte[] CONNECTION = ascii("connection");
    private static final byte[] ECHO_MARK = ascii(ControlHeaders.MARK);
    private static final byte[] ECHO_DELAY = ascii("echo-delay");
    private static final byte[] ECHO_FAULT = ascii("echo-fault");
    private static final byte[] ECHO_STATUS = ascii("echo-status");
    private static final byte[] CONTENT_TYPE = ascii("content-type");
    private static final byte[] QUERY_NUMBER = ascii("query-number");
    private static final byte[] CONTENT_LENGTH = ascii("content-length");
    private static final byte[] HTTP2_SETTINGS = ascii("http2-settings");
    private static final byte[] ECHO_BODY_RATE = ascii("echo-body-rate");
    private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
    private static final byte[] ECHO_RESPONSE_SIZE = ascii("echo-response-size");
    private static final byte[] CHUNKED = ascii("chunked");
    private static final byte[] HUNDRED_CONTINUE = ascii("100-continue");
    private static final byte[] CLOSE = ascii("close");
    private static final byte[] KEEP_ALIVE = ascii("keep-alive");
    private static final byte[] CONNECT = ascii("CONNECT");
    private static final byte[] H2C = ascii("h2c");

    /** The head as far as it has been copied; as long as the longest head allowed. */
    final byte[] bytes;

    int methodEnd;
    int methodStart;
    int targetStart;
    int targetEnd;
    int minorVersion;

    /** The announced length of the body; -1 for none. */
    long contentLength;

    boolean chunked;
    boolean close;
    boolean keepAlive;
    boolean expectContinue;
    int contentTypeStart;
    int contentTypeLength;
    int markStart;
    int markLength;
    int settingsStart;
    int settingsLength;
    boolean upgradeToHttp2;

    /** Tells whether a header was seen that {@link #controls} reads. */
    boolean controlled;

    private boolean connectionUpgrade;
    private boolean connectionSettings;
    private boolean upgradeH2c;
    private boolean hostSeen;
    private boolean transferEncodingSeen;
    private int controlCount;
    private final int[] controlNames = new int[16];
    private final int[] controlNameLengths = new int[16];
    private final int[] controlValues = new int[16];
    private final int[] controlValueLengths = new int[16];

    Http1Head(int longest) {
        bytes = new byte[longest];
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Tells whether a request can start with the byte: a method does, and so does the empty line some clients put before it. */
    static boolean canStart(int b) {
        return TOKEN[b & 0xFF] || b == '\r';
    }

    /**
     * Reads the head from the first {@code length} of {@link #bytes}.
     *
     * @return the length of the head if it is complete, {@link #INCOMPLETE}, or the status to refuse it with, negated
     */
    int parse(int length) {
        reset();
        byte[] b = bytes;
        int at = 0;
        while (at + 1 < length && b[at] == '\r' && b[at + 1] == '\n') {
            at += 2;
        }
        if (at == length || (at + 1 == length && b[at] == '\r')) {
            return INCOMPLETE;
        }
        at = requestLine(at, length);
        if (at <= 0) {
            return at;
        }
        while (true) {
            if (at >= length) {
                return INCOMPLETE;
            }
            if (b[at] == '\r') {
                if (at + 1 >= length) {
                    return INCOMPLETE;
                }
                return b[at + 1] == '\n' ? finish(at + 2) : -400;
            }
            at = field(at, length);
            if (at <= 0) {
                return at;
            }
        }
    }

    private void reset() {
        contentLength = -1;
        chunked = false;
        close = false;
        keepAlive = false;
        expectContinue = false;
        contentTypeStart = 0;
        contentTypeLength = 0;
        markLength = 0;
        settingsLength = -1;
        upgradeToHttp2 = false;
        controlled = false;
        connectionUpgrade = false;
        connectionSettings = false;
        upgradeH2c = false;
        hostSeen = false;
        transferEncodingSeen = false;
        controlCount = 0;
    }

    private int requestLine(int from, int length) {
        byte[] b = bytes;
        int at = from;
        methodStart = at;
        while (at < length && TOKEN[b[at] & 0xFF]) {
            at++;
        }
        if (at - from > MAX_METHOD) {
            return -501;
        }
        if (at == length) {
            return INCOMPLETE;
        }
        if (at == from || b[at] != ' ') {
            return -400;
        }
        methodEnd = at++;
        targetStart = at;
        while (at < length && (b[at] > ' ' || b[at] < 0) && b[at] != 0x7F) {
            at++;
        }
        if (at - targetStart > MAX_TARGET) {
            return -414;
        }
        if (at == length) {
            return INCOMPLETE;
        }
        if (at == targetStart || b[at] != ' ' || !targetIsWellFormed(at)) {
            return -400;
        }
        targetEnd = at++;
        // "HTTP/1.1" CR LF
        for (int i = 0; i < 10; i++, at++) {
            if (at == length) {
                return INCOMPLETE;
            }
            boolean digit = b[at] >= '0' && b[at] <= '9';
            if (i == 5 || i == 7 ? !digit : b[at] != "HTTP/ . \r\n".charAt(i)) {
                return -400;
            }
        }
        if (b[at - 5] != '1') {
            return -505;
        }
        minorVersion = b[at - 3] - '0';
        return at;
    }

    private boolean targetIsWellFormed(int end) {
        byte first = bytes[targetStart];
        if (first == '/') {
            return true;
        }
        if (first == '*') {
            return end - targetStart == 1;
        }
        for (int i = targetStart + 1; i + 2 < end; i++) {
            if (bytes[i] == ':') {
                return bytes[i + 1] == '/' && bytes[i + 2] == '/' || isConnect();
            }
        }
        return isConnect();
    }

    private boolean isConnect() {
        return methodEnd - methodStart == CONNECT.length
                && Arrays.equals(bytes, methodStart, methodEnd, CONNECT, 0, CONNECT.length);
    }

    private int field(int from, int length) {
        byte[] b = bytes;
        int at = from;
        while (at < length && TOKEN[b[at] & 0xFF]) {
            at++;
        }
        if (at == length) {
            return INCOMPLETE;
        }
        if (at == from || b[at] != ':') {
            return -400;
        }
        int nameLength = at - from;
        at++;
        while (at < length && (b[at] == ' ' || b[at] == '\t')) {
            at++;
        }
        int valueStart = at;
        at = endOfValue(at, length);
        if (at + 1 >= length) {
            return at < length && b[at] != '\r' ? -400 : INCOMPLETE;
        }
        if (b[at] != '\r' || b[at + 1] != '\n') {
            return -400;
        }
        int valueEnd = at;
        while (valueEnd > valueStart && (b[valueEnd - 1] == ' ' || b[valueEnd - 1] == '\t')) {
            valueEnd--;
        }
        int status = recognise(from, nameLength, valueStart, valueEnd - valueStart);
        return status == 0 ? at + 2 : status;
    }

    /** Finds the first control character other than a tab, eight bytes at a time while there is none. */
    private int endOfValue(int from, int length) {
        byte[] b = bytes;
        int at = from;
        while (true) {
            while (at + 8 <= length) {
                long word = (long) LONGS.get(b, at);
                long deletes = word ^ (0x7F * ONES);
                long found = ((word - 0x20 * ONES) & ~word) | ((deletes - ONES) & ~deletes);
                if ((found & HIGHS) != 0) {
                    break;
                }
                at += 8;
            }
            int end = Math.min(length, at + 8);
            while (at < end) {
                byte c = b[at];
                if (c >= 0 && c < ' ' && c != '\t' || c == 0x7F) {
                    return at;
                }
                at++;
            }
            if (at == length) {
                return at;
            }
        }
    }

    private int recognise(int name, int nameLength, int value, int valueLength) {
        switch (nameLength) {
            case 4:
                if (same(name, HOST)) {
                    if (hostSeen) {
                        return -400;
                    }
                    hostSeen = true;
                }
                break;
            case 6:
                if (same(name, EXPECT)) {
                    if (valueLength != HUNDRED_CONTINUE.length || !same(value, HUNDRED_CONTINUE)) {
                        return -417;
                    }
                    expectContinue = true;
                }
                break;
            case 7:
                if (same(name, UPGRADE)) {
                    upgradeH2c |= listed(value, valueLength, H2C);
                }
                break;
            case 9:
                if (same(name, ECHO_MARK)) {
                    markStart = value;
                    markLength = valueLength;
                }
                break;
            case 10:
                if (same(name, CONNECTION)) {
                    close |= listed(value, valueLength, CLOSE);
                    keepAlive |= listed(value, valueLength, KEEP_ALIVE);
                    connectionUpgrade |= listed(value, valueLength, UPGRADE);
                    connectionSettings |= listed(value, valueLength, HTTP2_SETTINGS);
                } else if (same(name, ECHO_DELAY) || same(name, ECHO_FAULT)) {
                    return control(name, nameLength, value, valueLength);
                }
                break;
            case 11:
                if (same(name, ECHO_STATUS)) {
                    return control(name, nameLength, value, valueLength);
                }
                break;
            case 12:
                if (same(name, CONTENT_TYPE)) {
                    if (contentTypeStart == 0) {
                        contentTypeStart = value;
                        contentTypeLength = valueLength;
                    }
                } else if (same(name, QUERY_NUMBER)) {
                    return control(name, nameLength, value, valueLength);
                }
                break;
            case 14:
                if (same(name, CONTENT_LENGTH)) {
                    return contentLength(value, valueLength);
                } else if (same(name, HTTP2_SETTINGS)) {
                    settingsStart = value;
                    settingsLength = settingsLength < 0 ? valueLength : Integer.MAX_VALUE;
                } else if (same(name, ECHO_BODY_RATE)) {
                    return control(name, nameLength, value, valueLength);
                }
                break;
            case 17:
                if (same(name, TRANSFER_ENCODING)) {
                    if (transferEncodingSeen) {
                        return -400;
                    }
                    transferEncodingSeen = true;
                    if (valueLength != CHUNKED.length || !same(value, CHUNKED)) {
                        return listed(value, valueLength, CHUNKED) || valueLength == 0 ? -400 : -501;
                    }
                    chunked = true;
                }
                break;
            case 18:
                if (same(name, ECHO_RESPONSE_SIZE)) {
                    return control(name, nameLength, value, valueLength);
                }
                break;
            default:
                break;
        }
        return 0;
    }

    private int control(int name, int nameLength, int value, int valueLength) {
        if (controlCount == controlNames.length) {
            return -400;
        }
        controlNames[controlCount] = name;
        controlNameLengths[controlCount] = nameLength;
        controlValues[controlCount] = value;
        controlValueLengths[controlCount++] = valueLength;
        controlled = true;
        return 0;
    }

    private int contentLength(int value, int length) {
        if (contentLength >= 0 || length == 0) {
            return -400;
        }
        long number = 0;
        for (int i = 0; i < length; i++) {
            int digit = bytes[value + i] - '0';
            if (digit < 0 || digit > 9) {
                return -400;
            }
            // Held at a number that no limit allows, instead of running over.
            number = Math.min(number * 10 + digit, Long.MAX_VALUE / 16);
        }
        contentLength = number;
        return 0;
    }

    private int finish(int length) {
        if (minorVersion >= 1 && !hostSeen) {
            return -400;
        }
        if (transferEncodingSeen && (contentLength >= 0 || minorVersion == 0)) {
            return -400;
        }
        if (isConnect()) {
            return -501;
        }
        upgradeToHttp2 =
                upgradeH2c && connectionUpgrade && connectionSettings && settingsLength >= 0 && settingsLength < 1024;
        return length;
    }

    /** Hands what the control headers say to the exchange; called only when {@link #controlled}. */
    void controls(Exchange exchange, boolean steering) {
        for (int i = 0; i < controlCount; i++) {
            ControlHeaders.apply(
                    exchange,
                    new String(bytes, controlNames[i], controlNameLengths[i], StandardCharsets.ISO_8859_1),
                    new String(bytes, controlValues[i], controlValueLengths[i], StandardCharsets.ISO_8859_1),
                    steering);
        }
    }

    boolean isHeadMethod() {
        byte[] b = bytes;
        int m = methodStart;
        return methodEnd - m == 4 && b[m] == 'H' && b[m + 1] == 'E' && b[m + 2] == 'A' && b[m + 3] == 'D';
    }

    boolean isGraphQlTarget() {
        return GraphQlAnswers.isGraphQlPath(bytes, targetStart, targetEnd);
    }

    String requestLine() {
        return new String(bytes, methodStart, targetEnd - methodStart, StandardCharsets.ISO_8859_1);
    }

    String settings() {
        return new String(bytes, settingsStart, settingsLength, StandardCharsets.US_ASCII);
    }

    private boolean same(int start, byte[] lowerCase) {
        for (int i = 0; i < lowerCase.length; i++) {
            // Field names are tokens, so only letters change under this bit in a way that can match.
            if ((bytes[start + i] | 0x20) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    /** Tells whether a comma-separated list holds the word. */
    private boolean listed(int value, int length, byte[] word) {
        int end = value + length;
        int at = value;
        while (at < end) {
            int comma = at;
            while (comma < end && bytes[comma] != ',') {
                comma++;
            }
            int from = at;
            int to = comma;
            while (from < to && (bytes[from] == ' ' || bytes[from] == '\t')) {
                from++;
            }
            while (to > from && (bytes[to - 1] == ' ' || bytes[to - 1] == '\t')) {
                to--;
            }
            if (to - from == word.length && same(from, word)) {
                return true;
            }
            at = comma + 1;
        }
        return false;
    }
}
