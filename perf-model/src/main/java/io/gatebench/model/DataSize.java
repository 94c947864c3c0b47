/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of memory or data in bytes.
 *
 * <p>Units are binary, as the JVM reads {@code -Xmx}: {@code K} is 1,024 bytes.
 *
 * @param bytes the amount, zero or more
 * @since 0.1
 */
public record DataSize(long bytes) implements Comparable<DataSize> {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\s*([kKmMgGtT]?)(?:i?[bB])?");

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public DataSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a data size must not be negative but was " + bytes);
        }
    }

    /**
     * Reads a size such as {@code 512M}, {@code 2g}, {@code 1KiB} or {@code 1024}.
     *
     * @throws IllegalArgumentException if the text is not such a size or exceeds 2^63-1 bytes
     */
    public static DataSize parse(String text) {
        Objects.requireNonNull(text, "text");
        Matcher matcher = TEXT.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size; write a whole number with an optional unit K, M or G, e.g. 512M");
        }
        long factor = switch (matcher.group(2).toUpperCase(Locale.ROOT)) {
            case "K" -> 1L << 10;
            case "M" -> 1L << 20;
            case "G" -> 1L << 30;
            case "T" -> 1L << 40;
            default -> 1L;
        };
        try {
            return new DataSize(Math.multiplyExact(Long.parseLong(matcher.group(1)), factor));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is larger than 2^63-1 bytes", e);
        }
    }

    /** Returns a size of that many bytes. */
    public static DataSize ofBytes(long bytes) {
        return new DataSize(bytes);
    }

    /** Returns a size of that many units of 1,048,576 bytes. */
    public static DataSize ofMebibytes(long mebibytes) {
        return new DataSize(Math.multiplyExact(mebibytes, 1L << 20));
    }

    /** Returns the size in units of 1,048,576 bytes. */
    public double mebibytes() {
        return bytes / (1024.0 * 1024.0);
    }

    @Override
    public int compareTo(DataSize other) {
        return Long.compare(bytes, other.bytes);
    }

    /** Returns the shortest whole-number form that {@link #parse} and {@code -Xmx} read: {@code 2G}, {@code 1536M}. */
    @Override
    public String toString() {
        String[] units = {"", "K", "M", "G", "T"};
        long value = bytes;
        int unit = 0;
        while (value != 0 && value % 1024 == 0 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return value + units[unit];
    }
}
