/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;

class PayloadsTest {

    private static String text(PayloadKind kind, MessageLevel level) {
        return new String(Payloads.create(kind, level), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(names = {"JSON_SIMPLE", "JSON_ARRAY", "JSON_OBJECT"})
    void jsonIsExactAndValidAtEverySize(PayloadKind kind) throws Exception {
        JsonMapper json = JsonMapper.builder().build();
        for (int size = 50; size < 700; size++) {
            byte[] payload = Payloads.create(kind, MessageLevel.bytes(size));
            assertThat(payload).hasSize(size);
            JsonNode root = json.readTree(payload);
            assertThat(root.path("size").textValue()).isEqualTo(size + "B");
            assertThat(root.has("payload")).isTrue();
        }
        assertThat(Payloads.create(kind, MessageLevel.bytes(102400))).hasSize(102400);
    }

    @Test
    void jsonHasThePublishedShapes() {
        assertThat(text(PayloadKind.JSON_ARRAY, MessageLevel.bytes(50)))
                .isEqualTo("{\"size\":\"50B\",\"payload\":[\"0123456789\",\"ABCDEFGH\"]}");
        assertThat(text(PayloadKind.JSON_SIMPLE, MessageLevel.bytes(50)))
                .isEqualTo("{\"size\":\"50B\",\"payload\":\"0123456789ABCDEFGHIJKLM\"}");
        assertThat(text(PayloadKind.JSON_OBJECT, MessageLevel.bytes(90)))
                .startsWith("{\"size\":\"90B\",\"payload\":{\"payload1\":\"0123456789\",\"payload2\":\"ABCDEFGHIJ");
    }

    @ParameterizedTest
    @CsvSource({"500,499", "1000,981", "10000,9997", "100000,99966", "200000,199926", "500000,499997", "1000000,999998"
    })
    void soapHasTheSizesOfThePredecessorWhenAskedFor(int size, int predecessor) {
        assertThat(Payloads.create(PayloadKind.SOAP_BUY_STOCKS, MessageLevel.bytes(size), 0, true))
                .hasSize(predecessor);
    }

    @Test
    void soapIsExactAndWellFormed() throws Exception {
        for (int size : new int[] {399, 400, 499, 500, 501, 1000, 1024, 10_000, 102_400, 1_000_000}) {
            byte[] payload = Payloads.create(PayloadKind.SOAP_BUY_STOCKS, MessageLevel.bytes(size));
            assertThat(payload).hasSize(size);
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(payload));
        }
    }

    @ParameterizedTest
    @CsvSource({"5,557", "10,1048", "20,2038", "50,5008", "100,9959"})
    void elementsHaveThePublishedSizes(int count, int size) {
        assertThat(Payloads.create(PayloadKind.XML_ELEMENTS, MessageLevel.elements(count)))
                .hasSize(size);
    }

    @Test
    void symbolsAreExactAndFourBytesLessForThePredecessor() throws Exception {
        for (int size = 60; size < 300; size++) {
            byte[] payload = Payloads.create(PayloadKind.JSON_SYMBOLS, MessageLevel.bytes(size));
            assertThat(payload).hasSize(size);
            JsonMapper.builder().build().readTree(payload);
            assertThat(Payloads.create(PayloadKind.JSON_SYMBOLS, MessageLevel.bytes(size), 0, true))
                    .hasSize(size - 4);
        }
    }

    @Test
    void graphQlQueriesHaveThePublishedSizes() throws Exception {
        int[] sizes = {158, 1127, 2051};
        for (int number = 1; number <= 3; number++) {
            JsonNode body = JsonMapper.builder()
                    .build()
                    .readTree(Payloads.create(PayloadKind.GRAPHQL_QUERY, MessageLevel.query(number)));
            assertThat(body.get("operationName").isNull()).isTrue();
            String query = body.get("query").textValue();
            assertThat(query).contains("hero", "friendsConnection");
            assertThat(query.length()).isEqualTo(sizes[number - 1]);
            assertThat(query.chars().filter(c -> c == '{').count())
                    .isEqualTo(query.chars().filter(c -> c == '}').count());
        }
        assertThatThrownBy(() -> Payloads.create(PayloadKind.GRAPHQL_QUERY, MessageLevel.query(4)))
                .hasMessageContaining("not 4");
    }

    @ParameterizedTest
    @EnumSource(
            value = PayloadKind.class,
            names = {"JSON_SIMPLE", "JSON_ARRAY", "JSON_OBJECT", "SOAP_BUY_STOCKS"})
    void variantsDifferAndHaveOneSize(PayloadKind kind) {
        List<byte[]> variants = Payloads.variants(kind, MessageLevel.bytes(1024), 4, false);
        assertThat(variants).allSatisfy(payload -> assertThat(payload).hasSize(1024));
        assertThat(variants.stream().map(String::new).distinct()).hasSize(4);
    }

    @Test
    void refusesSizesThatDoNotExist() {
        assertThatThrownBy(() -> Payloads.create(PayloadKind.JSON_ARRAY, MessageLevel.bytes(49)))
                .hasMessageContaining("at least 50 bytes but 49");
        assertThatThrownBy(() -> Payloads.create(PayloadKind.JSON_ARRAY, MessageLevel.query(1)))
                .hasMessageContaining("SIZE_BYTES");
    }
}
