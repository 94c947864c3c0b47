/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.util.List;
import java.util.Locale;

import io.gatebench.report.column.Numbers;

/** Writes SVG: plain shapes and real text, so that a chart can be searched, scaled and read aloud. */
final class SvgCanvas implements Canvas {

    private final StringBuilder body = new StringBuilder();
    private final double width;
    private final double height;
    private final String title;

    SvgCanvas(double width, double height, String title) {
        this.width = width;
        this.height = height;
        this.title = title;
    }

    @Override
    public void line(List<Corner> corners, String colour, double strokeWidth, double[] dash) {
        body.append("<polyline points=\"").append(points(corners)).append("\" fill=\"none\" stroke=\"");
        body.append(colour)
                .append("\" stroke-width=\"")
                .append(number(strokeWidth))
                .append('"');
        if (dash.length > 0) {
            StringBuilder pattern = new StringBuilder();
            for (double part : dash) {
                pattern.append(pattern.isEmpty() ? "" : " ").append(number(part));
            }
            body.append(" stroke-dasharray=\"").append(pattern).append('"');
        }
        body.append("/>\n");
    }

    @Override
    public void fill(List<Corner> corners, String colour, double opacity) {
        body.append("<polygon points=\"")
                .append(points(corners))
                .append("\" fill=\"")
                .append(colour)
                .append('"');
        if (opacity < 1) {
            body.append(" fill-opacity=\"").append(number(opacity)).append('"');
        }
        body.append("/>\n");
    }

    @Override
    public void text(double x, double y, String text, double size, boolean bold, String colour, Anchor anchor) {
        start(x, y, size, colour, anchor);
        if (bold) {
            body.append(" font-weight=\"bold\"");
        }
        body.append('>').append(escape(text)).append("</text>\n");
    }

    @Override
    public void upwards(double x, double y, String text, double size, String colour) {
        start(x, y, size, colour, Anchor.MIDDLE);
        body.append(" transform=\"rotate(-90 ")
                .append(number(x))
                .append(' ')
                .append(number(y))
                .append(")\">");
        body.append(escape(text)).append("</text>\n");
    }

    private void start(double x, double y, double size, String colour, Anchor anchor) {
        body.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y));
        body.append("\" font-size=\"").append(number(size)).append("\" fill=\"").append(colour);
        body.append("\" text-anchor=\"")
                .append(anchor.name().toLowerCase(Locale.ROOT))
                .append('"');
    }

    /** Returns the whole document. */
    String document() {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) + "\" height=\"" + number(height)
                + "\" viewBox=\"0 0 " + number(width) + " " + number(height)
                + "\" role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n<title>" + escape(title)
                + "</title>\n" + body + "</svg>\n";
    }

    private static String points(List<Corner> corners) {
        StringBuilder points = new StringBuilder();
        for (Corner corner : corners) {
            points.append(points.isEmpty() ? "" : " ");
            points.append(number(corner.x())).append(',').append(number(corner.y()));
        }
        return points.toString();
    }

    private static String number(double value) {
        return Numbers.text(value, 2);
    }

    static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> {
                    boolean allowed = c >= 0x20 && c != 0xFFFE && c != 0xFFFF && !(c >= 0xD800 && c <= 0xDFFF)
                            || c == '\t'
                            || c == '\n';
                    escaped.appendCodePoint(allowed ? c : 0xFFFD);
                }
            }
        });
        return escaped.toString();
    }
}
