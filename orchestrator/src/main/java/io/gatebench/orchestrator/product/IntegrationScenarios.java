/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.gatebench.model.PayloadKind;
import io.gatebench.model.Probe;
import io.gatebench.model.ResponseCheck;
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

    static List<TestScenario> all() {
        return List.of(
                proxy("DirectProxy", "Direct Proxy", "Passthrough proxy service"),
                proxy("CBRProxy", "CBR Proxy", "Routing the message based on the content of the message body"),
                proxy("XSLTProxy", "XSLT Proxy", "Having XSLT transformations in request and response paths"),
                proxy(
                        "CBRSOAPHeaderProxy",
                        "CBR SOAP Header Proxy",
                        "Routing the message based on a SOAP header in the message payload"),
                soap(
                        "CBRTransportHeaderProxy",
                        "CBR Transport Header Proxy",
                        "Routing the message based on an HTTP header in the message",
                        false,
                        "/services/CBRTransportHeaderProxy/buyStocksOperation",
                        List.of(wrongRoute())),
                proxy("SecureProxy", "Secure Proxy", "Secured proxy service", true),
                proxy(
                        "XSLTEnhancedProxy",
                        "XSLT Enhanced Proxy",
                        "Having enhanced, Fast XSLT transformations in request and response paths"),
                soap("DirectAPI", "Direct API", "Passthrough API service", false, "/directApi", List.of()),
                soap(
                        "DirectHTTPSAPI",
                        "Direct HTTPS API",
                        "Passthrough API HTTPS service",
                        true,
                        "/directApi",
                        List.of()),
                soap(
                        "MessageBuildingProxy",
                        "Message Building Proxy",
                        "Message Building Proxy service",
                        false,
                        "/services/MessageBuildingProxy",
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
                        List.of()),
                bare(
                        "IterateAndAggregateProxy",
                        "Iterate and Aggregate Proxy",
                        "Iterate over a payload and call backend and aggregate the response"),
                bare("XSLTTransformProxy", "XSLT Transform Proxy", "Do a XSLT Transformation"),
                bare(
                        "DatamapperProxy",
                        "Datamapper Transform Proxy",
                        "Do a XML transformation same as XSLTTransformProxy"),
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
                        ResponseCheck.okContaining("symbol"),
                        List.of()));
    }

    private static Probe wrongRoute() {
        return new Probe(
                "wrong routing header",
                Probe.Token.NONE,
                Map.of("routing", WRONG_ROUTING),
                // SOAP 1.1 answers faults with 500; some products send them with 200.
                Set.of(200, 500),
                Optional.of("Invalid routing header"));
    }

    private static TestScenario proxy(String name, String displayName, String description) {
        return proxy(name, displayName, description, false);
    }

    private static TestScenario proxy(String name, String displayName, String description, boolean tls) {
        return soap(name, displayName, description, tls, "/services/" + name + "/buyStocksOperation", List.of());
    }

    private static TestScenario clone(String word, int backends) {
        String name = "CloneAndAggregateWith" + word + "BackendProxy";
        return soap(
                name,
                "Clone & Aggregate With " + backends + " Backend Proxy",
                "Clone payload and send to " + backends + " backends and aggregate the response back",
                false,
                "/services/" + name,
                List.of());
    }

    private static TestScenario soap(
            String name, String displayName, String description, boolean tls, String path, List<Probe> probes) {
        return scenario(name, displayName, description, tls, path, SOAP, PayloadKind.SOAP_BUY_STOCKS, probes);
    }

    private static TestScenario payloadFactory(int elements) {
        String name = "PayloadFactoryWith" + elements + "ElementsProxy";
        return bare(
                name,
                "PayloadFactory with " + elements + " Elements Proxy",
                "Do a XML transformation same as XSLTTransformProxy");
    }

    private static TestScenario bare(String name, String displayName, String description) {
        return scenario(
                name, displayName, description, false, "/services/" + name, BARE, PayloadKind.XML_ELEMENTS, List.of());
    }

    private static TestScenario scenario(
            String name,
            String displayName,
            String description,
            boolean tls,
            String path,
            Map<String, String> headers,
            PayloadKind payload,
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
                ResponseCheck.okContaining("symbol"),
                probes);
    }
}
