/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.plan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads plan files: one YAML mapping of {@link PlanKey} names to a value or a list of values.
 *
 * <p>Unknown and repeated keys are errors. Only plain text is read: no tags, no aliases beyond a few, no objects.
 */
public final class PlanFile {

    private static final int LARGEST = 1 << 20;

    private PlanFile() {}

    /**
     * Reads a plan file.
     *
     * @throws PlanException with file and line of every problem
     */
    public static PlanInput read(Path file) {
        Optional<Node> root;
        try (InputStream in = Files.newInputStream(file)) {
            if (Files.size(file) > LARGEST) {
                throw new PlanException(List.of(file + ": a plan file has at most 1 MiB"));
            }
            LoadSettings settings = LoadSettings.builder()
                    .setLabel(file.toString())
                    .setMaxAliasesForCollections(10)
                    .setAllowDuplicateKeys(false)
                    .build();
            root = new Compose(settings).composeInputStream(in);
        } catch (NoSuchFileException e) {
            throw new PlanException(List.of("the plan file " + file + " does not exist"));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(m -> m.getLine() + 1).orElse(1);
            throw new PlanException(List.of(file + ":" + line + ": not valid YAML: " + e.getProblem()));
        } catch (YamlEngineException | IOException e) {
            throw new PlanException(List.of("the plan file " + file + " cannot be read: " + e.getMessage()));
        }
        PlanInput input = new PlanInput();
        List<String> problems = new ArrayList<>();
        if (root.isPresent()) {
            if (root.get() instanceof MappingNode mapping) {
                mapping.getValue().forEach(tuple -> entry(file, tuple, input, problems));
            } else {
                problems.add(file + ":1: a plan file is a mapping of keys to values, e.g. product: apim");
            }
        }
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
        return input;
    }

    private static void entry(Path file, NodeTuple tuple, PlanInput input, List<String> problems) {
        String place = file + ":" + line(tuple.getKeyNode());
        String name = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "(not a text)";
        Optional<PlanKey> key = PlanKey.of(name);
        if (key.isEmpty()) {
            problems.add(place + ": unknown key '" + name + "'" + Suggestion.among(name, PlanKey.keys()));
            return;
        }
        if (input.get(key.get()).isPresent()) {
            problems.add(place + ": the key '" + name + "' is there twice");
            return;
        }
        List<String> values = new ArrayList<>();
        if (tuple.getValueNode() instanceof ScalarNode scalar) {
            values.add(scalar.getValue());
        } else if (tuple.getValueNode() instanceof SequenceNode sequence
                && !sequence.getValue().isEmpty()
                && sequence.getValue().stream().allMatch(ScalarNode.class::isInstance)) {
            sequence.getValue().forEach(item -> values.add(((ScalarNode) item).getValue()));
        } else {
            problems.add(place + ": " + name + " must be a value or a list of values");
            return;
        }
        input.put(key.get(), new PlanInput.Entry(values, place + ": " + name));
    }

    private static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }
}
