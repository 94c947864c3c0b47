/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

import java.util.List;
import java.util.function.Function;

import io.gatebench.model.MeasuredValue;
import io.gatebench.report.column.Metric.Better;

/**
 * Everything that the report knows of one column.
 *
 * @param header the name under which tables carry it
 * @param meaning what it says, as the reference explains it
 * @param unit the unit of its numbers
 * @param better which direction is an improvement
 * @param of the value of a row
 * @param format the text of a value
 * @param aliases the names under which earlier and foreign files carry it
 * @param <T> the type of its values
 * @since 0.1
 */
public record Column<T>(
        String header,
        String meaning,
        Unit unit,
        Better better,
        Function<MeasuredCase, ? extends T> of,
        Function<? super T, String> format,
        List<String> aliases) {

    /** The text in the place of a figure that there is not. */
    public static final String NOT_AVAILABLE = "N/A";

    /** Copies the aliases. */
    public Column {
        aliases = List.copyOf(aliases);
    }

    /** Returns a column of figures, each rounded half to even to so many decimals. */
    public static Column<MeasuredValue> figure(
            String header,
            String meaning,
            Unit unit,
            Better better,
            int decimals,
            Function<MeasuredCase, MeasuredValue> of) {
        return new Column<>(header, meaning, unit, better, of, rounded(decimals), List.of());
    }

    /** Returns a column of texts. */
    public static Column<String> text(String header, String meaning, Function<MeasuredCase, String> of) {
        return new Column<>(header, meaning, Unit.NONE, Better.NEITHER, of, Function.identity(), List.of());
    }

    /** Returns the text of a row. */
    public String text(MeasuredCase row) {
        return format.apply(of.apply(row));
    }

    /** Returns the format of figures with at most so many decimals. */
    public static Function<MeasuredValue, String> rounded(int decimals) {
        return figure -> figure.fold(value -> Numbers.text(value, decimals), reason -> NOT_AVAILABLE);
    }
}
