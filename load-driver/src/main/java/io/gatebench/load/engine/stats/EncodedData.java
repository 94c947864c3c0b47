/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Texts and bytes in the form in which outcomes travel; damaged lengths end in an {@link IOException}. */
public final class EncodedData {

    private EncodedData() {}

    /** Reads bytes that their length precedes. */
    public static byte[] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0) {
            throw new IOException("a length of " + length + " bytes");
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("it ends within a value");
        }
        return bytes;
    }

    /** Writes a text. */
    public static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Writes how many texts there are, and each with its count behind it. */
    static void write(DataOutputStream out, Map<String, Long> counts) throws IOException {
        out.writeInt(counts.size());
        for (Map.Entry<String, Long> count : counts.entrySet()) {
            write(out, count.getKey());
            out.writeLong(count.getValue());
        }
    }

    /** Reads texts, each with a count behind it, of which their number precedes. */
    static Map<String, Long> counts(DataInputStream in) throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            counts.put(text(in), in.readLong());
        }
        return counts;
    }

    /** Reads a text. */
    public static String text(DataInputStream in) throws IOException {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }
}
