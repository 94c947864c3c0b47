/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.load.engine.payload.Payloads;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ResponseCheck.Body;
import io.gatebench.model.ResponseCheck.Body.Form;

class WholeBodyTest {

    private static final String DIFFERS = "body differs from the one that the request must get";

    /** One user that sends marked payloads and gets what a test makes of them. */
    private static final class Echo {
        private final byte[] payload;
        private final RequestMark mark;
        private final @Nullable ExpectedBody expected;
        private final ResponseVerifier verifier;

        private Echo(Body body, PayloadKind kind, MessageLevel level) {
            payload = Payloads.create(kind, level);
            int place = Payloads.fillingAt(kind, level);
            mark = place < 0 ? RequestMark.inHeader(7) : RequestMark.inBody(place, 7);
            expected = ExpectedBody.of(body, payload, place);
            verifier = new ResponseVerifier(
                    new ResponseCheck(200, Optional.empty(), false, false).withBody(body), level.value());
        }

        /** Returns the body of the next request. */
        private byte[] request() {
            mark.next();
            byte[] sent = payload.clone();
            if (mark.inBody()) {
                mark.write(sent);
            }
            return sent;
        }

        private @Nullable String answered(byte[] answer, int piece) {
            verifier.clear();
            verifier.expect(expected, mark);
            verifier.begin(200);
            for (int at = 0; at < answer.length; at += piece) {
                verifier.accept(answer, at, Math.min(piece, answer.length - at));
            }
            return verifier.failure(payload.length);
        }

        private @Nullable String answered(String answer) {
            return answered(answer.getBytes(StandardCharsets.UTF_8), 13);
        }
    }

