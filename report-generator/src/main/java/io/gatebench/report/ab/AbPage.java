/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.report.chart.Drawing;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.page.Page;

/** The page about two gateways: verdicts, each pair of windows as a line, and how the interval became narrower. */
final class AbPage {

    private static final int WIDTH = 760;
    private static final int LEFT = 70;
    private static final int TOP = Drawing.TITLE_HEIGHT + 20;
    private static final int BOTTOM = TOP + 220;
    /** Farther from 1 nobody reads a ratio off a picture. */
    private static final double FARTHEST = Math.log(2);

    private static final double NEAREST = Math.log(1.1);

    private AbPage() {}

    static String of(AbResult result) {
        List<Map<String, String>> rows = new ArrayList<>();
        List<Map<String, String>> charts = new ArrayList<>();
        for (AbCase measured : result.cases()) {
            for (AbVerdict verdict : result.judge().judge(measured)) {
                rows.add(row(measured, verdict));
                if (verdict.figure().deciding() && verdict.starts() > 0) {
                    String what = verdict.figure().word() + " of "
                            + measured.testCase().id();
                    charts.add(Map.of("title", "Pairs: " + what, "svg", pairs(what, measured, verdict.figure())));
                    charts.add(Map.of(
                            "title",
                            "B / A after each start: " + what,
                            "svg",
                            intervals(what, result.judge(), measured, verdict.figure())));
                }
            }
        }
        return Page.of(
                "ab.html.ftlh",
                Map.of(
                        "a", result.a(),
                        "b", result.b(),
                        "decided", result.decided() ? "decided" : "not decided",
                        "seconds", Long.toString(result.seconds()),
                        "rows", rows,
                        "notes", result.notes(),
                        "charts", charts,
                        "samples", result.frames().map(AbPage::samples).orElse(""),
                        "frames", result.frames().map(AbPage::frames).orElse(List.of())));
    }

    private static String samples(FrameShares shares) {
        return shares.samplesA() + " samples of A, " + shares.samplesB() + " of B"
                + (shares.frames().isEmpty() ? ": no method's part differs beyond chance." : ".");
    }

    private static List<Map<String, String>> frames(FrameShares shares) {
        return shares.frames().stream()
                .map(frame -> Map.of(
                        "method", frame.method(),
                        "a", percent(frame.a()),
                        "b", percent(frame.b()),
                        "difference", String.format(Locale.ROOT, "%+.1f", 100 * (frame.b() - frame.a())),
                        "ownA", percent(frame.ownA()),
                        "ownB", percent(frame.ownB())))
                .toList();
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f", 100 * part);
    }

    private static Map<String, String> row(AbCase measured, AbVerdict verdict) {
        return Map.of(
                "case", measured.testCase().id(),
                "figure", verdict.figure().word(),
                "unit", verdict.figure().unit(),
                "a", number(verdict.a(), "%.2f"),
                "b", number(verdict.b(), "%.2f"),
                "ratio", number(verdict.ratio(), "%.3f"),
                "low", number(verdict.low(), "%.3f"),
                "high", number(verdict.high(), "%.3f"),
                "starts", Integer.toString(verdict.starts()),
                "verdict", verdict.word());
    }

    private static String number(OptionalDouble value, String format) {
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "-";
    }

    private static String pairs(String what, AbCase measured, AbFigure figure) {
        List<AbWindow> windows = measured.starts().stream()
                .flatMap(start -> start.pairs().stream())
                .flatMap(pair -> pair.values().stream())
                .filter(window -> window.figures().containsKey(figure))
                .toList();
        double least = windows.stream()
                .mapToDouble(window -> window.figures().get(figure))
                .min()
                .orElse(0);
        double most = windows.stream()
                .mapToDouble(window -> window.figures().get(figure))
                .max()
                .orElse(1);
        List<Double> ticks = Drawing.ticks(least, most, false);
        double low = Math.min(least, ticks.get(0));
        double high = Math.max(most, ticks.get(ticks.size() - 1));
        Drawing drawing = new Drawing("Pairs: " + what, WIDTH, BOTTOM + 44);
        for (double tick : ticks) {
            double y = y(tick, low, high);
            drawing.line(LEFT, y, WIDTH - 12, y, "grid").text(LEFT - 6, y + 4, "end", Numbers.text(tick, 2));
        }
        double column = column(measured);
        int number = 0;
        for (AbCase.Start start : measured.starts()) {
            double left = LEFT + column * number + column * 0.25;
            double right = left + column * 0.5;
            number++;
            drawing.text((left + right) / 2, BOTTOM + 16, "middle", Integer.toString(number));
            for (Map<Side, AbWindow> pair : start.pairs()) {
                Double a = pair.get(Side.A).figures().get(figure);
                Double b = pair.get(Side.B).figures().get(figure);
                if (a == null || b == null) {
                    continue;
                }
                drawing.line(left, y(a, low, high), right, y(b, low, high), "t t-same")
                        .dot(left, y(a, low, high), 3.5, "f0", "A " + a)
                        .dot(right, y(b, low, high), 3.5, "f1", "B " + b);
            }
        }
        return drawing.text(LEFT, BOTTOM + 36, "start", "start; A left, B right, in " + figure.unit())
                .inPage();
    }

