/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import org.HdrHistogram.Histogram;

/**
 * The figures of one label of a JTL, in milliseconds.
 *
 * @param label the label
 * @param samples samples
 * @param errors failed samples
 * @param errorPercent failed part in percent
 * @param throughputPerSecond samples per second from the first start to the last end; empty if that is no time at all
 * @param meanMillis mean response time
 * @param standardDeviationMillis standard deviation of the population
 * @param minMillis smallest
 * @param maxMillis largest
 * @param percentilesMillis percentiles by name, in order: 50, 75, 90, 95, 98, 99, 99.9
 * @param receivedKibibytesPerSecond received data; empty if the samples take no time at all
 * @param sentKibibytesPerSecond sent data; empty if the samples take no time at all
 */
public record JtlLabelSummary(
        String label,
        long samples,
        long errors,
        BigDecimal errorPercent,
        Optional<BigDecimal> throughputPerSecond,
        BigDecimal meanMillis,
        BigDecimal standardDeviationMillis,
        long minMillis,
        long maxMillis,
        Map<String, BigDecimal> percentilesMillis,
        Optional<BigDecimal> receivedKibibytesPerSecond,
        Optional<BigDecimal> sentKibibytesPerSecond) {

    private static final Map<String, Double> PERCENTILES = percentiles();

    private static Map<String, Double> percentiles() {
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (String name : new String[] {"50", "75", "90", "95", "98", "99", "99.9"}) {
            percentiles.put(name, Double.valueOf(name));
        }
        return percentiles;
    }

    static JtlLabelSummary exact(String label, LabelTotals totals, double seconds) {
        Map<String, BigDecimal> percentiles = new LinkedHashMap<>();
        PERCENTILES.forEach((name, percent) -> percentiles.put(name, BigDecimal.valueOf(totals.percentile(percent))));
        return new JtlLabelSummary(
                label,
                totals.samples(),
                totals.errors(),
                BigDecimal.valueOf(100.0 * totals.errors() / totals.samples()),
                rate(totals.samples(), seconds),
                BigDecimal.valueOf(totals.mean()),
                BigDecimal.valueOf(totals.standardDeviation()),
                totals.min(),
                totals.max(),
                percentiles,
                rate(totals.received() / 1024.0, seconds),
                rate(totals.sent() / 1024.0, seconds));
    }

    private static Optional<BigDecimal> rate(double amount, double seconds) {
        return seconds > 0 ? Optional.of(BigDecimal.valueOf(amount / seconds)) : Optional.empty();
    }

    static JtlLabelSummary wso2(String label, LabelTotals totals, double seconds) {
        Histogram published = totals.published();
        Map<String, BigDecimal> percentiles = new LinkedHashMap<>();
        PERCENTILES.forEach((name, percent) -> percentiles.put(name, rounded(published.getValueAtPercentile(percent))));
        return new JtlLabelSummary(
                label,
                totals.samples(),
                totals.errors(),
                rounded((double) totals.errors() / totals.samples() * 100D),
                seconds > 0 ? Optional.of(rounded(totals.samples() / seconds)) : Optional.empty(),
                rounded(published.getMean()),
                rounded(published.getStdDeviation()),
                totals.min(),
                totals.max(),
                percentiles,
                seconds > 0 ? Optional.of(rounded((double) totals.received() / 1024 / seconds)) : Optional.empty(),
                seconds > 0 ? Optional.of(rounded((double) totals.sent() / 1024 / seconds)) : Optional.empty());
    }

    /** Two decimals, half even from the exact binary value, zeros at the end dropped: as published. */
    private static BigDecimal rounded(double value) {
        BigDecimal rounded =
                new BigDecimal(value).setScale(2, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }
}
