/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import static io.gatebench.settings.ConfigNode.value;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Function;

import io.gatebench.gateways.container.ContainerSpec;
import io.gatebench.settings.ConfigNode;
import io.gatebench.settings.Key;
import io.gatebench.settings.Shape;

/** The keys by which a file describes the container of a gateway. */
public final class ContainerKeys {

    private static final Shape.Scalar<Double> CPUS =
            Shape.decimal(0.01, 1024, "a number of processors from 0.01 to 1024");
    private static final Shape WORDS = Shape.list(Shape.text());

    /** Keys that describe a container, whatever runs in it. */
    public static final Shape.Keys KEYS = Shape.keys(
            Key.of("engine", Shape.text(), "Name or path of docker, podman or nerdctl; else the first that works."),
            Key.of("engine-arguments", WORDS, "Arguments of the engine, before the verb."),
            Key.of("run-arguments", WORDS, "Arguments of the verb run."),
            Key.of("image", Shape.text(), "Name of an image that the engine has, or else pulls; or archive."),
            Key.of("archive", Shape.text(), "Tar file: an image as save writes it, or a root file system."),
            Key.of("mounts", WORDS, "Mounts in the engine's form, e.g. /usr:/usr:ro."),
            Key.of("cpus", CPUS, "Processors that the container may use."),
            Key.of("memory", Shape.size(), "Memory that the container may use, e.g. 512M."));

    /** The port of a gateway that listens where its own configuration says. */
    static final String PUBLISH = "publish";

    static final Shape.Scalar<Integer> PORT = Shape.number(1, 65535);

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
                value(keys, "image", ContainerKeys::notAnOption),
                value(keys, "archive", existing),
                words(keys, "mounts"),
                value(keys, PUBLISH, PORT).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                value(keys, "cpus", CPUS).map(OptionalDouble::of).orElseGet(OptionalDouble::empty),
                value(keys, "memory", Shape.size()));
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
}
