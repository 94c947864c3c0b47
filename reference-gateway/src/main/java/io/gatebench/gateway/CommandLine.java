/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The arguments of the program, with {@code --gateway.x value} and {@code --gateway.x=value} brought to one form.
 *
 * @param arguments every argument in the form that Spring reads; those that are not ours go to Spring as they are
 */
record CommandLine(List<String> arguments) {

    CommandLine {
        arguments = List.copyOf(arguments);
    }

    /**
     * Reads the arguments; a {@code --gateway} option without a value means {@code true}.
     *
     * @throws UsageException if an argument is no option or an option under our prefix is unknown
     */
    static CommandLine parse(String... args) {
        List<String> joined = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            String argument = args[i];
            if (!argument.startsWith("--")) {
                problems.add("'" + argument + "' is no option: options are --gateway.<name>=<value>");
                continue;
            }
            if (!argument.startsWith("--" + GatewayOption.PREFIX)) {
                joined.add(argument);
                continue;
            }
            if (!argument.contains("=")) {
                boolean valueFollows = i + 1 < args.length && !args[i + 1].startsWith("--");
                argument += "=" + (valueFollows ? args[++i] : "true");
            }
            String name = argument.substring(2, argument.indexOf('='));
            if (!GatewayOption.properties().contains(name)) {
                problems.add("unknown option '--" + name + "'" + suggestion(name));
            }
            joined.add(argument);
        }
        if (!problems.isEmpty()) {
            throw new UsageException(problems);
        }
        return new CommandLine(joined);
    }

    /** Returns the arguments over the environment variables ({@code GATEWAY_HTTPS_PORT}) and system properties. */
    Environment environment() {
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SimpleCommandLinePropertySource(arguments.toArray(String[]::new)));
        return environment;
    }

    private static String suggestion(String name) {
        Optional<String> nearest =
                GatewayOption.properties().stream().min(Comparator.comparingInt(known -> distance(name, known)));
        return nearest.filter(known -> distance(name, known) <= 4)
                .map(known -> "; did you mean '--" + known + "'?")
                .orElse("; the options are " + String.join(", ", GatewayOption.properties()));
    }

    /** Levenshtein distance. */
    private static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int substitute = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[right.length()];
    }
}
