/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

import io.gatebench.model.SecondOfLoad;

/**
 * Says when a load has become steady: the last seconds no longer trend, neither in requests per second nor in the mean
 * response time.
 *
 * <p>Over the last {@value #SECONDS} whole seconds three things must hold for both figures. The drift by the slope of Theil
 * and Sen, the median of the slopes between all pairs of seconds, is at most 5 % of the median. The test of Mann and
 * Kendall finds no monotonic trend at 5 %, or the drift is at most 2 %. The medians of three consecutive blocks are within
 * 5 % of the median of all. Slopes and medians leave a stall of a second or the dips of a collector alone, which belong
 * to a steady state.
 *
 * <p>That a warm-up ends by what is measured and not by a given time follows Kalibera and Jones (2013), that
 * it may never come to an end Barrett et al. (2017), and that a window of one's own choice is compared with those before it
 * Traini et al. (2022). No rule that looks back can see a level that comes later: a plateau of the compiler which
 * lasts longer than the window looks like the end.
 */
public final class SteadyState {

    /** Number of seconds that are looked at. */
    public static final int SECONDS = 15;

    private static final int BLOCKS = 3;
    private static final double MAX_DRIFT = 0.05;
    private static final double DRIFT_BELOW_NOTICE = 0.02;
    /** Two-sided, at 5 %. */
    private static final double TREND_Z = 1.96;

    private SteadyState() {}

    /**
     * Looks at the end of a series.
     *
     * @param seconds consecutive whole seconds with all users at work, oldest first
     * @return what was found, in words, if the load is steady
     */
    public static Optional<String> reachedBy(List<SecondOfLoad> seconds) {
        if (seconds.size() < SECONDS) {
            return Optional.empty();
        }
        List<SecondOfLoad> last = seconds.subList(seconds.size() - SECONDS, seconds.size());
        double[] rates = values(last, SecondOfLoad::samples);
        double[] means =
                values(last.stream().filter(second -> second.samples() > 0).toList(), SecondOfLoad::meanMillis);
        // With fewer seconds that hold an answer at all there is nothing to find a trend in.
        if (means.length < SECONDS - BLOCKS || !isSteady(rates) || !isSteady(means)) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "over the last %d s the requests per second drifted by %.1f %% and the mean response time by %.1f %%",
                SECONDS,
                100 * drift(rates),
                100 * drift(means)));
    }

    private static double[] values(List<SecondOfLoad> seconds, ToDoubleFunction<SecondOfLoad> figure) {
        return seconds.stream().mapToDouble(figure).toArray();
    }

    private static boolean isSteady(double[] values) {
        double median = median(values);
        double drift = Math.abs(drift(values));
        if (!(median > 0) || drift > MAX_DRIFT || drift > DRIFT_BELOW_NOTICE && trends(values)) {
            return false;
        }
        for (int block = 0; block < BLOCKS; block++) {
            double[] part =
                    Arrays.copyOfRange(values, block * values.length / BLOCKS, (block + 1) * values.length / BLOCKS);
            if (Math.abs(median(part) - median) > MAX_DRIFT * median) {
                return false;
            }
        }
        return true;
    }

    /** Returns how far the line of Theil and Sen climbs from the first to the last value, in parts of the median. */
    private static double drift(double[] values) {
        int count = values.length;
        double[] slopes = new double[count * (count - 1) / 2];
        int next = 0;
        for (int i = 0; i < count; i++) {
            for (int j = i + 1; j < count; j++) {
                slopes[next++] = (values[j] - values[i]) / (j - i);
            }
        }
        return median(slopes) * (count - 1) / median(values);
    }

    /** The test of Mann and Kendall by the normal approximation with its correction for continuity. */
    private static boolean trends(double[] values) {
        int count = values.length;
        double s = 0;
        for (int i = 0; i < count; i++) {
            for (int j = i + 1; j < count; j++) {
                s += Math.signum(values[j] - values[i]);
            }
        }
        double deviation = Math.sqrt(count * (count - 1) * (2 * count + 5) / 18.0);
        return (Math.abs(s) - 1) / deviation > TREND_Z;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
