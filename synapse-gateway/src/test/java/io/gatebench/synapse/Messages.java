/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The messages that the integration scenarios send. */
final class Messages {
    static final String ROUTING = "xadmin;server1;community#1.0##";

    static final String SOAP = soap(ROUTING);

    static final String JSON = "{\"payload\":{\"symbol\":[\"json\",\"json\"]}}";

    private Messages() {}

    /** Returns a buyStocks envelope of two orders with this text in its routing header. */
    static String soap(String routing) {
        return soap(routing, 2);
    }

    /** Returns a buyStocks envelope of {@code orders} orders, at least one, with this text in its routing header. */
    static String soap(String routing, int orders) {
        String order =
                "<order><symbol>IBM</symbol><buyerID>john</buyerID><price>140.34</price><volume>2000</volume></order>";
        return """
            <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header>\
            <routing xmlns="http://someuri">%s</routing></soapenv:Header><soapenv:Body>\
            <m:buyStocks xmlns:m="http://services.samples/xsd">\
            %s\
            <order><symbol>N</symbol><buyerID>n</buyerID><price>1.0</price><volume>1</volume></order>\
            </m:buyStocks></soapenv:Body></soapenv:Envelope>""".formatted(routing, order.repeat(orders - 1));
    }

    /** Returns bare XML with {@code orders} orders whose volume counts down to 1. */
    static String elements(int orders) {
        return IntStream.iterate(orders, volume -> volume > 0, volume -> volume - 1)
                .mapToObj(volume -> "<order><symbol>IBM</symbol><buyerID>john</buyerID><price>140.34</price><volume>"
                        + volume + "</volume></order>")
                .collect(Collectors.joining(
                        "", "<m:buyStocks xmlns:m=\"http://services.samples/xsd\">", "</m:buyStocks>"));
    }

    /** Returns what the transforming scenarios make of {@link #elements}. */
    static String trades(int orders) {
        return IntStream.iterate(orders, volume -> volume > 0, volume -> volume - 1)
                .mapToObj(volume -> "<trade><volume>" + volume
                        + "</volume><price>140.34</price><buyerID>john</buyerID><symbol>IBM</symbol></trade>")
                .collect(Collectors.joining("", "<m:trades xmlns:m=\"http://services.samples/xsd\">", "</m:trades>"));
    }
}
