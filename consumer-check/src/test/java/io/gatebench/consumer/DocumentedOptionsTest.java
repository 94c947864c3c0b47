/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the documents show is of a known kind, and every command of the program in them has options that the program has.
 *
 * <p>This holds for commands that no test can execute too: those that need a product's pack, or rent machines.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentedOptionsTest {

    private static final Set<String> LANGUAGES = Set.of("sh", "java", "yaml", "xml", "json", "text");
    private static final Pattern COMMAND =
            Pattern.compile("(?:java -jar (?:\\S*/)?orchestrator\\.jar|\\./gatebench) ([^\\n`#;|&>)]*)");
    private static final String DEFAULT_COMMAND = "run";

    /** The help of each command by its words, from the page that is the program's own output. */
    private final Map<String, String> help = help();

    static Stream<Path> documents() throws IOException {
        return Documents.all().stream();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void saysWhatEachBlockIs(Path document) {
        assertThat(Documents.fences(document))
                .allSatisfy(fence ->
                        assertThat(LANGUAGES).as("line " + fence.line()).contains(fence.language()));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void namesNoOptionThatTheProgramLacks(Path document) throws IOException {
        Matcher commands = COMMAND.matcher(Files.readString(document).replaceAll("\\\\\\n\\s*", ""));
        List<String> unknown = new ArrayList<>();
        while (commands.find()) {
            unknown.addAll(unknown(commands.group(1).strip().split("\\s+")));
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void wouldFindAnOptionThatTheProgramLacks() {
        assertThat(unknown("--product apim --gateway-homes x.zip".split(" "))).containsExactly("run: --gateway-homes");
        assertThat(unknown("aws teardown --runs=abc".split(" "))).containsExactly("aws teardown: --runs");
    }

    private List<String> unknown(String... words) {
        String command = "";
        for (String word : words) {
            if (!help.containsKey((command + " " + word).strip())) {
                break;
            }
            command = (command + " " + word).strip();
        }
        String used = command.isEmpty() ? DEFAULT_COMMAND : command;
        List<String> unknown = new ArrayList<>();
        for (String word : words) {
            String option = word.replaceFirst("=.*", "");
            if (option.startsWith("--") && !has(used, option)) {
                unknown.add(used + ": " + option);
            }
        }
        return unknown;
    }

    private boolean has(String command, String option) {
        return Pattern.compile("(?<![\\w-])" + Pattern.quote(option) + "(?![\\w-])")
                .matcher(help.get(command))
                .find();
    }

    private static Map<String, String> help() {
        Map<String, String> help = new HashMap<>();
        String page;
        try {
            page = Files.readString(Documents.REFERENCE.resolve("options.md"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        for (String section : page.split("(?m)^## ")) {
            help.put(section.lines().findFirst().orElse(""), section);
        }
        return help;
    }
}
