/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.payload;

/** XML payloads of the integration products: the {@code buyStocks} orders. */
final class SoapPayload {

    private static final String BUY_STOCKS = "<m:buyStocks xmlns:m=\"http://services.samples/xsd\">\n";
    private static final String HEAD =
            "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\">\n"
                    + "<soapenv:Header><routing xmlns=\"http://someuri\">xadmin;server1;community#1.0##</routing></soapenv:Header>\n"
                    + "<soapenv:Body>"
                    + BUY_STOCKS;
    private static final String END = "</m:buyStocks></soapenv:Body></soapenv:Envelope>\n";

    private SoapPayload() {}

    private record Order(String symbol, String buyer, String price, String volume) {
        private String xml() {
            return "<order><symbol>" + symbol + "</symbol><buyerID>" + buyer + "</buyerID><price>" + price
                    + "</price><volume>" + volume + "</volume></order>\n";
        }
    }

    private static final Order[] ORDERS = {
        new Order("IBM", "john", "140.34", "2000"),
        new Order("MSFT", "doe", "23.56", "8030"),
        new Order("SUN", "indika", "14.56", "500"),
        new Order("N", "n", "1.0", "1")
    };

    static String buyStocks(int size, int variant, boolean wso2Sizes) {
        return wso2Sizes ? predecessor(size) : exact(size, variant);
    }

    private static String predecessor(int size) {
        int count = (size - 298) / 98;
        if (count < 1) {
            throw new IllegalArgumentException(
                    "a SOAP payload of the predecessor must have at least 396 bytes but " + size + " were asked for");
        }
        StringBuilder out = new StringBuilder(size).append(HEAD);
        for (int left = count; left > 0; left--) {
            out.append(ORDERS[left % 4].xml());
        }
        return out.append(END).toString();
    }

    private static String exact(int size, int variant) {
        String last = ORDERS[0].xml();
        int least = HEAD.length() + last.length() + END.length();
        if (size < least) {
            throw new IllegalArgumentException(
                    "a SOAP payload must have at least " + least + " bytes but " + size + " were asked for");
        }
        StringBuilder out = new StringBuilder(size).append(HEAD);
        int left = size - least;
        for (int i = 3 + variant; ; i += 3) {
            String order = ORDERS[i % 4].xml();
            if (order.length() > left) {
                break;
            }
            out.append(order);
            left -= order.length();
        }
        // The last buyer's name takes what remains.
        return out.append(new Order("IBM", "john" + "n".repeat(left), "140.34", "2000").xml())
                .append(END)
                .toString();
    }

    static String elements(int count, int variant) {
        String[] buyers = {"john", "jane", "jack", "joan"};
        StringBuilder out = new StringBuilder(BUY_STOCKS);
        for (int volume = count; volume > 0; volume--) {
            out.append(new Order("IBM", buyers[variant % 4], "140.34", String.valueOf(volume)).xml());
        }
        return out.append("</m:buyStocks>\n").toString();
    }
}
