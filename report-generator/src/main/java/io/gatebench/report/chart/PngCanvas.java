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

/** Paints an image of two pixels per unit. */
final class PngCanvas implements Canvas {

    private static final int SCALE = 2;
    private static final int OPAQUE = 255;

    private final BufferedImage image;
    private final Graphics2D graphics;

    PngCanvas(double width, double height) {
        image = new BufferedImage(
                (int) Math.ceil(width * SCALE), (int) Math.ceil(height * SCALE), BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.scale(SCALE, SCALE);
    }

    @Override
    public void line(List<Corner> corners, String colour, double width, double[] dash) {
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
        Color solid = Color.decode(colour);
        graphics.setColor(
                new Color(solid.getRed(), solid.getGreen(), solid.getBlue(), (int) Math.round(opacity * OPAQUE)));
        Path2D path = path(corners);
        path.closePath();
        graphics.fill(path);
    }

    @Override
    public void text(double x, double y, String text, double size, boolean bold, String colour, Anchor anchor) {
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
        AffineTransform before = graphics.getTransform();
        graphics.rotate(-Math.PI / 2, x, y);
        text(x, y, text, size, false, colour, Anchor.MIDDLE);
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

    /** Returns the PNG file. */
    byte[] document() {
        graphics.dispose();
        int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
        return PngFile.of(pixels, image.getWidth(), image.getHeight());
    }
}
