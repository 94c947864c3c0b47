/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws a GC log as SVG: plain text, the same bytes for the same events.
 *
 * @since 0.1
 */
public final class GcChart {

    private static final int WIDTH = 960;
    private static final int HEIGHT = 420;
    private static final int LEFT = 78;
    private static final int RIGHT = 20;
    private static final int TOP = 48;
    private static final int BOTTOM = 52;
    private static final int MAX_POINTS = 3000;
    private static final double MEBIBYTE = 1 << 20;
    /** Colours that people with colour blindness can tell apart (Okabe and Ito). */
    private static final List<String> COLOURS =
            List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442");

    private GcChart() {}

    /** Draws the heap used before and after each collection over time, in MiB. */
    public static String heap(String title, List<GcEvent> events) {
        List<double[]> before = new ArrayList<>();
        List<double[]> after = new ArrayList<>();
        List<double[]> capacity = new ArrayList<>();
        for (GcEvent e : events) {
            if (e.uptimeSeconds().isPresent() && e.heapAfterBytes().isPresent()) {
                double x = e.uptimeSeconds().getAsDouble();
                e.heapBeforeBytes().ifPresent(b -> before.add(new double[] {x, b / MEBIBYTE}));
                after.add(new double[] {x, e.heapAfterBytes().getAsLong() / MEBIBYTE});
                e.heapCapacityBytes().ifPresent(b -> capacity.add(new double[] {x, b / MEBIBYTE}));
            }
        }
        Map<String, List<double[]>> series = new TreeMap<>();
        series.put("heap before", before);
        series.put("heap after", after);
        series.put("heap size", capacity);
        return draw(title, "Time (s)", "Heap (MiB)", series, true);
    }

    /** Draws the length of each pause over time, in milliseconds, one colour for each kind. */
    public static String pauses(String title, List<GcEvent> events) {
        Map<String, List<double[]>> series = new TreeMap<>();
        for (GcEvent e : events) {
            if (e.uptimeSeconds().isPresent() && e.pauseMillis().isPresent()) {
                series.computeIfAbsent(e.kind(), kind -> new ArrayList<>()).add(new double[] {
                    e.uptimeSeconds().getAsDouble(), e.pauseMillis().getAsDouble()
                });
            }
        }
        return draw(title, "Time (s)", "Pause (ms)", series, false);
    }

