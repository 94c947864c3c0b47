/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * Shows control characters as {@code \}{@code u001b} and the like, and lets everything else through.
 *
 * <p>Labels, names and the first lines of foreign files are printed, and must not move the cursor, set the title of a
 * terminal or turn the direction of writing around.
 */
final class PrintableWriter extends FilterWriter {

    private final PrintWriter terminal;

    private PrintableWriter(PrintWriter terminal) {
        super(terminal);
        this.terminal = terminal;
    }

    /** Returns a writer of printable text to a terminal or a file. */
    static PrintWriter to(PrintWriter terminal) {
        return new Guarded(new PrintableWriter(terminal));
    }

    /** Returns the terminal behind a writer, for those who move its cursor on purpose. */
    static PrintWriter terminal(PrintWriter writer) {
        return writer instanceof Guarded guarded ? guarded.printable.terminal : writer;
    }

    /** Returns the text as it is shown. */
    static String text(String text) {
        int first = 0;
        while (first < text.length() && isPrintable(text, first)) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.substring(0, first));
        for (int i = first; i < text.length(); i++) {
            if (isPrintable(text, i)) {
                shown.append(text.charAt(i));
            } else {
                shown.append("\\u%04x".formatted((int) text.charAt(i)));
            }
        }
        return shown.toString();
    }

    private static boolean isPrintable(String text, int index) {
        char c = text.charAt(index);
        if (c >= ' ' && c < 0x7f || c == '\n' || c == '\t') {
            return true;
        }
        if (c == '\r') {
            return index + 1 < text.length() && text.charAt(index + 1) == '\n';
        }
        boolean turnsDirection = c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069;
        return c > 0x9f && !turnsDirection;
    }

    @Override
    public void write(int c) throws IOException {
        out.write(text(Character.toString((char) c)));
    }

    @Override
    public void write(char[] buffer, int offset, int length) throws IOException {
        out.write(text(new String(buffer, offset, length)));
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        out.write(text(text.substring(offset, offset + length)));
    }

    /** Passes whole texts on at once, as an unbuffered print writer does. */
    private static final class Guarded extends PrintWriter {
        private final PrintableWriter printable;

        private Guarded(PrintableWriter printable) {
            super((Writer) printable, true);
            this.printable = printable;
        }
    }
}
