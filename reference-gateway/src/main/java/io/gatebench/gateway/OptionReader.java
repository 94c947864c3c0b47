/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.springframework.core.env.Environment;

/** Reads values of options and collects what is wrong with them, so that the user sees all of it at once. */
final class OptionReader {
    private final Environment environment;
    private final List<String> problems = new ArrayList<>();

    OptionReader(Environment environment) {
        this.environment = environment;
    }

    Optional<String> text(GatewayOption option) {
        return Optional.ofNullable(environment.getProperty(option.property()))
                .map(String::strip)
                .filter(value -> !value.isEmpty());
    }

    String text(GatewayOption option, String otherwise) {
        return text(option).orElse(otherwise);
    }

    int number(GatewayOption option, int min, int max, int otherwise) {
        return number(option, min, max).orElse(otherwise);
    }

    Optional<Integer> number(GatewayOption option, int min, int max) {
        Optional<String> text = text(option);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= min && value <= max) {
                return Optional.of(value);
            }
        } catch (NumberFormatException e) {
            // The same line says what a number must look like.
        }
        problem(option, "must be a whole number from " + min + " to " + max, text.get());
        return Optional.empty();
    }

    boolean flag(GatewayOption option) {
        String value = text(option, "false");
        if (!value.equals("true") && !value.equals("false")) {
            problem(option, "must be true or false", value);
        }
        return value.equals("true");
    }

    <E extends Enum<E>> E choice(GatewayOption option, Class<E> type, E otherwise) {
        Optional<String> value = text(option);
        if (value.isEmpty()) {
            return otherwise;
        }
        List<String> names = Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
        int index = names.indexOf(value.get());
        if (index < 0) {
            problem(option, "must be one of " + String.join(", ", names), value.get());
            return otherwise;
        }
        return type.getEnumConstants()[index];
    }

    Optional<Path> readableFile(GatewayOption option) {
        Optional<String> value = text(option);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        Path file = Path.of(value.get());
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            problem(option, "must be a file that can be read", value.get());
            return Optional.empty();
        }
        return Optional.of(file);
    }

    Optional<URI> url(GatewayOption option) {
        Optional<String> value = text(option);
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(value.get());
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (http && uri.getHost() != null) {
                return Optional.of(uri);
            }
        } catch (URISyntaxException e) {
            // The same line says what a URL must look like.
        }
        problem(option, "must be an http or https URL", value.get());
        return Optional.empty();
    }

    void require(boolean met, String problem) {
        if (!met) {
            problems.add(problem);
        }
    }

    /**
     * Ends the reading.
     *
     * @throws UsageException if anything was wrong
     */
    void finish() {
        if (!problems.isEmpty()) {
            throw new UsageException(problems);
        }
    }

    private void problem(GatewayOption option, String rule, String value) {
        problems.add("--" + option.property() + " " + rule + " but was '" + value + "'");
    }
}
