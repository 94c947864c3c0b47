/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.util.List;

/** A surface with y downwards and one unit per CSS pixel; colours are {@code #rrggbb}. */
interface Canvas {

    /** Place of the given x in a text. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** One corner. */
    record Corner(double x, double y) {}

    void line(List<Corner> corners, String colour, double width, double[] dash);

    void fill(List<Corner> corners, String colour, double opacity);

    void text(double x, double y, String text, double size, boolean bold, String colour, Anchor anchor);

    /** Draws a text that reads upwards, centred on the point. */
    void upwards(double x, double y, String text, double size, String colour);
}
