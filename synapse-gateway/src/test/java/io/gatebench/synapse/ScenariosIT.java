/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static io.gatebench.synapse.Messages.ROUTING;
import static io.gatebench.synapse.Messages.SOAP;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every served scenario on the real engine, seen from the client and from the back end. */
class ScenariosIT {
    private static final String OPERATION = "/buyStocksOperation";

    @TempDir
    private static Path directory;

    private static EchoBackend backend;
    private static GatewayProcess gateway;
    private static GatewayClient client;

    @BeforeAll
    static void startGateway() throws IOException, GeneralSecurityException {
        client = new GatewayClient();
        backend = EchoBackend.start();
        gateway = GatewayProcess.start(
                directory, List.of(), "--backend", backend.url().toString());
    }

    @AfterAll
    static void stopGateway() {
        gateway.close();
        backend.close();
    }

    @BeforeEach
    void forgetEarlierRequests() {
        backend.take();
    }

    @ParameterizedTest
    @CsvSource({
        "http, /services/DirectProxy/buyStocksOperation",
        "https, /services/DirectProxy/buyStocksOperation",
        "http, /directApi",
        "https, /directApi"
    })
    void directScenariosPassTheMessageUntouched(String scheme, String path) throws Exception {
        HttpResponse<String> response = client.soap(scheme.equals("https") ? gateway.https(path) : gateway.http(path));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(SOAP);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/xml"));
        assertThat(backend.take()).singleElement().satisfies(call -> {
            assertThat(call.method()).isEqualTo("POST");
            assertThat(call.path()).startsWith("/service/EchoService");
            assertThat(call.body()).isEqualTo(SOAP);
            assertThat(call.soapAction())
                    .hasValueSatisfying(action -> assertThat(action).contains("urn:buyStocks"));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"CBRProxy", "CBRSOAPHeaderProxy", "CBRTransportHeaderProxy"})
    void routingScenariosCallTheBackEndWithTheRightRoute(String scenario) throws Exception {
        HttpResponse<String> response = client.soap(gateway.http("/services/" + scenario + OPERATION));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("<symbol>IBM</symbol>", "<symbol>N</symbol>");
        assertThat(backend.take())
                .singleElement()
                .satisfies(call -> assertThat(call.body()).contains("<symbol>IBM</symbol>"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CBRTransportHeaderProxy|other|xadmin;server1;community#1.0##",
                "CBRTransportHeaderProxy|xadmin;server1;community#1x0##|xadmin;server1;community#1.0##",
                "CBRTransportHeaderProxy|xadmin;server1;community#1.0##2|xadmin;server1;community#1.0##",
                "CBRSOAPHeaderProxy|xadmin;server1;community#1.0##|other",
                "CBRSOAPHeaderProxy|xadmin;server1;community#1.0##|xadmin;server1;community#1x0##"
            })
    void aWrongRouteIsRefusedWithoutTheBackEnd(String scenario, String transportHeader, String soapHeader)
            throws Exception {
        HttpResponse<String> response = client.soap(
                gateway.http("/services/" + scenario + OPERATION), transportHeader, Messages.soap(soapHeader));

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/xml"));
        assertThat(response.body())
                .contains("http://schemas.xmlsoap.org/soap/envelope/")
                .contains("<faultstring>Invalid routing header</faultstring>")
                .doesNotContain("symbol");
        assertThat(backend.take()).isEmpty();
    }

    @Test
    void aMissingRouteIsRefusedWithoutTheBackEnd() throws Exception {
        HttpResponse<String> transport =
                client.bare(gateway.http("/services/CBRTransportHeaderProxy" + OPERATION), "text/xml", SOAP);
        HttpResponse<String> header = client.soap(
                gateway.http("/services/CBRSOAPHeaderProxy" + OPERATION),
                ROUTING,
                SOAP.replaceFirst("<routing.*</routing>", ""));

        assertThat(transport.body()).contains("Invalid routing header");
        assertThat(header.body()).contains("Invalid routing header");
        assertThat(backend.take()).isEmpty();
    }

    @Test
    void xsltProxyTransformsThereAndBack() throws Exception {
        HttpResponse<String> response = client.soap(gateway.http("/services/XSLTProxy" + OPERATION));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).endsWith(SOAP);
        assertThat(backend.take())
                .singleElement()
                .satisfies(call -> assertThat(call.body())
                        .contains("<m:trades")
                        .contains("<trade><volume>2000</volume><price>140.34</price><buyerID>john</buyerID>"
                                + "<symbol>IBM</symbol></trade>")
                        .doesNotContain("buyStocks"));
    }

    @Test
    void messageBuildingProxyParsesWhatDirectProxyPasses() throws Exception {
        HttpResponse<String> built = client.soap(gateway.http("/services/MessageBuildingProxy"));
        assertThat(built.statusCode()).isEqualTo(200);
        assertThat(built.body()).endsWith(SOAP);
        assertThat(backend.take()).hasSize(1);

        String broken = SOAP.replace("</m:buyStocks>", "");
        assertThat(client.soap(gateway.http("/services/DirectProxy"), ROUTING, broken)
                        .body())
                .isEqualTo(broken);
        assertThat(backend.take()).hasSize(1);
        assertThat(client.soap(gateway.http("/services/MessageBuildingProxy"), ROUTING, broken)
                        .statusCode())
                .isEqualTo(500);
        assertThat(backend.take()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"Two, 2", "Four, 4", "Eight, 8"})
    void cloneAndAggregateCallsEveryBackEndAndJoinsTheAnswers(String word, int backends) throws Exception {
        HttpResponse<String> response =
                client.soap(gateway.http("/services/CloneAndAggregateWith" + word + "BackendProxy"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body().split("<m:buyStocks ", -1)).hasSize(backends + 1);
        assertThat(response.body().split("<symbol>IBM</symbol>", -1)).hasSize(backends + 1);
        assertThat(backend.take())
                .hasSize(backends)
                .allSatisfy(call -> assertThat(call.body()).endsWith(SOAP));
    }

    @Test
    void enrichKeepsTheMessageAside() throws Exception {
        HttpResponse<String> response = client.soap(gateway.http("/services/EnrichBackAndForthProxy"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).endsWith(SOAP);
        assertThat(backend.take())
                .singleElement()
                .satisfies(call -> assertThat(call.body())
                        .contains("<m:buyStocks xmlns:m=\"http://services.samples/xsd\"/>")
                        .doesNotContain("symbol"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 10, 100})
    void iterateCallsTheBackEndForEachElement(int orders) throws Exception {
        HttpResponse<String> response =
                client.bare(gateway.http("/services/IterateAndAggregateProxy"), "text/xml", Messages.elements(orders));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("symbol");
        assertThat(response.body().split("<order>", -1)).hasSize(orders + 1);
        for (int volume = 1; volume <= orders; volume++) {
            assertThat(response.body()).containsOnlyOnce("<volume>" + volume + "</volume>");
        }
        assertThat(backend.take())
                .hasSize(orders)
                .allSatisfy(call ->
                        assertThat(call.body()).startsWith("<m:buyStocks").containsOnlyOnce("<order>"));
    }

    @ParameterizedTest
    @CsvSource({
        "XSLTTransformProxy, 5",
        "XSLTTransformProxy, 100",
        "PayloadFactoryWith20ElementsProxy, 20",
        "PayloadFactoryWith50ElementsProxy, 50",
        "PayloadFactoryWith100ElementsProxy, 100"
    })
    void transformingScenariosAllMakeTheSameOfTheElements(String scenario, int orders) throws Exception {
        HttpResponse<String> response =
                client.bare(gateway.http("/services/" + scenario), "text/xml", Messages.elements(orders));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).endsWith(Messages.trades(orders));
        assertThat(backend.take()).singleElement().satisfies(call -> {
            assertThat(call.body()).isEqualTo(Messages.trades(orders));
            assertThat(call.contentType())
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/xml"));
        });
    }

    @Test
    void jsonLeavesForTheBackEndAsSoap() throws Exception {
        HttpResponse<String> response =
                client.bare(gateway.http("/services/JsonToSOAPProxy"), "application/json", Messages.JSON);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("symbol");
        assertThat(backend.take()).singleElement().satisfies(call -> {
            assertThat(call.contentType())
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/xml"));
            assertThat(call.body())
                    .contains("http://schemas.xmlsoap.org/soap/envelope/")
                    .contains("<payload><symbol>json</symbol><symbol>json</symbol></payload>");
        });
    }

    // Not said here: that the back end is left alone. The engine begins the call before it has read the JSON.
    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":", "[1,2]", "\"\"", ""})
    void brokenJsonIsAnswered(String broken) throws Exception {
        assertThat(client.bare(gateway.http("/services/JsonToSOAPProxy"), "application/json", broken)
                        .statusCode())
                .isEqualTo(500);
    }

    @Test
    void answersWhatItCannotServe() throws Exception {
        assertThat(client.soap(gateway.http("/nowhere")).statusCode()).isEqualTo(404);
        assertThat(client.soap(gateway.https("/services/NoSuchProxy")).statusCode())
                .isEqualTo(404);
        assertThat(client.get(gateway.http("/")).statusCode()).isEqualTo(404);
        assertThat(client.get(gateway.http("/directApi")).statusCode()).isEqualTo(405);
        assertThat(client.bare(gateway.http("/services/IterateAndAggregateProxy"), "text/xml", "<a/>")
                        .statusCode())
                .isEqualTo(400);
        assertThat(client.bare(gateway.http("/services/XSLTTransformProxy"), "text/xml", "<a><b>")
                        .statusCode())
                .isEqualTo(500);
        assertThat(backend.take()).isEmpty();
    }

    @Test
    void serves200ConnectionsAtOnce() throws Exception {
        int connections = 200;
        int requestsEach = 20;
        ExecutorService users = Executors.newFixedThreadPool(connections);
        try {
            List<Future<Integer>> good = users.invokeAll(Collections.nCopies(connections, () -> {
                int count = 0;
                for (int i = 0; i < requestsEach; i++) {
                    HttpResponse<String> response =
                            client.soap(gateway.http("/services/CBRTransportHeaderProxy" + OPERATION));
                    count += response.statusCode() == 200 && response.body().equals(SOAP) ? 1 : 0;
                }
                return count;
            }));
            int all = 0;
            for (Future<Integer> user : good) {
                all += user.get();
            }
            assertThat(all).isEqualTo(connections * requestsEach);
            assertThat(backend.take()).hasSize(connections * requestsEach);
        } finally {
            users.shutdownNow();
        }
    }
}
