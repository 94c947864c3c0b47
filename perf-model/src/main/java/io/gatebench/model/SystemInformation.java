/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.List;

/**
 * Description of one machine, as rows of the published table.
 *
 * @param host the machine's name in the run
 * @param rows the rows in order
 * @since 0.1
 */
public record SystemInformation(String host, List<Row> rows) {

    /** Copies the list. */
    public SystemInformation {
        rows = List.copyOf(rows);
    }

    /**
     * One row.
     *
     * @param systemClass e.g. {@code System}
     * @param subclass e.g. {@code Processor}
     * @param description e.g. {@code CPU(s)}
     * @param value the value
     */
    public record Row(String systemClass, String subclass, String description, String value) {}
}
