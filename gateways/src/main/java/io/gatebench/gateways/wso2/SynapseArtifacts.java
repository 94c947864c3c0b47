/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.model.TestScenario;
import io.gatebench.spi.host.BundledText;
import io.gatebench.spi.host.Host;

/**
 * The Synapse configurations of the integration scenarios for a real integrator: those that the built-in engine runs,
 * and those that need a mediator which only the product has.
 */
final class SynapseArtifacts {

    /** The path of the API that says that everything is deployed. */
    static final String READY_PATH = "/gatebench/ready";

    private static final String ROOT = "/roles/synapse-gateway/";
    private static final String ADDRESS = "http://127.0.0.1:8688/service/EchoService";
    private static final Map<String, List<String>> PRODUCT_ONLY = Map.of(
            "XSLTEnhancedProxy",
            List.of(
                    "proxy-services/XSLTEnhancedProxy.xml",
                    "local-entries/buyStocksToTrades.xml",
                    "local-entries/tradesToBuyStocks.xml"));
    private static final Map<String, String> UNSERVED = Map.of(
            "SecureProxy",
            "no published file says which WS-Security policy and signed message the scenario uses",
            "DatamapperProxy",
            "its mapping is made by the product's own editor, and none is part of the suite");

    private SynapseArtifacts() {}

    /** Returns the scenarios that cannot be served, with the reason. */
    static Map<String, String> unserved(List<TestScenario> scenarios) {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (TestScenario scenario : scenarios) {
            if (UNSERVED.containsKey(scenario.name())) {
                reasons.put(scenario.name(), UNSERVED.get(scenario.name()));
            }
        }
        return reasons;
    }

    /**
     * Returns the files of scenarios by their paths below {@code synapse-configs/default}.
     *
     * @param backend what the endpoints lead to
     */
    static Map<String, String> files(List<String> scenarios, URI backend) {
        Map<String, String> files = new LinkedHashMap<>();
        try {
            JsonNode catalogue =
                    new ObjectMapper().readTree(BundledText.of(SynapseArtifacts.class, ROOT + "scenarios.json"));
            catalogue.path("shared").forEach(name -> put(files, name.asText(), backend));
            for (JsonNode entry : catalogue.path("scenarios")) {
                if (scenarios.contains(entry.path("name").asText())) {
                    entry.path("files").forEach(name -> put(files, name.asText(), backend));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the list of the scenarios' configurations cannot be read", e);
        }
        for (String scenario : scenarios) {
            PRODUCT_ONLY.getOrDefault(scenario, List.of()).forEach(name -> put(files, name, backend));
        }
        files.put("api/GatebenchReady.xml", BundledText.of(SynapseArtifacts.class, "synapse/GatebenchReady.xml"));
        return files;
    }

    private static void put(Map<String, String> files, String name, URI backend) {
        String content = SynapseArtifacts.class.getResource(ROOT + "synapse-configs/default/" + name) == null
                ? BundledText.of(SynapseArtifacts.class, "synapse/" + name.substring(name.indexOf('/') + 1))
                : BundledText.of(SynapseArtifacts.class, ROOT + "synapse-configs/default/" + name);
        String address = backend + "/service/EchoService";
        files.put(name, content.replace(ADDRESS, address.replace("&", "&amp;").replace("\"", "&quot;")));
    }

    /** Puts files below a directory of a host; the API that says that all is there comes last. */
    static void deploy(Host host, String directory, Map<String, String> files) {
        files.keySet().stream()
                .map(name -> name.substring(0, name.indexOf('/')))
                .distinct()
                .forEach(folder ->
                        HostFiles.run(host, "make " + folder, List.of("mkdir", "-p", directory + "/" + folder)));
        files.forEach((name, content) -> HostFiles.write(host, directory + "/" + name, content));
    }

    /** Removes files again. */
    static void remove(Host host, String directory, Map<String, String> files) {
        for (String name : files.keySet()) {
            HostFiles.run(host, "remove " + name, List.of("rm", "-f", directory + "/" + name));
        }
    }
}
