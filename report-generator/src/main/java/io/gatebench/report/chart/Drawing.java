/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * A vector drawing that takes its colours from the page it stands in, so that it follows light and dark, and brings them
 * along as a file of its own.
 *
 * <p>One unit is a CSS pixel, y points downwards, the title takes the upper {@value #TITLE_HEIGHT} units. Styles are the
 * classes of {@code drawing.css}. Not thread-safe.
 */
public final class Drawing {

    /** The height of the title, which a page leaves out because it has a heading of its own. */
    public static final int TITLE_HEIGHT = 32;

    private static final String STYLE = style();

    private final String title;
    private final int width;
    private final int height;
    private final StringBuilder body = new StringBuilder();

    /**
     * Begins a drawing.
     *
     * @param title the title
     * @param width its width
     * @param height its height with the title
     */
    public Drawing(String title, int width, int height) {
        this.title = title;
        this.width = width;
        this.height = height;
    }

    /** Returns the rules of the styles, for the style sheet of a page. */
    public static String style() {
        try (InputStream in = Drawing.class.getResourceAsStream("/io/gatebench/report/templates/drawing.css")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Draws a line. */
    public Drawing line(double x1, double y1, double x2, double y2, String style) {
        body.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                style,
                x1,
                y1,
                x2,
                y2));
        return this;
    }

    /** Draws a line through points, each {@code x, y}. */
    public Drawing path(List<double[]> points, String style) {
        body.append("<polyline class=\"").append(style).append("\" points=\"");
        for (int i = 0; i < points.size(); i++) {
            body.append(
                    String.format(Locale.ROOT, "%s%.1f,%.1f", i == 0 ? "" : " ", points.get(i)[0], points.get(i)[1]));
        }
        body.append("\"/>\n");
        return this;
    }

    /** Draws a dot that tells its text to the pointer. */
    public Drawing dot(double x, double y, double radius, String style, String text) {
        body.append(String.format(
                Locale.ROOT,
                "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>%s</title></circle>\n",
                style,
                x,
                y,
                radius,
                SvgCanvas.escape(text)));
        return this;
    }

    /** Draws a cross that tells its text to the pointer. */
    public Drawing cross(double x, double y, double radius, String style, String text) {
        body.append(String.format(
                Locale.ROOT,
                "<path class=\"%s\" d=\"M%.1f %.1fl%.1f %.1fm0 -%.1fl-%.1f %.1f\"><title>%s</title></path>\n",
                style,
                x - radius,
                y - radius,
                2 * radius,
                2 * radius,
                2 * radius,
                2 * radius,
                2 * radius,
                SvgCanvas.escape(text)));
        return this;
    }

    /**
     * Writes a text.
     *
     * @param anchor {@code start}, {@code middle} or {@code end}
     */
    public Drawing text(double x, double y, String anchor, String text) {
        body.append(String.format(
                Locale.ROOT,
                "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                x,
                y,
                anchor,
                SvgCanvas.escape(text)));
        return this;
    }

    /** Returns the drawing for a page that has {@link #style()}, without its title. */
    public String inPage() {
        return "<svg viewBox=\"0 " + TITLE_HEIGHT + " " + width + " " + (height - TITLE_HEIGHT)
                + "\" role=\"img\" aria-label=\"" + SvgCanvas.escape(title) + "\">\n" + body + "</svg>";
    }

    /** Returns the drawing as a file of its own. */
    public String file() {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height
                + "\" viewBox=\"0 0 "
                + width + " " + height
                + "\" role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\">\n<title>"
                + SvgCanvas.escape(title) + "</title>\n<style>\n" + STYLE
                + "</style>\n<rect width=\"100%\" height=\"100%\""
                + " fill=\"#ffffff\"/>\n<text class=\"head\" x=\"12\" y=\"22\">" + SvgCanvas.escape(title) + "</text>\n"
                + body + "</svg>\n";
    }

    /** Returns ticks at round numbers from 0 or, where figures lie far above it, from below the smallest, to above the largest. */
    public static List<Double> ticks(double smallest, double largest, boolean fromZero) {
        if (fromZero) {
            return Scale.of(smallest, largest, false).ticks();
        }
        Scale spread = Scale.of(0, Math.max(largest - smallest, Math.abs(largest) / 1000), false);
        double low = Math.floor(smallest / spread.step()) * spread.step();
        return Scale.of(0, largest - low, false).ticks().stream()
                .map(tick -> tick + low)
                .toList();
    }
}
