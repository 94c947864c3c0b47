/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every served scenario on the real engine, seen from the client and from the back end. */
class ScenariosIT {
    private static final String ROUTING = "xadmin;server1;community#1.0##";
    private static final String SOAP = """
            <soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Header>\
            <routing xmlns="http://someuri">xadmin;server1;community#1.0##</routing></soapenv:Header><soapenv:Body>\
            <m:buyStocks xmlns:m="http://services.samples/xsd">\
            <order><symbol>IBM</symbol><buyerID>john</buyerID><price>140.34</price><volume>2000</volume></order>\
            <order><symbol>N</symbol><buyerID>n</buyerID><price>1.0</price><volume>1</volume></order>\
            </m:buyStocks></soapenv:Body></soapenv:Envelope>""";

    @TempDir
    private static Path directory;

    private static EchoBackend backend;
    private static GatewayProcess gateway;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @BeforeAll
    static void startGateway() throws IOException {
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

    @Test
    void directProxyPassesTheMessageUntouched() throws Exception {
        HttpResponse<String> response = soap("/services/DirectProxy/buyStocksOperation", ROUTING, SOAP);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(SOAP);
        assertThat(backend.take()).singleElement().satisfies(call -> {
            assertThat(call.body()).isEqualTo(SOAP);
            assertThat(call.path()).isEqualTo("/service/EchoService");
            assertThat(call.soapAction())
                    .hasValueSatisfying(action -> assertThat(action).contains("urn:buyStocks"));
        });
    }

    @Test
    void transportHeaderRoutesToTheBackEnd() throws Exception {
        HttpResponse<String> response = soap("/services/CBRTransportHeaderProxy/buyStocksOperation", ROUTING, SOAP);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(SOAP);
        assertThat(backend.take()).hasSize(1);
    }

    @Test
    void wrongTransportHeaderIsRefusedWithoutTheBackEnd() throws Exception {
        HttpResponse<String> response = soap("/services/CBRTransportHeaderProxy/buyStocksOperation", "other", SOAP);
        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body())
                .contains("http://schemas.xmlsoap.org/soap/envelope/")
                .contains("<faultstring>Invalid routing header</faultstring>")
                .doesNotContain("symbol");
        assertThat(backend.take()).isEmpty();
    }

    private static HttpResponse<String> soap(String path, String routing, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(gateway.http(path))
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "text/xml")
                .header("SOAPAction", "urn:buyStocks")
                .header("routing", routing)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
