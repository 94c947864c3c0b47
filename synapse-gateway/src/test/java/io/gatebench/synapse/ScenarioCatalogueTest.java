/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ScenarioCatalogueTest {
    private static final Path CONFIGURATION =
            Path.of("src/main/resources/io/gatebench/synapse/synapse-configs/default");
    private static final List<String> PARTS = List.of("volume", "price", "buyerID", "symbol");

    @Test
    void namesEveryScenarioOfTheIntegrationProducts() {
        assertThat(ScenarioCatalogue.bundled().scenarios())
                .extracting(ScenarioCatalogue.Scenario::name)
                .containsExactly(
                        "DirectProxy",
                        "CBRProxy",
                        "CBRSOAPHeaderProxy",
                        "CBRTransportHeaderProxy",
                        "SecureProxy",
                        "XSLTEnhancedProxy",
                        "XSLTProxy",
                        "DirectAPI",
                        "DirectHTTPSAPI",
                        "MessageBuildingProxy",
                        "CloneAndAggregateWithTwoBackendProxy",
                        "CloneAndAggregateWithFourBackendProxy",
                        "CloneAndAggregateWithEightBackendProxy",
                        "EnrichBackAndForthProxy",
                        "IterateAndAggregateProxy",
                        "XSLTTransformProxy",
                        "DatamapperProxy",
                        "PayloadFactoryWith20ElementsProxy",
                        "PayloadFactoryWith50ElementsProxy",
                        "PayloadFactoryWith100ElementsProxy",
                        "JsonToSOAPProxy");
    }

    @Test
    void aServedScenarioHasAPathAndFilesAndAnotherOneAReason() {
        JsonObject root = new Gson().fromJson(BundledText.read("scenarios.json"), JsonObject.class);
        for (JsonElement element : root.getAsJsonArray("scenarios")) {
            JsonObject scenario = element.getAsJsonObject();
            if (scenario.get("served").getAsBoolean()) {
                assertThat(scenario.keySet()).containsExactly("name", "served", "scheme", "path", "files");
                assertThat(scenario.get("path").getAsString()).startsWith("/");
                assertThat(scenario.get("scheme").getAsString()).isIn("http", "https");
                assertThat(scenario.getAsJsonArray("files")).isNotEmpty();
            } else {
                assertThat(scenario.keySet()).containsExactly("name", "served", "reason");
                assertThat(scenario.get("reason").getAsString()).endsWith(".");
            }
        }
    }

    @Test
    void listsEveryConfigurationFileAndNoOther() throws IOException {
        try (Stream<Path> files = Files.walk(CONFIGURATION)) {
            assertThat(new TreeSet<>(ScenarioCatalogue.bundled().deployedFiles()))
                    .containsExactlyElementsOf(files.filter(Files::isRegularFile)
                            .map(file ->
                                    CONFIGURATION.relativize(file).toString().replace('\\', '/'))
                            .sorted()
                            .toList());
        }
    }

    @Test
    void aConfigurationFileNamesWhatItIsCalled() throws Exception {
        for (String file : ScenarioCatalogue.bundled().deployedFiles()) {
            Element root = parse(file);
            String name = root.getTagName().equals("localEntry") ? "key" : "name";
            assertThat(root.getAttribute(name) + ".xml")
                    .isEqualTo(Path.of(file).getFileName().toString());
        }
    }

    @Test
    void everyScenarioAnswersWhenTheBackEndFails() throws Exception {
        for (String file : ScenarioCatalogue.bundled().deployedFiles()) {
            if (file.startsWith("proxy-services/") || file.startsWith("api/")) {
                Element root = parse(file);
                NodeList handlers = root.getElementsByTagName(root.getTagName().equals("api") ? "resource" : "target");
                assertThat(((Element) handlers.item(0)).getAttribute("faultSequence"))
                        .as(file)
                        .isEqualTo("backendFault");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 50, 100})
    void payloadFactoryTakesEachPartOfEachOrderOnce(int orders) throws Exception {
        String text = BundledText.read(
                "synapse-configs/default/proxy-services/PayloadFactoryWith" + orders + "ElementsProxy.xml");
        List<String> placeholders = Pattern.compile("<(\\w+)>\\$(\\d+)</\\1>")
                .matcher(text)
                .results()
                .map(match -> match.group(2) + match.group(1))
                .toList();
        List<String> expressions = Pattern.compile("order\\[(\\d+)]/(\\w+)")
                .matcher(text)
                .results()
                .map(match -> match.group(1) + match.group(2))
                .toList();
        List<String> expectedPlaceholders = new ArrayList<>();
        List<String> expectedExpressions = new ArrayList<>();
        for (int order = 1; order <= orders; order++) {
            for (String part : PARTS) {
                expectedPlaceholders.add(expectedPlaceholders.size() + 1 + part);
                expectedExpressions.add(order + part);
            }
        }
        assertThat(placeholders).isEqualTo(expectedPlaceholders);
        assertThat(expressions).isEqualTo(expectedExpressions);
    }

    private static Element parse(String file) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(BundledText.read("synapse-configs/default/" + file))))
                .getDocumentElement();
    }
}
