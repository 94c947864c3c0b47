/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.util.List;
import java.util.function.Consumer;

/** Paints some rows of an image of two pixels per unit: a chart of many scenarios has more pixels than memory is wanted for. */
final class PngCanvas implements Canvas {

    private static final int SCALE = 2;
    private static final int OPAQUE = 255;

    /** No glyph reaches so far from the base line, in units of its size. */
    private static final double TALLEST = 2;

    private static final int MAX_PIXELS = 1 << 22;

    private final int top;
    private final BufferedImage image;
    private final Graphics2D graphics;

    private PngCanvas(int width, int top, int rows) {
        this.top = top;
        image = new BufferedImage(width, rows, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.translate(0, -top);
        graphics.scale(SCALE, SCALE);
    }

    /** Returns the PNG file of a drawing, which is painted once for each part of it. */
    static byte[] document(double width, double height, Consumer<Canvas> drawing) {
        int columns = (int) Math.ceil(width * SCALE);
        int all = (int) Math.ceil(height * SCALE);
        int rows = Math.max(1, Math.min(all, MAX_PIXELS / columns));
        return PngFile.of(columns, all, rows, top -> {
            PngCanvas canvas = new PngCanvas(columns, top, Math.min(rows, all - top));
            drawing.accept(canvas);
            canvas.graphics.dispose();
            return ((DataBufferInt) canvas.image.getRaster().getDataBuffer()).getData();
        });
    }

    /** Returns whether what lies between two heights cannot touch these rows; edges reach a pixel further. */
    private boolean isElsewhere(double upper, double lower) {
        return lower * SCALE + 1 < top || upper * SCALE - 1 > top + image.getHeight();
    }

    private boolean isElsewhere(List<Corner> corners, double reach) {
        double upper = Double.POSITIVE_INFINITY;
        double lower = Double.NEGATIVE_INFINITY;
        for (Corner corner : corners) {
            upper = Math.min(upper, corner.y());
            lower = Math.max(lower, corner.y());
        }
        return isElsewhere(upper - reach, lower + reach);
    }

    @Override
    public void line(List<Corner> corners, String colour, double width, double[] dash) {
        if (isElsewhere(corners, width)) {
            return;
        }
        graphics.setColor(Color.decode(colour));
        float[] pattern = new float[dash.length];
        for (int i = 0; i < dash.length; i++) {
            pattern[i] = (float) dash[i];
        }
        graphics.setStroke(new BasicStroke(
                (float) width,
                BasicStroke.CAP_BUTT,
                BasicStroke.JOIN_ROUND,
                1,
                pattern.length == 0 ? null : pattern,
                0));
        graphics.draw(path(corners));
    }

    @Override
    public void fill(List<Corner> corners, String colour, double opacity) {
        if (isElsewhere(corners, 0)) {
            return;
        }
        Color solid = Color.decode(colour);
        graphics.setColor(
                new Color(solid.getRed(), solid.getGreen(), solid.getBlue(), (int) Math.round(opacity * OPAQUE)));
        Path2D path = path(corners);
        path.closePath();
        graphics.fill(path);
    }

    @Override
    public void text(double x, double y, String text, double size, boolean bold, String colour, Anchor anchor) {
        if (!isElsewhere(y - TALLEST * size, y + TALLEST * size)) {
            draw(x, y, text, size, bold, colour, anchor);
        }
    }

    private void draw(double x, double y, String text, double size, boolean bold, String colour, Anchor anchor) {
        font(size, bold, colour);
        double width = graphics.getFontMetrics().getStringBounds(text, graphics).getWidth();
        double left = switch (anchor) {
            case START -> x;
            case MIDDLE -> x - width / 2;
            case END -> x - width;
        };
        graphics.drawString(text, (float) left, (float) y);
    }

    @Override
    public void upwards(double x, double y, String text, double size, String colour) {
        double reach = text.length() * size;
        if (isElsewhere(y - reach, y + reach)) {
            return;
        }
        AffineTransform before = graphics.getTransform();
        graphics.rotate(-Math.PI / 2, x, y);
        draw(x, y, text, size, false, colour, Anchor.MIDDLE);
        graphics.setTransform(before);
    }

    private void font(double size, boolean bold, String colour) {
        graphics.setFont(new Font(Font.SANS_SERIF, bold ? Font.BOLD : Font.PLAIN, 1).deriveFont((float) size));
        graphics.setColor(Color.decode(colour));
    }

    private static Path2D path(List<Corner> corners) {
        Path2D path = new Path2D.Double();
        for (Corner corner : corners) {
            if (path.getCurrentPoint() == null) {
                path.moveTo(corner.x(), corner.y());
            } else {
                path.lineTo(corner.x(), corner.y());
            }
        }
        return path;
    }
}
