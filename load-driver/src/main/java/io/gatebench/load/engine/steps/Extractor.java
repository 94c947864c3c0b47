/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.steps;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.JsonPointerBasedFilter;
import com.fasterxml.jackson.core.filter.TokenFilter;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.HttpRequestHead;
import io.gatebench.model.ScenarioSteps.Value;

/** Takes one value from an answer. Immutable; all users share it. */
final class Extractor {

    private final JsonFactory json = new JsonFactory();
    private final Value value;
    private final @Nullable TokenFilter pointer;
    private final @Nullable Pattern pattern;
    private final String header;
    private final boolean usedInHeader;

    /**
     * Creates it.
     *
     * @param usedInHeader whether a later step sends the value in a header, which cannot hold every character
     * @throws IllegalArgumentException if the JSON pointer or the regular expression is none
     */
    Extractor(Value value, boolean usedInHeader) {
        this.value = value;
        this.pointer = value.source() == Value.Source.JSON
                ? new JsonPointerBasedFilter(JsonPointer.compile(value.place()))
                : null;
        this.pattern = value.pattern().map(Pattern::compile).orElse(null);
        this.header = value.place().toLowerCase(Locale.ROOT);
        this.usedInHeader = usedInHeader;
    }

    String name() {
        return value.name();
    }

    boolean readsBody() {
        return value.source() != Value.Source.HEADER;
    }

    /** A value, or why there is none. */
    record Taken(@Nullable String text, String problem) {

        private static Taken nothing(String problem) {
            return new Taken(null, problem);
        }
    }

    Taken take(CapturedBody body, Supplier<Map<String, String>> headers) {
        if (readsBody() && body.isCut()) {
            return Taken.nothing("the body is longer than " + (CapturedBody.MAX_BYTES >> 20) + " MiB");
        }
        Taken found = switch (value.source()) {
            case JSON -> json(body);
            case HEADER -> {
                String text = headers.get().get(header);
                yield text == null ? Taken.nothing("the response has no header " + value.place()) : new Taken(text, "");
            }
            case BODY -> new Taken(body.text(), "");
        };
        Taken part = found.text() == null || pattern == null ? found : part(found.text(), pattern);
        return usedInHeader && part.text() != null && !HttpRequestHead.canHold(part.text())
                ? Taken.nothing("the value holds a character that no header can, where a later step sends it")
                : part;
    }

    private Taken json(CapturedBody body) {
        try (JsonParser all = json.createParser(body.bytes(), 0, body.length());
                JsonParser parser = new FilteringParserDelegate(
                        all,
                        java.util.Objects.requireNonNull(pointer),
                        TokenFilter.Inclusion.ONLY_INCLUDE_ALL,
                        false)) {
            JsonToken token = parser.nextToken();
            if (token == null || token == JsonToken.VALUE_NULL) {
                return Taken.nothing("the body has nothing at the JSON pointer '" + value.place() + "'");
            }
            return token.isScalarValue()
                    ? new Taken(parser.getText(), "")
                    : Taken.nothing("at the JSON pointer '" + value.place() + "' there is no single value");
        } catch (IOException e) {
            return Taken.nothing("the body is no JSON");
        }
    }

    private static Taken part(String text, Pattern pattern) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            return Taken.nothing("nothing matches the regular expression '" + pattern + "'");
        }
        String found = matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
        return found == null
                ? Taken.nothing("the first group of the regular expression '" + pattern + "' is not in the match")
                : new Taken(found, "");
    }
}
