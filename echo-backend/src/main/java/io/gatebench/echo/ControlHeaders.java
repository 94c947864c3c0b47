/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.util.Locale;

/** The request headers by which a client steers its own answer; they win over the server's settings. */
final class ControlHeaders {

    static final String DELAY = "echo-delay";
    static final String RESPONSE_SIZE = "echo-response-size";
    static final String BODY_RATE = "echo-body-rate";
    static final String STATUS = "echo-status";
    static final String FAULT = "echo-fault";
    /** Is no order: the response has it too, so that its sender knows which request was answered. */
    static final String MARK = "echo-mark";

    static final String QUERY_NUMBER = "query-number";

    private ControlHeaders() {}

    /**
     * Notes what a header asks for, or what is wrong with it; other headers are passed over.
     *
     * @param steering whether {@code echo-*} headers count; {@code query-number} always does
     */
    static void apply(Exchange exchange, String name, String value, boolean steering) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals(QUERY_NUMBER)) {
            exchange.graphQl = true;
            exchange.queryNumber =
                    value.length() == 1 && value.charAt(0) >= '1' && value.charAt(0) <= '3' ? value.charAt(0) - '0' : 0;
        } else if (steering && exchange.complaint == null) {
            try {
                steer(exchange, lower, value);
            } catch (IllegalArgumentException | ArithmeticException e) {
                exchange.complaint = lower + ": " + e.getMessage();
            }
        }
    }

    private static void steer(Exchange exchange, String name, String value) {
        switch (name) {
            case DELAY -> exchange.ownDelay = ResponseDelay.parse(value);
            case RESPONSE_SIZE -> {
                long size = Amounts.bytes(value);
                if (size > EchoServerConfig.MAX_RESPONSE_SIZE) {
                    throw new IllegalArgumentException("response size must be between 0 and "
                            + EchoServerConfig.MAX_RESPONSE_SIZE + ", but was " + value);
                }
                exchange.ownSize = (int) size;
            }
            case BODY_RATE -> {
                long rate = Amounts.bytesPerSecond(value);
                if (rate < 1) {
                    throw new IllegalArgumentException(
                            "body rate must be at least 1 byte per second, but was " + value);
                }
                exchange.ownRate = rate;
            }
            case STATUS -> exchange.ownStatus = status(value);
            case FAULT ->
                exchange.ownFault = switch (value.toLowerCase(Locale.ROOT)) {
                    case "reset" -> Exchange.Fault.RESET;
                    case "never-answer" -> Exchange.Fault.NEVER_ANSWER;
                    case "none" -> Exchange.Fault.NONE;
                    default ->
                        throw new IllegalArgumentException(
                                "'" + value + "' is no fault; write reset, never-answer or none");
                };
            default -> {
                // A header that only looks like one of ours, such as "ECHO-STATUT", is none of our business.
            }
        }
    }

    private static int status(String value) {
        if (value.matches("[2-5]\\d\\d")) {
            return Integer.parseInt(value);
        }
        throw new IllegalArgumentException("status must be between 200 and 599, but was '" + value + "'");
    }
}
