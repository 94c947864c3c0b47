/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/**
 * Content of {@code scenarios.json}: which scenarios this gateway serves, and with which configuration files.
 *
 * @param sharedFiles files that every deployment needs, relative to the configuration folder
 * @param scenarios every scenario of the integration products, served or not, in the order of the catalogue
 */
record ScenarioCatalogue(List<String> sharedFiles, List<Scenario> scenarios) {

    ScenarioCatalogue {
        sharedFiles = List.copyOf(sharedFiles);
        scenarios = List.copyOf(scenarios);
    }

    /**
     * One scenario of the catalogue.
     *
     * @param name name, as published
     * @param served whether this gateway serves it
     * @param files its configuration files, relative to the configuration folder; none when not served
     */
    record Scenario(String name, boolean served, List<String> files) {
        Scenario {
            files = List.copyOf(files);
        }
    }

    /** Reads the catalogue that travels in this jar. */
    static ScenarioCatalogue bundled() {
        JsonObject root = new Gson().fromJson(BundledText.read("scenarios.json"), JsonObject.class);
        List<Scenario> scenarios = new ArrayList<>();
        for (JsonElement element : root.getAsJsonArray("scenarios")) {
            JsonObject scenario = element.getAsJsonObject();
            scenarios.add(new Scenario(
                    scenario.get("name").getAsString(),
                    scenario.get("served").getAsBoolean(),
                    scenario.has("files") ? strings(scenario.getAsJsonArray("files")) : List.of()));
        }
        return new ScenarioCatalogue(strings(root.getAsJsonArray("shared")), scenarios);
    }

    /** Returns the shared files and those of every served scenario, each once. */
    Set<String> deployedFiles() {
        Set<String> files = new LinkedHashSet<>(sharedFiles);
        scenarios.stream().filter(Scenario::served).map(Scenario::files).forEach(files::addAll);
        return files;
    }

    private static List<String> strings(JsonArray array) {
        List<String> strings = new ArrayList<>();
        array.forEach(element -> strings.add(element.getAsString()));
        return strings;
    }
}
