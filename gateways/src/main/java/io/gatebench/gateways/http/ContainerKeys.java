/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

import io.gatebench.gateways.container.ContainerSpec;
import io.gatebench.model.DataSize;
import io.gatebench.settings.ConfigNode;

/** The keys by which a file describes the container of a gateway. */
public final class ContainerKeys {

    /** What is known of a container, whatever runs in it. */
    public static final List<String> NAMES =
            List.of("engine", "engine-arguments", "run-arguments", "image", "archive", "mounts", "cpus", "memory");

    /** The port of a gateway that listens where its own configuration says. */
    static final String PUBLISH = "publish";

    private ContainerKeys() {}

    /**
     * Reads them; what is wrong becomes a problem of the node.
     *
     * @param node the mapping
     * @param keys its values by their keys
     * @param existing makes a path of a file that must be there
     */
    public static ContainerSpec read(ConfigNode node, Map<String, ConfigNode> keys, Function<String, Path> existing) {
        if (keys.containsKey("image") == keys.containsKey("archive")) {
            node.problem("must have exactly one of image and archive");
        }
        return new ContainerSpec(
                value(keys, "engine").flatMap(ConfigNode::text),
                words(keys, "engine-arguments"),
                words(keys, "run-arguments"),
                value(keys, "image").flatMap(n -> n.parsed(ContainerKeys::notAnOption)),
                value(keys, "archive").flatMap(n -> n.parsed(existing)),
                words(keys, "mounts"),
                value(keys, PUBLISH)
                        .flatMap(n -> n.parsed(ContainerKeys::port))
                        .map(OptionalInt::of)
                        .orElseGet(OptionalInt::empty),
                value(keys, "cpus")
                        .flatMap(n -> n.parsed(ContainerKeys::cpus))
                        .map(OptionalDouble::of)
                        .orElseGet(OptionalDouble::empty),
                value(keys, "memory").flatMap(n -> n.parsed(DataSize::parse)));
    }

    private static Optional<ConfigNode> value(Map<String, ConfigNode> keys, String key) {
        return Optional.ofNullable(keys.get(key));
    }

    private static List<String> words(Map<String, ConfigNode> keys, String key) {
        return value(keys, key).stream()
                .flatMap(n -> n.items().stream())
                .flatMap(n -> n.parsed(Placeholders::check).stream())
                .toList();
    }

    private static String notAnOption(String text) {
        if (text.startsWith("-")) {
            throw new IllegalArgumentException("must be the name of an image but was '" + text + "'");
        }
        return text;
    }

    private static int port(String text) {
        return HttpGatewayFile.number(text, 1, 65535);
    }

    private static double cpus(String text) {
        try {
            double value = Double.parseDouble(text);
            if (value >= 0.01 && value <= 1024) {
                return value;
            }
        } catch (NumberFormatException e) {
            // The message below holds for both.
        }
        throw new IllegalArgumentException("must be a number of processors from 0.01 to 1024 but was '" + text + "'");
    }
}
