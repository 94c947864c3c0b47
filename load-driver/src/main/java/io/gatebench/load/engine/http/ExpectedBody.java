/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import org.jspecify.annotations.Nullable;

import io.gatebench.model.ResponseCheck;

/**
 * Body that every answer to one payload must have, worked out once before the load. Immutable; all users share it.
 */
public abstract sealed class ExpectedBody permits ExpectedBody.Bytes, ExpectedBody.Records {

    private ExpectedBody() {}

    /**
     * Returns what a check demands of the answers to a payload, or null if it does not look at whole bodies.
     *
     * @param markPlace where the payload carries the mark of a request, negative if it does not
     * @throws IllegalArgumentException if there is no such answer to that payload
     */
    public static @Nullable ExpectedBody of(ResponseCheck.Body check, byte[] payload, int markPlace) {
        return switch (check.form()) {
            case ANY -> null;
            case ECHO -> new Bytes(payload, markPlace, null);
            case PAYLOAD_AND_SIZE -> payloadAndSize(payload, markPlace);
            case ORDERS, ORDERS_REBUILT -> Records.like(text(payload), "order", Math.max(1, check.count()));
            case TRADES -> Records.like(trades(text(payload), check.count()), "trade", 1);
            case SYMBOLS -> Records.like(symbols(payload), "symbol", 1);
        };
    }

    /** A body that is known byte for byte, but perhaps for white space. */
    static final class Bytes extends ExpectedBody {
        final byte[] bytes;
        final int markPlace;
        /** Positions at which white space may stand before a byte; null for nowhere. */
        final boolean @Nullable [] gaps;

        private Bytes(byte[] bytes, int markPlace, boolean @Nullable [] gaps) {
            this.bytes = bytes;
            this.markPlace = markPlace;
            this.gaps = gaps;
        }
    }

    /** XML with a known number of elements of a name, whose content is known, in any order. */
    static final class Records extends ExpectedBody {
        final byte[] name;
        final long count;
        final long sum;

        private Records(byte[] name, long count, long sum) {
            this.name = name;
            this.count = count;
            this.sum = sum;
        }

        private static Records like(String xml, String name, int times) {
            byte[] wanted = name.getBytes(StandardCharsets.US_ASCII);
            XmlRecords reader = new XmlRecords(wanted);
            byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
            reader.accept(bytes, 0, bytes.length);
            if (!reader.whole() || reader.count() == 0) {
                throw new IllegalArgumentException("the payload is no XML with elements named " + name
                        + ", so that the response cannot be held to them");
            }
            return new Records(wanted, reader.count() * times, reader.sum() * times);
        }
    }

    private static String text(byte[] payload) {
        return new String(payload, StandardCharsets.UTF_8);
    }

    private static Bytes payloadAndSize(byte[] payload, int markPlace) {
        byte[] head = "{\"payload\":".getBytes(StandardCharsets.US_ASCII);
        int[] member = new int[2];
        String inner = member(payload, "payload", member);
        String whole = new String(head, StandardCharsets.US_ASCII) + inner + ",\"size\":"
                + member(payload, "size", new int[2]) + "}";
        // A mark lies in a payload that was made here, which has no white space that could shift it.
        int place = markPlace < 0 ? markPlace : markPlace - member[0] + head.length;
        return json(whole, place);
    }

    /** Returns a member of an object as it is written, {@code null} if it is missing; of several the last one. */
    private static String member(byte[] object, String name, int[] range) {
        String found = "null";
        try (JsonParser parser = new JsonFactory().createParser(object)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw notJson(null);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String current = parser.currentName();
                parser.nextToken();
                int start = (int) parser.currentTokenLocation().getByteOffset();
                parser.skipChildren();
                parser.finishToken();
                int end = (int) parser.currentLocation().getByteOffset();
                if (current.equals(name)) {
                    range[0] = start;
                    range[1] = end;
                    found = new String(object, start, end - start, StandardCharsets.UTF_8);
                }
            }
        } catch (IOException e) {
            throw notJson(e);
        }
        return found;
    }

    private static IllegalArgumentException notJson(@Nullable IOException cause) {
        return new IllegalArgumentException(
                "the payload is no JSON object, so that the response cannot be held to its members", cause);
    }

    /** Takes the white space out that says nothing, and notes where some may stand. */
    private static Bytes json(String text, int place) {
        byte[] source = text.getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[source.length];
        boolean[] gaps = new boolean[source.length + 1];
        int length = 0;
        boolean inString = false;
        boolean escaped = false;
        boolean afterSyntax = true;
        for (byte b : source) {
            if (inString) {
                out[length++] = b;
                if (!escaped && b == '"') {
                    inString = false;
                    afterSyntax = true;
                }
                escaped = !escaped && b == '\\';
                continue;
            }
            if (b == ' ' || b == '\t' || b == '\r' || b == '\n') {
                continue;
            }
            boolean syntax = b == '{' || b == '}' || b == '[' || b == ']' || b == ':' || b == ',' || b == '"';
            gaps[length] = afterSyntax || syntax;
            out[length++] = b;
            afterSyntax = syntax;
            inString = b == '"';
        }
        gaps[length] = true;
        return new Bytes(Arrays.copyOf(out, length), place, Arrays.copyOf(gaps, length + 1));
    }

    private static final Pattern ORDER = Pattern.compile("<order><symbol>([^<]*)</symbol><buyerID>([^<]*)</buyerID>"
            + "<price>([^<]*)</price><volume>([^<]*)</volume></order>");

    private static String trades(String orders, int count) {
        List<String> trades = new ArrayList<>();
        Matcher order = ORDER.matcher(orders);
        while (order.find() && (count == 0 || trades.size() < count)) {
            trades.add(trade(order.group(4), order.group(3), order.group(2), order.group(1)));
        }
        while (trades.size() < count) {
            trades.add(trade("", "", "", ""));
        }
        return "<trades>" + String.join("", trades) + "</trades>";
    }

    private static String trade(String volume, String price, String buyer, String symbol) {
        return "<trade><volume>" + volume + "</volume><price>" + price + "</price><buyerID>" + buyer
                + "</buyerID><symbol>" + symbol + "</symbol></trade>";
    }

    private static String symbols(byte[] payload) {
        StringBuilder xml = new StringBuilder("<payload>");
        try (JsonParser parser = new JsonFactory().createParser(payload)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING && "symbol".equals(name(parser))) {
                    xml.append("<symbol>").append(escaped(parser.getText())).append("</symbol>");
                }
            }
        } catch (IOException e) {
            throw notJson(e);
        }
        return xml.append("</payload>").toString();
    }

    private static @Nullable String name(JsonParser parser) {
        return parser.getParsingContext().inArray()
                ? parser.getParsingContext().getParent().getCurrentName()
                : parser.getParsingContext().getCurrentName();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
