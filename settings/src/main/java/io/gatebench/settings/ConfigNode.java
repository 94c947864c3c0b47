/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.nio.file.Path;
import java.util.ArrayList;
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
    private final Shape shape;
    private final List<String> problems;

    private ConfigNode(Path file, String name, Node node, Shape shape, List<String> problems) {
        this.file = file;
        this.name = name;
        this.node = node;
        this.shape = shape;
        this.problems = problems;
    }

    /**
     * Returns the root of a file.
     *
     * @param what what the file is, for messages
     * @param keys what may stand in it
     * @param problems takes the problems that are found
     * @throws PlanException if the file cannot be read or is not valid YAML
     */
    public static ConfigNode read(Path file, String what, Shape.Keys keys, List<String> problems) {
        Node root = YamlDocument.root(file, what)
                .orElseThrow(() -> new PlanException(List.of(file + ":1: the " + what + " is empty")));
        return new ConfigNode(file, "the " + what, root, keys, problems);
    }

    /** Notes what is wrong here: the key's name and then the words given. */
    public void problem(String words) {
        problems.add(place(node) + ": " + name + " " + words);
    }

    /** Returns the values of a mapping by their keys, in order; unknown and missing keys are problems. */
    public Map<String, ConfigNode> mapping() {
        Shape.Keys keys = described(Shape.Keys.class);
        Map<String, ConfigNode> values = new LinkedHashMap<>();
        if (!isMapping()) {
            problem("must be a mapping of keys to values");
            return values;
        }
        for (NodeTuple tuple : tuples()) {
            String key = key(tuple);
            keys.shapeOf(key)
                    .ifPresentOrElse(
                            value -> put(values, tuple, key, value),
                            () -> problems.add(place(tuple.getKeyNode()) + ": unknown key '" + key + "'"
                                    + Suggestion.among(key, keys.names())));
        }
        keys.keys().stream()
                .filter(key -> key.required() && !values.containsKey(key.name()))
                .forEach(key -> problem("needs the key '" + key.name() + "': " + key.clause()));
        return values;
    }

    /** Returns the value of a key of a mapping, if it is there. */
    public static Optional<ConfigNode> value(Map<String, ConfigNode> mapping, String key) {
        return Optional.ofNullable(mapping.get(key));
    }

    /** Returns what a parser makes of the value of a key, if it is there and the parser takes it. */
    public static <T> Optional<T> value(Map<String, ConfigNode> mapping, String key, Function<String, T> parser) {
        return value(mapping, key).flatMap(node -> node.parsed(parser));
    }

    /** Returns the values of a mapping whose keys the user chooses, in order. */
    public Map<String, ConfigNode> freeMapping() {
        Shape value = described(Shape.Names.class).value();
        Map<String, ConfigNode> values = new LinkedHashMap<>();
        tuples().forEach(tuple -> put(values, tuple, key(tuple), value));
        return values;
    }

    /** A reader that asks for what is not described would read what no schema knows. */
    private <S extends Shape> S described(Class<S> kind) {
        List<Shape> shapes = shape instanceof Shape.Either either ? either.shapes() : List.of(shape);
        return shapes.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(name + " is not described as " + kind.getSimpleName()));
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

    private void put(Map<String, ConfigNode> values, NodeTuple tuple, String key, Shape is) {
        ConfigNode value = new ConfigNode(file, key, tuple.getValueNode(), is, problems);
        if (values.putIfAbsent(key, value) != null) {
            problems.add(place(tuple.getKeyNode()) + ": the key '" + key + "' is there twice");
        }
    }

    /** Returns the items of a list. */
    public List<ConfigNode> items() {
        Shape.Items list = described(Shape.Items.class);
        List<ConfigNode> items = new ArrayList<>();
        if (node instanceof SequenceNode sequence) {
            sequence.getValue().forEach(item -> items.add(new ConfigNode(file, name, item, list.item(), problems)));
            if (items.size() < list.least()) {
                problem("must have at least " + (list.least() == 1 ? "one item" : list.least() + " items"));
            } else if (list.most() > 0 && items.size() > list.most()) {
                problem("must have at most " + (list.most() == 1 ? "one item" : list.most() + " items"));
            }
        } else {
            problem("must be a list");
        }
        return items;
    }

    /** Returns whether this is a mapping. */
    public boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** Returns whether nothing stands here. */
    public boolean isEmpty() {
        return node instanceof ScalarNode scalar && scalar.getValue().isBlank();
    }

    /** Returns whether this is a list. */
    public boolean isList() {
        return node instanceof SequenceNode;
    }

    /** Returns the text of a plain value; an empty one, one that its shape refuses, and anything else are problems. */
    public Optional<String> text() {
        return parsed(Function.identity());
    }

    /**
     * Returns what a parser makes of a plain value that its shape takes; an {@link IllegalArgumentException} of either
     * becomes a problem.
     */
    public <T> Optional<T> parsed(Function<String, T> parser) {
        Shape.Scalar<?> value = described(Shape.Scalar.class);
        if (!(node instanceof ScalarNode scalar) || scalar.getValue().isEmpty()) {
            problem("must be a text that is not empty");
            return Optional.empty();
        }
        try {
            value.apply(scalar.getValue());
            return Optional.of(parser.apply(scalar.getValue()));
        } catch (IllegalArgumentException e) {
            problem(e.getMessage());
            return Optional.empty();
        }
    }

    private String place(Node at) {
        return file + ":" + YamlDocument.line(at);
    }
}
