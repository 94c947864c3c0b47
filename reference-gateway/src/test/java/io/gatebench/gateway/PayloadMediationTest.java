/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PayloadMediationTest {
    private final PayloadMediation mediation = new PayloadMediation();
    private final JsonMapper mapper = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"size\":\"50B\",\"payload\":[\"0123456789\",\"ABCDEFGH\"]} | {\"payload\":[\"0123456789\",\"ABCDEFGH\"],\"size\":\"50B\"}",
                "{\"payload\":\"x\",\"size\":\"1B\"} | {\"payload\":\"x\",\"size\":\"1B\"}",
                " { \"a\" : 1 , \"size\" : 5 , \"payload\" : { \"k\" : [ ] } , \"b\" : null } | {\"payload\":{ \"k\" : [ ] },\"size\":5}",
                "{\"size\":1.50,\"payload\":-0.0e+10} | {\"payload\":-0.0e+10,\"size\":1.50}",
                "{\"payload\":true,\"size\":null} | {\"payload\":true,\"size\":null}",
                "{\"payload\":12345678901234567890123456789012345678901234567890,\"size\":0 } | {\"payload\":12345678901234567890123456789012345678901234567890,\"size\":0}",
                "{\"payload\":\"\\u0041\\\"\\\\ü€😀\",\"size\":\"\"} | {\"payload\":\"\\u0041\\\"\\\\ü€😀\",\"size\":\"\"}",
                "{\"\\u0070ayload\":1,\"size\":2} | {\"payload\":1,\"size\":2}",
                "{\"x\":{\"payload\":1,\"size\":2}} | {\"payload\":null,\"size\":null}",
                "{\"payload\":1,\"payload\":2,\"size\":3,\"size\":4} | {\"payload\":2,\"size\":4}",
                "{} | {\"payload\":null,\"size\":null}",
                "[{\"payload\":1}] | {\"payload\":null,\"size\":null}",
                "7 | {\"payload\":null,\"size\":null}",
                "\"payload\" | {\"payload\":null,\"size\":null}",
            })
    void keepsTheTwoMembersAsTheyWereWritten(String in, String out) {
        assertThat(apply(in)).isEqualTo(out);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{\"payload\":1",
                "{\"payload\":\"x",
                "{\"payload\":1,}",
                "{\"payload\":01}",
                "{'payload':1}",
                "{payload:1}",
                "{\"payload\":1} x",
                "{\"payload\":1}{\"size\":1}",
                "{\"payload\":1}]",
                "{\"payload\":NaN}",
                "{\"x\":\"\\q\",\"payload\":1}",
                "{\"x\":[1,,2]}",
                "{\"x\":tru}",
                "<xml/>",
                "\uFEFF{}",
                "1 2",
                "nul",
            })
    void refusesWhatIsNoJson(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> mediation.apply(bytes)).isInstanceOf(JacksonException.class);
        assertThatThrownBy(() -> mediation.check(bytes)).isInstanceOf(JacksonException.class);
    }

    @Test
    void refusesBytesThatAreNoUtf8() {
        byte[] latin1 = "{\"payload\":\"ü\"}".getBytes(StandardCharsets.ISO_8859_1);
        byte[] utf16 = "{\"payload\":1}".getBytes(StandardCharsets.UTF_16LE);
        assertThatThrownBy(() -> mediation.apply(latin1)).isInstanceOf(JacksonException.class);
        assertThatThrownBy(() -> mediation.apply(utf16)).isInstanceOf(JacksonException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"eda080", "edbfbf", "c080", "e08080", "f0808080", "f4908080", "f5808080", "80", "e282", "ff"})
    void refusesStringsWithBytesThatNoUtf8Has(String hex) {
        byte[] before = "{\"payload\":1,\"x\":{\"y\":[\"".getBytes(StandardCharsets.US_ASCII);
        byte[] wrong = HexFormat.of().parseHex(hex);
        byte[] after = "\"]}}".getBytes(StandardCharsets.US_ASCII);
        byte[] text = ByteBuffer.allocate(before.length + wrong.length + after.length)
                .put(before)
                .put(wrong)
                .put(after)
                .array();

        assertThatThrownBy(() -> mediation.check(text)).isInstanceOf(JacksonException.class);
        assertThatThrownBy(() -> mediation.apply(text)).isInstanceOf(JacksonException.class);
    }

    @Test
    void refusesNestingThatWouldExhaustTheStack() {
        String deep = "{\"payload\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        assertThatThrownBy(() -> apply(deep)).isInstanceOf(JacksonException.class);
    }

    @Property(tries = 2_000)
    void agreesWithATreeOfTheSameText(
            @ForAll("documents") String document, @ForAll("spaces") String before, @ForAll("spaces") String after) {
        JsonNode in = mapper.readTree(document);
        JsonNode out = mapper.readTree(apply(before + document + after));

        assertThat(out.propertyNames()).containsExactly("payload", "size");
        assertThat(out.get("payload"))
                .isEqualTo(
                        in.path("payload").isMissingNode()
                                ? tools.jackson.databind.node.NullNode.getInstance()
                                : in.get("payload"));
        assertThat(out.get("size"))
                .isEqualTo(
                        in.path("size").isMissingNode()
                                ? tools.jackson.databind.node.NullNode.getInstance()
                                : in.get("size"));
    }

    @Test
    void passesOnANumberThatNoDecimalHolds() {
        byte[] bytes = "{\"size\":100000E002147483648,\"payload\":1}".getBytes(StandardCharsets.UTF_8);

        assertThat(accepts(() -> mediation.check(bytes))).isTrue();
        assertThat(members(mediation.apply(bytes))).isEqualTo(2);
    }

    @Property(tries = 2_000)
    void acceptsTheSameBytesForCheckingAndForChangingAndMakesJsonOfThem(
            @ForAll("documents") String document, @ForAll int position, @ForAll byte value) {
        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
        bytes[Math.floorMod(position, bytes.length)] = value;
        boolean accepted = accepts(() -> mediation.apply(bytes));

        assertThat(accepts(() -> mediation.check(bytes))).isEqualTo(accepted);
        if (accepted) {
            assertThat(members(mediation.apply(bytes))).isEqualTo(2);
        }
    }

    /** Counts the members of an object, token by token: a tree cannot hold a number whose exponent is too large. */
    private int members(byte[] bytes) {
        try (JsonParser parser = mapper.createParser(bytes)) {
            assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            int members = 0;
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                parser.nextToken();
                parser.skipChildren();
                members++;
            }
            assertThat(parser.nextToken()).isNull();
            return members;
        }
    }

    @Provide
    Arbitrary<String> documents() {
        Arbitrary<String> member = Arbitraries.oneOf(
                Arbitraries.of("payload", "size", "payload ", "Size", "x"),
                Arbitraries.strings().ofMaxLength(4));
        Arbitrary<String> fields = Combinators.combine(member, values(3), spaces())
                .as((name, value, space) -> mapper.writeValueAsString(name) + space + ":" + space + value);
        return fields.list().ofMaxSize(6).map(list -> "{" + String.join(",", list) + "}");
    }

    @Provide
    Arbitrary<String> spaces() {
        return Arbitraries.of("", " ", "\n", "\t \r\n");
    }

    private Arbitrary<String> values(int depth) {
        Arbitrary<String> scalars = Arbitraries.oneOf(
                Arbitraries.of("true", "false", "null", "0", "-1", "1.5e3", "10", "\"\"", "[]", "{}"),
                Arbitraries.longs().map(Object::toString),
                Arbitraries.strings().ofMaxLength(12).map(mapper::writeValueAsString));
        if (depth == 0) {
            return scalars;
        }
        return Arbitraries.oneOf(
                scalars,
                values(depth - 1).list().ofMaxSize(3).map(list -> "[" + String.join(" , ", list) + "]"),
                values(depth - 1).map(value -> "{\"payload\" :" + value + "}"));
    }

    private String apply(String text) {
        return new String(mediation.apply(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }

    private static boolean accepts(Runnable action) {
        try {
            action.run();
            return true;
        } catch (JacksonException e) {
            return false;
        }
    }
}
