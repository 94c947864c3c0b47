/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.gatebench.model.PayloadKind;
import io.gatebench.model.Probe;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ResponseCheck.Body;
import io.gatebench.model.ResponseCheck.Body.Form;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;

/** The published scenarios of the integration products: SOAP, bare XML and JSON to SOAP. */
final class IntegrationScenarios {

    /** The value of the header {@code routing} that the content-based-routing scenarios let pass. */
    static final String ROUTING = "xadmin;server1;community#1.0##";

    private static final String WRONG_ROUTING = "xadmin;server2;community#9.9##";
    private static final Map<String, String> BARE = Map.of("Content-Type", "text/xml");
    private static final Map<String, String> SOAP =
            Map.of("Content-Type", "text/xml", "SOAPAction", "urn:buyStocks", "routing", ROUTING);

    private IntegrationScenarios() {}

    /** A body that passes through unread comes back as it was sent. */
    private static final Body ECHO = Body.echo();

    private static final Body ORDERS = new Body(Form.ORDERS, 0);
    /** The answer is the request again, so that only the back end tells whether anything was done. */
    private static final Body REBUILT = new Body(Form.ORDERS_REBUILT, 0);

    private static final Body TRADES = new Body(Form.TRADES, 0);

    static List<TestScenario> all() {
        return List.of(
                proxy("DirectProxy", "Direct Proxy", "Passthrough proxy service", ECHO, List.of()),
                proxy(
                        "CBRProxy",
                        "CBR Proxy",
                        "Routing the message based on the content of the message body",
                        ORDERS,
                        List.of(wrongContent())),
                proxy(
                        "XSLTProxy",
                        "XSLT Proxy",
                        "Having XSLT transformations in request and response paths",
                        REBUILT,
                        List.of()),
                proxy(
                        "CBRSOAPHeaderProxy",
                        "CBR SOAP Header Proxy",
                        "Routing the message based on a SOAP header in the message payload",
                        ORDERS,
                        List.of(wrongSoapHeader())),
                proxy(
                        "CBRTransportHeaderProxy",
                        "CBR Transport Header Proxy",
                        "Routing the message based on an HTTP header in the message",
                        ECHO,
                        List.of(wrongRoute())),
                soap(
                        "SecureProxy",
                        "Secure Proxy",
                        "Secured proxy service",
                        true,
                        "/services/SecureProxy/buyStocksOperation",
                        ORDERS,
                        List.of()),
                proxy(
                        "XSLTEnhancedProxy",
                        "XSLT Enhanced Proxy",
                        "Having enhanced, Fast XSLT transformations in request and response paths",
                        REBUILT,
                        List.of()),
                soap("DirectAPI", "Direct API", "Passthrough API service", false, "/directApi", ECHO, List.of()),
                soap(
                        "DirectHTTPSAPI",
                        "Direct HTTPS API",
                        "Passthrough API HTTPS service",
                        true,
                        "/directApi",
                        ECHO,
                        List.of()),
                soap(
                        "MessageBuildingProxy",
                        "Message Building Proxy",
                        "Message Building Proxy service",
                        false,
                        "/services/MessageBuildingProxy",
                        ORDERS,
                        List.of()),
                clone("Two", 2),
                clone("Four", 4),
                clone("Eight", 8),
                soap(
                        "EnrichBackAndForthProxy",
                        "Enrich Back & Forth Proxy",
                        "Enrich payload to a property and enrich back in the response",
                        false,
                        "/services/EnrichBackAndForthProxy",
                        REBUILT,
                        List.of()),
                bare(
                        "IterateAndAggregateProxy",
                        "Iterate and Aggregate Proxy",
                        "Iterate over a payload and call backend and aggregate the response",
                        ORDERS),
                bare("XSLTTransformProxy", "XSLT Transform Proxy", "Do a XSLT Transformation", TRADES),
                bare(
                        "DatamapperProxy",
                        "Datamapper Transform Proxy",
                        "Do a XML transformation same as XSLTTransformProxy",
                        TRADES),
                payloadFactory(20),
                payloadFactory(50),
                payloadFactory(100),
                new TestScenario(
                        "JsonToSOAPProxy",
                        "JSON to SOAP Transformation",
                        "Convert JSON payload to SOAP format and send to the back end",
                        false,
                        "POST",
                        "/services/JsonToSOAPProxy",
                        Map.of("Content-Type", "application/json"),
                        PayloadKind.JSON_SYMBOLS,
                        TokenKind.NONE,
                        ResponseCheck.okContaining("symbol").withBody(new Body(Form.SYMBOLS, 0)),
                        List.of()));
    }

