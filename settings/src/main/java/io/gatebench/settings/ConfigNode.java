/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A place in a configuration file; what is wrong there is collected with file and line. */
public final class ConfigNode {

    private final Path file;
    private final String name;
    private final Node node;
    private final List<String> problems;

    private ConfigNode(Path file, String name, Node node, List<String> problems) {
        this.file = file;
        this.name = name;
        this.node = node;
        this.problems = problems;
    }

    /**
     * Returns the root of a file.
     *
     * @param problems takes the problems that are found
     * @throws PlanException if the file cannot be read or is not valid YAML
     */
    public static ConfigNode read(Path file, List<String> problems) {
        return read(file, "gateway configuration", problems);
    }

    /**
     * Returns the root of a file.
     *
     * @param what what the file is, for messages
     * @param problems takes the problems that are found
     * @throws PlanException if the file cannot be read or is not valid YAML
     */
    public static ConfigNode read(Path file, String what, List<String> problems) {
        Node root = YamlDocument.root(file, what)
                .orElseThrow(() -> new PlanException(List.of(file + ":1: the " + what + " is empty")));
        return new ConfigNode(file, "the " + what, root, problems);
    }

    /** Notes what is wrong here: the key's name and then the words given. */
    public void problem(String words) {
        problems.add(place(node) + ": " + name + " " + words);
    }

    /** Returns the values of a mapping by their keys, in order; other keys than the known ones are problems. */
    public Map<String, ConfigNode> mapping(Collection<String> known) {
        Map<String, ConfigNode> values = new LinkedHashMap<>();
        for (NodeTuple tuple : tuples()) {
            String key = key(tuple);
            if (!known.contains(key)) {
                problems.add(place(tuple.getKeyNode()) + ": unknown key '" + key + "'" + Suggestion.among(key, known));
            } else {
                put(values, tuple, key);
            }
        }
        return values;
    }

    /** Returns the values of a mapping whose keys the user chooses, in order. */
    public Map<String, ConfigNode> freeMapping() {
        Map<String, ConfigNode> values = new LinkedHashMap<>();
        tuples().forEach(tuple -> put(values, tuple, key(tuple)));
        return values;
    }

    private List<NodeTuple> tuples() {
        if (node instanceof MappingNode mapping) {
            return mapping.getValue();
        }
        problem("must be a mapping of keys to values");
        return List.of();
    }

    private static String key(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "(not a text)";
    }

    private void put(Map<String, ConfigNode> values, NodeTuple tuple, String key) {
        ConfigNode value = new ConfigNode(file, key, tuple.getValueNode(), problems);
        if (values.putIfAbsent(key, value) != null) {
            problems.add(place(tuple.getKeyNode()) + ": the key '" + key + "' is there twice");
        }
    }

    /** Returns the items of a list. */
    public List<ConfigNode> items() {
        if (node instanceof SequenceNode sequence) {
            List<ConfigNode> items = new ArrayList<>();
            sequence.getValue().forEach(item -> items.add(new ConfigNode(file, name, item, problems)));
            return items;
        }
        problem("must be a list");
        return List.of();
    }

    /** Returns whether this is a mapping. */
    public boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** Returns whether this is a list. */
    public boolean isList() {
        return node instanceof SequenceNode;
    }

    /** Returns the text of a plain value; an empty one and anything else are problems. */
    public Optional<String> text() {
        if (node instanceof ScalarNode scalar && !scalar.getValue().isEmpty()) {
            return Optional.of(scalar.getValue());
        }
        problem("must be a text that is not empty");
        return Optional.empty();
    }

    /** Returns what a parser makes of the text; its {@link IllegalArgumentException} becomes a problem. */
    public <T> Optional<T> parsed(Function<String, T> parser) {
        Optional<String> text = text();
        try {
            return text.map(parser);
        } catch (IllegalArgumentException e) {
            problem(e.getMessage());
            return Optional.empty();
        }
    }

    private String place(Node at) {
        return file + ":" + YamlDocument.line(at);
    }
}
