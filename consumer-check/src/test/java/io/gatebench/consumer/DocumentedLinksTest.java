/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every link between the documents leads to a file that is there, and to a heading of it where it names one. */
class DocumentedLinksTest {

    private static final Pattern BLOCK = Pattern.compile("(?ms)^\\s*```.*?^\\s*```");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    static Stream<Path> documents() throws IOException {
        return Documents.all().stream();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void leadsSomewhere(Path document) throws IOException {
        assertThat(broken(document)).isEmpty();
    }

    @Test
    void wouldFindALinkThatLeadsNowhere(@TempDir Path directory) throws IOException {
        Path document = Files.writeString(directory.resolve("page.md"), """
                ## What `it` does, and why
                [good](#what-it-does-and-why) [also](page.md#what-it-does-and-why) [there](https://example.org/none)
                [missing](none.md) [renamed](page.md#what-it-did)
                ```
                [no](link)
                ```
                """);

        assertThat(broken(document)).containsExactly("none.md", "page.md#what-it-did");
    }

    private static List<String> broken(Path document) throws IOException {
        return LINK.matcher(prose(document))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.startsWith("https://"))
                .filter(link -> !leadsSomewhere(document, link))
                .toList();
    }

    private static boolean leadsSomewhere(Path document, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
        try {
            return Files.exists(target)
                    && (parts.length == 1
                            || HEADING.matcher(prose(target))
                                    .results()
                                    .map(DocumentedLinksTest::anchor)
                                    .anyMatch(parts[1]::equals));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String prose(Path document) throws IOException {
        return BLOCK.matcher(Files.readString(document)).replaceAll("");
    }

    /** The name that GitHub gives a heading. */
    private static String anchor(MatchResult heading) {
        return heading.group(1)
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\w\\- ]", "")
                .replace(' ', '-');
    }
}