    private static Probe wrongRoute() {
        return refused("wrong routing header", Map.of("routing", WRONG_ROUTING), Optional.empty());
    }

    private static Probe wrongSoapHeader() {
        return refused("wrong SOAP header", Map.of(), Optional.of(message(WRONG_ROUTING, "IBM")));
    }

    /** The published condition is the pattern {@code .*}, which everything matches that is one line. */
    private static Probe wrongContent() {
        return refused("symbol of two lines", Map.of(), Optional.of(message(ROUTING, "I\nBM")));
    }

    private static Probe refused(String name, Map<String, String> headers, Optional<String> body) {
        return new Probe(
                name,
                Probe.Token.NONE,
                headers,
                // SOAP 1.1 answers faults with 500; some products send them with 200.
                Set.of(200, 500),
                Optional.of("Invalid routing header"),
                body);
    }

    private static String message(String routing, String symbol) {
        return "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\">"
                + "<soapenv:Header><routing xmlns=\"http://someuri\">" + routing + "</routing></soapenv:Header>"
                + "<soapenv:Body><m:buyStocks xmlns:m=\"http://services.samples/xsd\"><order><symbol>" + symbol
                + "</symbol><buyerID>john</buyerID><price>140.34</price><volume>2000</volume></order></m:buyStocks>"
                + "</soapenv:Body></soapenv:Envelope>";
    }

    private static TestScenario proxy(
            String name, String displayName, String description, Body body, List<Probe> probes) {
        return soap(name, displayName, description, false, "/services/" + name + "/buyStocksOperation", body, probes);
    }

    private static TestScenario clone(String word, int backends) {
        String name = "CloneAndAggregateWith" + word + "BackendProxy";
        return soap(
                name,
                "Clone & Aggregate With " + backends + " Backend Proxy",
                "Clone payload and send to " + backends + " backends and aggregate the response back",
                false,
                "/services/" + name,
                new Body(Form.ORDERS, backends),
                List.of());
    }

    private static TestScenario soap(
            String name,
            String displayName,
            String description,
            boolean tls,
            String path,
            Body body,
            List<Probe> probes) {
        return scenario(name, displayName, description, tls, path, SOAP, PayloadKind.SOAP_BUY_STOCKS, body, probes);
    }

    private static TestScenario payloadFactory(int elements) {
        String name = "PayloadFactoryWith" + elements + "ElementsProxy";
        return bare(
                name,
                "PayloadFactory with " + elements + " Elements Proxy",
                "Do a XML transformation same as XSLTTransformProxy",
                new Body(Form.TRADES, elements));
    }

    private static TestScenario bare(String name, String displayName, String description, Body body) {
        return scenario(
                name,
                displayName,
                description,
                false,
                "/services/" + name,
                BARE,
                PayloadKind.XML_ELEMENTS,
                body,
                List.of());
    }

    private static TestScenario scenario(
            String name,
            String displayName,
            String description,
            boolean tls,
            String path,
            Map<String, String> headers,
            PayloadKind payload,
            Body body,
            List<Probe> probes) {
        return new TestScenario(
                name,
                displayName,
                description,
                tls,
                "POST",
                path,
                headers,
                payload,
                TokenKind.NONE,
                ResponseCheck.okContaining("symbol").withBody(body),
                probes);
    }
}