    private static String intervals(String what, AbJudge judge, AbCase measured, AbFigure figure) {
        List<AbVerdict> looks = new ArrayList<>();
        for (int starts = 1; starts <= measured.starts().size(); starts++) {
            judge.judge(new AbCase(measured.testCase(), measured.starts().subList(0, starts))).stream()
                    .filter(verdict -> verdict.figure() == figure)
                    .forEach(looks::add);
        }
        double reach = Math.min(
                FARTHEST,
                looks.stream()
                        .flatMapToDouble(look -> DoubleStream.of(
                                Math.abs(Math.log(look.low().orElse(1))),
                                Math.abs(Math.log(look.high().orElse(1))),
                                Math.abs(Math.log(look.ratio().orElse(1)))))
                        .reduce(NEAREST, Math::max));
        Drawing drawing = new Drawing("B / A after each start: " + what, WIDTH, BOTTOM + 44);
        double limit = figure.higherIsBetter() ? 1 - judge.lossPercent() / 100 : 1 + judge.lossPercent() / 100;
        for (double ratio : new double[] {Math.exp(-reach), 1, Math.exp(reach)}) {
            double y = y(Math.log(ratio), -reach, reach);
            drawing.line(LEFT, y, WIDTH - 12, y, ratio == 1 ? "axis" : "grid")
                    .text(LEFT - 6, y + 4, "end", String.format(Locale.ROOT, "%.3f", ratio));
        }
        if (Math.abs(Math.log(limit)) < reach) {
            double y = y(Math.log(limit), -reach, reach);
            drawing.line(LEFT, y, WIDTH - 12, y, "t thin t1");
        }
        List<Double> minutes = minutes(measured);
        double longest = Math.max(1, minutes.isEmpty() ? 0 : minutes.get(minutes.size() - 1));
        for (double tick : Drawing.ticks(0, longest, true)) {
            if (tick <= longest) {
                drawing.text(along(tick, longest), BOTTOM + 16, "middle", Numbers.text(tick, 1));
            }
        }
        for (int i = 0; i < looks.size(); i++) {
            AbVerdict look = looks.get(i);
            double x = along(minutes.get(i), longest);
            if (look.ratio().isEmpty()) {
                continue;
            }
            if (look.low().isPresent() && look.high().isPresent()) {
                drawing.line(x, at(look.low(), reach), x, at(look.high(), reach), "t t0");
            }
            drawing.dot(
                    x,
                    at(look.ratio(), reach),
                    4,
                    look.outcome() == Outcome.SLOWER ? "f1" : "f0",
                    "start " + (i + 1) + ": " + look.outcome().word() + " " + number(look.ratio(), "%.3f") + " ("
                            + number(look.low(), "%.3f") + " to " + number(look.high(), "%.3f") + ")");
        }
        return drawing.text(
                        LEFT,
                        BOTTOM + 36,
                        "start",
                        "minutes from the first window; a dot for each start; dashed: a loss of " + judge.lossPercent()
                                + " %")
                .inPage();
    }

    /** Minutes from the first window until each start was over; the last window of a start is as good as its end. */
    private static List<Double> minutes(AbCase measured) {
        List<Double> minutes = new ArrayList<>();
        for (AbCase.Start start : measured.starts()) {
            Instant first = measured.starts().get(0).windows().get(0).began();
            Instant last = start.windows().get(start.windows().size() - 1).began();
            minutes.add(Duration.between(first, last).toMillis() / 60e3);
        }
        return minutes;
    }

    private static double along(double minutes, double longest) {
        return LEFT + 8 + minutes / longest * (WIDTH - 28.0 - LEFT);
    }

    private static double column(AbCase measured) {
        return (WIDTH - 12.0 - LEFT) / Math.max(1, measured.starts().size());
    }

    private static double at(OptionalDouble ratio, double reach) {
        double log = Math.log(ratio.getAsDouble());
        return y(Math.max(-reach, Math.min(reach, log)), -reach, reach);
    }

    private static double y(double value, double low, double high) {
        return BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP);
    }
}
