/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts of a product's {@code deployment.toml}: the plain {@code key = "value"} lines below their table, which is
 * the form of everything that is asked for here. Other values are left alone.
 */
final class CarbonConfig {

    private static final Pattern TABLE = Pattern.compile("\\[{1,2}\\s*([^\\]]+?)\\s*\\]{1,2}\\s*(?:#.*)?");
    private static final Pattern VALUE =
            Pattern.compile("\"?([A-Za-z0-9_.-]+)\"?\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')\\s*(?:#.*)?");

    private final String text;
    private final Map<String, String> values = new LinkedHashMap<>();

    CarbonConfig(String text) {
        this.text = text;
        String table = "";
        for (String line : text.lines().map(String::strip).toList()) {
            Matcher header = TABLE.matcher(line);
            Matcher value = VALUE.matcher(line);
            if (header.matches()) {
                table = header.group(1);
            } else if (value.matches()) {
                values.putIfAbsent(
                        table + "/" + value.group(1), value.group(2) == null ? value.group(3) : value.group(2));
            }
        }
    }

    /** Returns a text, if it is there and no reference to another place. */
    Optional<String> value(String table, String key) {
        return Optional.ofNullable(values.get(table + "/" + key)).filter(v -> !v.startsWith("$"));
    }

    /** Returns the file with other content in place of some tables, which come last. */
    String withTables(Map<String, Map<String, String>> tables) {
        List<String> lines = new ArrayList<>();
        boolean replaced = false;
        for (String line : text.lines().toList()) {
            Matcher header = TABLE.matcher(line.strip());
            if (header.matches()) {
                replaced = tables.containsKey(header.group(1));
            }
            if (!replaced) {
                lines.add(line);
            }
        }
        tables.forEach((table, content) -> {
            lines.add("");
            lines.add("[" + table + "]");
            content.forEach((key, value) -> lines.add(key + " = \"" + value + "\""));
        });
        return String.join("\n", lines) + "\n";
    }
}