    /** Draws how many pauses are how long; each bar is twice as long as the one before. */
    public static String histogram(String title, List<GcEvent> events) {
        TreeMap<Integer, Integer> buckets = new TreeMap<>();
        for (GcEvent e : events) {
            if (e.pauseMillis().isPresent()) {
                double micros = Math.max(1, e.pauseMillis().getAsDouble() * 1000);
                buckets.merge((int) Math.floor(Math.log(micros) / Math.log(2)), 1, Integer::sum);
            }
        }
        StringBuilder out = begin(title, "Pause (ms)", "Number of pauses");
        if (buckets.isEmpty()) {
            return empty(out);
        }
        int first = buckets.firstKey();
        int count = buckets.lastKey() - first + 1;
        double top = nice(buckets.values().stream().mapToInt(n -> n).max().orElseThrow());
        yAxis(out, 0, top);
        double step = (double) (WIDTH - LEFT - RIGHT) / count;
        for (int i = 0; i < count; i++) {
            int number = buckets.getOrDefault(first + i, 0);
            double x = LEFT + i * step;
            double y = y(number, 0, top);
            double from = Math.pow(2, first + i) / 1000;
            out.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\">"
                            + "<title>%s to %s ms: %d</title></rect>\n",
                    x + 1,
                    y,
                    Math.max(1, step - 2),
                    HEIGHT - BOTTOM - y,
                    COLOURS.get(0),
                    number(from),
                    number(from * 2),
                    number));
            if (count <= 12 || i % 2 == 0) {
                label(out, x, HEIGHT - BOTTOM + 18, "middle", number(from));
            }
        }
        label(out, WIDTH - RIGHT, HEIGHT - BOTTOM + 18, "middle", number(Math.pow(2, first + count) / 1000));
        return out.append("</svg>\n").toString();
    }

    private static String draw(
            String title, String xName, String yName, Map<String, List<double[]>> series, boolean lines) {
        StringBuilder out = begin(title, xName, yName);
        double left = Double.MAX_VALUE;
        double right = -Double.MAX_VALUE;
        double greatest = 0;
        for (List<double[]> points : series.values()) {
            for (double[] point : points) {
                left = Math.min(left, point[0]);
                right = Math.max(right, point[0]);
                greatest = Math.max(greatest, point[1]);
            }
        }
        if (right < left) {
            return empty(out);
        }
        if (right == left) {
            right = left + 1;
        }
        double top = nice(greatest);
        yAxis(out, 0, top);
        double step = nice((right - left) / 8);
        for (double value = Math.ceil(left / step) * step; value <= right; value += step) {
            label(out, x(value, left, right), HEIGHT - BOTTOM + 18, "middle", number(value));
        }
        int colour = 0;
        int legend = LEFT;
        for (Map.Entry<String, List<double[]>> entry : series.entrySet()) {
            List<double[]> points = thinned(entry.getValue());
            if (points.isEmpty()) {
                continue;
            }
            String paint = COLOURS.get(colour++ % COLOURS.size());
            if (lines) {
                out.append("<polyline fill=\"none\" stroke-width=\"1.3\" stroke=\"")
                        .append(paint)
                        .append("\" points=\"");
                for (double[] point : points) {
                    out.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point[0], left, right), y(point[1], 0, top)));
                }
                out.setLength(out.length() - 1);
                out.append("\"/>\n");
            } else {
                for (double[] point : points) {
                    out.append(String.format(
                            Locale.ROOT,
                            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\" fill-opacity=\"0.7\"/>\n",
                            x(point[0], left, right),
                            y(point[1], 0, top),
                            paint));
                }
            }
            out.append(String.format(
                    Locale.ROOT, "<rect x=\"%d\" y=\"31\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", legend, paint));
            label(out, legend + 14, 40, "start", entry.getKey());
            legend += 30 + 7 * entry.getKey().length();
        }
        return out.append("</svg>\n").toString();
    }

    /** Keeps the greatest point of each stretch, so that no spike is lost. */
    private static List<double[]> thinned(List<double[]> points) {
        if (points.size() <= MAX_POINTS) {
            return points;
        }
        List<double[]> kept = new ArrayList<>();
        int stretch = (points.size() + MAX_POINTS - 1) / MAX_POINTS;
        for (int i = 0; i < points.size(); i += stretch) {
            double[] greatest = points.get(i);
            for (int j = i; j < Math.min(i + stretch, points.size()); j++) {
                greatest = points.get(j)[1] > greatest[1] ? points.get(j) : greatest;
            }
            kept.add(greatest);
        }
        return kept;
    }

    private static StringBuilder begin(String title, String xName, String yName) {
        StringBuilder out = new StringBuilder();
        out.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT));
        out.append("<title>").append(escaped(title)).append("</title>\n");
        out.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        out.append("<text x=\"").append(LEFT).append("\" y=\"20\" font-size=\"15\">");
        out.append(escaped(title)).append("</text>\n");
        label(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", xName);
        out.append(String.format(
                Locale.ROOT,
                "<text x=\"16\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 16 %d)\">%s</text>\n",
                HEIGHT / 2,
                HEIGHT / 2,
                escaped(yName)));
        return out;
    }

    private static String empty(StringBuilder out) {
        label(out, WIDTH / 2.0, HEIGHT / 2.0, "middle", "the log holds nothing to draw");
        return out.append("</svg>\n").toString();
    }

    private static void yAxis(StringBuilder out, double bottom, double top) {
        for (int i = 0; i <= 5; i++) {
            double value = bottom + (top - bottom) * i / 5;
            double y = y(value, bottom, top);
            out.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n",
                    LEFT,
                    WIDTH - RIGHT,
                    y,
                    y));
            label(out, LEFT - 6, y + 4, "end", number(value));
        }
    }

    private static void label(StringBuilder out, double x, double y, String anchor, String text) {
        out.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                x,
                y,
                anchor,
                escaped(text)));
    }

    private static double x(double value, double left, double right) {
        return LEFT + (value - left) / (right - left) * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double value, double bottom, double top) {
        return HEIGHT - BOTTOM - (value - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM);
    }

    /** Returns the next value of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is not smaller. */
    private static double nice(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double factor : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10}) {
            if (factor * power >= value) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static String number(double value) {
        double size = Math.abs(value);
        String text = String.format(Locale.ROOT, size >= 100 ? "%.0f" : size >= 1 ? "%.1f" : "%.3f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]", "\u00b7");
    }
}
