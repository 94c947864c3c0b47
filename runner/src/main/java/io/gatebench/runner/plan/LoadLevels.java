/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadModel.Level;
import io.gatebench.settings.Durations;

/**
 * Reads and writes the levels of a load: rates, or numbers of users, that hold from a time of the test on.
 *
 * <p>A level is {@code 300@1m+10s}: 300 from the first minute on, reached evenly within ten seconds. The first one needs
 * no time. {@code staircase 100 +100 x5 every 30s} and {@code spike 100 to 1000 at 60s for 10s} stand for several.
 */
public final class LoadLevels {

    private static final String NUMBER = "(\\d{1,9}(?:\\.\\d{1,6})?)";
    private static final String TIME = "(\\d{1,9}\\s*[a-z]*)";
    private static final Pattern LEVEL =
            Pattern.compile(NUMBER + "(?:\\s*@\\s*" + TIME + "(?:\\s*\\+\\s*" + TIME + ")?)?");
    private static final Pattern STAIRCASE = Pattern.compile(
            "staircase\\s+" + NUMBER + "\\s*\\+\\s*" + NUMBER + "\\s*x\\s*(\\d{1,4})\\s+every\\s+" + TIME);
    private static final Pattern SPIKE =
            Pattern.compile("spike\\s+" + NUMBER + "\\s+to\\s+" + NUMBER + "\\s+at\\s+" + TIME + "\\s+for\\s+" + TIME);

    private LoadLevels() {}

    /**
     * Reads levels.
     *
     * @throws IllegalArgumentException if a text is no level; the message goes behind the name of the option
     */
    static List<Level> parse(List<String> texts) {
        List<Level> levels = new ArrayList<>();
        for (String text : texts) {
            String lower = text.strip().toLowerCase(Locale.ROOT);
            Matcher staircase = STAIRCASE.matcher(lower);
            Matcher spike = SPIKE.matcher(lower);
            Matcher level = LEVEL.matcher(lower);
            if (staircase.matches() && texts.size() == 1) {
                return LoadModel.staircase(
                        number(staircase, 1),
                        number(staircase, 2),
                        Integer.parseInt(staircase.group(3)),
                        time(staircase, 4));
            } else if (spike.matches() && texts.size() == 1) {
                return LoadModel.spike(number(spike, 1), number(spike, 2), time(spike, 3), time(spike, 4));
            } else if (level.matches() && (levels.isEmpty() || level.group(2) != null)) {
                levels.add(new Level(
                        level.group(2) == null ? Duration.ZERO : time(level, 2),
                        number(level, 1),
                        level.group(3) == null ? Duration.ZERO : time(level, 3)));
            } else {
                throw new IllegalArgumentException("must be a number, levels such as 100,300@1m,100@2m+10s, or one"
                        + " shape such as 'staircase 100 +100 x5 every 30s' or 'spike 100 to 1000 at 60s for 10s',"
                        + " but was '" + text + "'");
            }
        }
        return levels;
    }

    /** Returns the texts from which the levels are read. */
    public static List<String> texts(List<Level> levels) {
        Function<Duration, String> millis = time -> time.toMillis() + "ms";
        return levels.stream()
                .map(level ->
                        BigDecimal.valueOf(level.value()).stripTrailingZeros().toPlainString() + "@"
                                + millis.apply(level.at())
                                + (level.ramp().isZero() ? "" : "+" + millis.apply(level.ramp())))
                .toList();
    }

    private static double number(Matcher matcher, int group) {
        return Double.parseDouble(matcher.group(group));
    }

    private static Duration time(Matcher matcher, int group) {
        return Durations.parse(matcher.group(group), "s");
    }
}