    private static Echo json(int size) {
        return new Echo(Body.echo(), PayloadKind.JSON_ARRAY, MessageLevel.bytes(size));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(names = {"JSON_SIMPLE", "JSON_ARRAY", "JSON_OBJECT"})
    void theMarkTakesThePlaceOfFillingAloneAndTheAnswerToItIsRight(PayloadKind kind) {
        for (int size : new int[] {50, 51, 99, 100, 1024, 10240}) {
            Echo echo = new Echo(Body.echo(), kind, MessageLevel.bytes(size));
            byte[] first = echo.request();
            assertThat(first).hasSize(size);
            assertThat(text(first))
                    .startsWith("{\"size\":\"" + size + "B\",\"payload\":")
                    .endsWith("}");
            assertThat(text(first).replaceAll("[0-9A-Za-z_-]", "x"))
                    .as("structure of " + size)
                    .isEqualTo(text(echo.payload).replaceAll("[0-9A-Za-z_-]", "x"));
            for (int piece : new int[] {1, 7, size}) {
                assertThat(echo.answered(first, piece)).isNull();
            }
            assertThat(echo.request()).isNotEqualTo(first);
        }
    }

    @Test
    void theAnswerToAnotherRequestIsNamedAsSuch() {
        Echo echo = json(1024);
        for (int i = 0; i < 1000; i++) {
            byte[] earlier = echo.request();
            echo.request();
            assertThat(echo.answered(earlier, 1024)).isEqualTo(ResponseVerifier.OF_ANOTHER_REQUEST);
        }
    }

    @Test
    void everySingleWrongByteIsFoundWhereverItIsAndHoweverTheBodyComes() {
        Echo echo = json(300);
        Random random = new Random(3);
        for (int at = 0; at < 300; at++) {
            byte[] answer = echo.request();
            answer[at] ^= 1;
            assertThat(echo.answered(answer, 1 + random.nextInt(300)))
                    .as("byte " + at)
                    .isEqualTo(DIFFERS);
            assertThat(echo.answered(echo.request(), 1 + random.nextInt(300))).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 13, 2000})
    void missingAndFurtherBytesAreFound(int piece) {
        Echo echo = json(1024);
        byte[] sent = echo.request();
        assertThat(echo.answered(java.util.Arrays.copyOf(sent, 1023), piece))
                .isEqualTo("body ends before the end of the one that the request must get");
        assertThat(echo.answered(java.util.Arrays.copyOf(sent, 1025), piece))
                .isEqualTo("body goes on behind the end of the one that the request must get");
        assertThat(echo.answered(new byte[0], piece))
                .isEqualTo("body ends before the end of the one that the request must get");
    }

    @Test
    void anEchoIsNoMediatedAnswerAndAMediatedOneMayHaveWhiteSpace() {
        Echo echo = new Echo(new Body(Form.PAYLOAD_AND_SIZE, 0), PayloadKind.JSON_ARRAY, MessageLevel.bytes(1024));
        String sent = text(echo.request());
        assertThat(echo.answered(sent)).isEqualTo(DIFFERS);
        String payload = sent.substring(sent.indexOf('['), sent.length() - 1);
        assertThat(echo.answered("{\"payload\":" + payload + ",\"size\":\"1024B\"}"))
                .isNull();
        assertThat(echo.answered("{ \"payload\" : " + payload.replace(",", " ,\n ") + ",\n\"size\":\t\"1024B\" }\n"))
                .isNull();
        assertThat(echo.answered("{\"payload\":"
                        + payload.replace("\",\"", "\" , \"").replace("ABC", "A BC") + ",\"size\":\"1024B\"}"))
                .isEqualTo(DIFFERS);
        assertThat(echo.answered("{\"payload\":" + payload + ",\"size\":\"1024B\",\"more\":1}"))
                .isEqualTo(DIFFERS);
        assertThat(echo.answered("{\"payload\":" + payload + ",\"size\":\"1024B\"}x"))
                .isEqualTo("body goes on behind the end of the one that the request must get");
        assertThat(echo.answered("{\"payload\":" + payload + ",\"size\":\"50B\"}"))
                .isEqualTo(DIFFERS);
        echo.request();
        assertThat(echo.answered("{\"payload\":" + payload + ",\"size\":\"1024B\"}"))
                .isEqualTo(ResponseVerifier.OF_ANOTHER_REQUEST);
    }

    @Test
    void ordersAreHeldMemberByMemberInAnyOrder() {
        Echo echo = new Echo(new Body(Form.ORDERS, 0), PayloadKind.SOAP_BUY_STOCKS, MessageLevel.bytes(1000));
        String sent = text(echo.request());
        assertThat(echo.answered(sent)).isNull();
        assertThat(echo.answered(
                        "<?xml version='1.0' encoding=\"UTF-8\"?>\n<!-- a > b -->" + sent.replace("\n", "\n\n  ")))
                .isNull();
        assertThat(echo.answered(sent.replaceAll("(</?)order>", "$1s:order >"))).isNull();
        String first = sent.substring(sent.indexOf("<order>"), sent.indexOf("</order>") + 8);
        String without = sent.replaceFirst(java.util.regex.Pattern.quote(first), "");
        assertThat(echo.answered(without.replace("</m:buyStocks>", first + "</m:buyStocks>")))
                .isNull();
        assertThat(echo.answered(without))
                .isEqualTo("body has another number of elements 'order' than the request must get");
        assertThat(echo.answered(sent.replaceFirst("8030", "8031"))).isEqualTo(DIFFERS);
        assertThat(echo.answered(sent.replaceFirst("buyerID>([a-z]+)</buyerID", "buyer>$1</buyer")))
                .isEqualTo(DIFFERS);
        assertThat(echo.answered(sent.substring(0, sent.length() - 10)))
                .isEqualTo("body is not one whole XML document");
        assertThat(echo.answered(sent + "garbage")).isEqualTo("body is not one whole XML document");
        assertThat(echo.answered(sent + sent)).isEqualTo("body is not one whole XML document");
    }

    @Test
    void copiesOfTheOrdersAreCounted() {
        Echo echo = new Echo(new Body(Form.ORDERS, 2), PayloadKind.SOAP_BUY_STOCKS, MessageLevel.bytes(1000));
        String sent = text(echo.request());
        String orders = sent.substring(sent.indexOf("<m:buyStocks"), sent.indexOf("</soapenv:Body>"));
        assertThat(echo.answered(sent))
                .isEqualTo("body has another number of elements 'order' than the request must get");
        assertThat(echo.answered(sent.replace(orders, orders + orders))).isNull();
    }

    @Test
    void tradesAreNoOrders() {
        Echo echo = new Echo(new Body(Form.TRADES, 0), PayloadKind.XML_ELEMENTS, MessageLevel.elements(2));
        String trade =
                "<trade><volume>%d</volume><price>140.34</price><buyerID>john</buyerID><symbol>IBM</symbol></trade>";
        String trades = trade.formatted(2) + trade.formatted(1);
        assertThat(echo.answered("<m:trades xmlns:m=\"http://services.samples/xsd\">" + trades + "</m:trades>"))
                .isNull();
        assertThat(echo.answered(text(echo.request())))
                .isEqualTo("body has another number of elements 'trade' than the request must get");
        Echo four = new Echo(new Body(Form.TRADES, 4), PayloadKind.XML_ELEMENTS, MessageLevel.elements(2));
        String none = "<trade><volume/><price></price><buyerID/><symbol /></trade>";
        assertThat(four.answered("<t>" + trades + none + none + "</t>")).isNull();
        assertThat(four.answered("<t>" + trades + "</t>"))
                .isEqualTo("body has another number of elements 'trade' than the request must get");
    }

    @Test
    void symbolsOfJsonAreHeldAsXml() {
        Echo echo = new Echo(new Body(Form.SYMBOLS, 0), PayloadKind.JSON_SYMBOLS, MessageLevel.bytes(60));
        String sent = text(echo.request());
        String list = sent.substring(sent.indexOf('[') + 1, sent.indexOf(']'));
        String xml = list.replace(",", "").replaceAll("\"([^\"]+)\"", "<symbol>$1</symbol>");
        assertThat(echo.answered("<Envelope><Body><payload>" + xml + "</payload></Body></Envelope>"))
                .isNull();
        assertThat(echo.answered(sent)).isEqualTo("body is not one whole XML document");
    }

    @Test
    void aPayloadThatCannotHaveSuchAnAnswerIsRefused() {
        assertThatThrownBy(() -> ExpectedBody.of(new Body(Form.ORDERS, 0), new byte[] {'x'}, -1))
                .hasMessageContaining("no XML with elements named order");
        assertThatThrownBy(() -> ExpectedBody.of(new Body(Form.PAYLOAD_AND_SIZE, 0), new byte[] {'['}, -1))
                .hasMessageContaining("no JSON object");
    }
}
