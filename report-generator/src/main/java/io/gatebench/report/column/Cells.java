/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import io.gatebench.model.MeasuredValue;

/**
 * The cells of one row by column name, as text and, where they hold one, as a number.
 *
 * <p>A number comes from a measured value, or is read from its text when the cell is put here: nobody who decides or
 * computes something reads text again. Not thread-safe.
 *
 * @since 0.1
 */
public final class Cells {

    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, Double> numbers = new LinkedHashMap<>();

    /** Returns cells that were read as text. */
    public static Cells read(Map<String, String> texts) {
        Cells cells = new Cells();
        texts.forEach(cells::read);
        return cells;
    }

    /** Puts a text that may hold a number. */
    public void read(String column, String text) {
        texts.put(column, text);
        Numbers.parse(text).ifPresentOrElse(number -> numbers.put(column, number), () -> numbers.remove(column));
    }

    /** Puts a text that is no number. */
    public void text(String column, String text) {
        texts.put(column, text);
        numbers.remove(column);
    }

    /** Puts a finite number with at most so many decimals. */
    public void number(String column, double value, int decimals) {
        texts.put(column, Numbers.text(value, decimals));
        numbers.put(
                column,
                BigDecimal.valueOf(value)
                        .setScale(decimals, RoundingMode.HALF_EVEN)
                        .doubleValue());
    }

    /** Puts a measured value with at most so many decimals, or says that there is none. */
    public void number(String column, MeasuredValue value, int decimals) {
        value.value()
                .ifPresentOrElse(number -> number(column, number, decimals), () -> text(column, Column.NOT_AVAILABLE));
    }

    /** Returns a view of the texts in the order of the columns. */
    public Map<String, String> texts() {
        return Collections.unmodifiableMap(texts);
    }

    /** Returns a view of the numbers. */
    public Map<String, Double> numbers() {
        return Collections.unmodifiableMap(numbers);
    }
}
