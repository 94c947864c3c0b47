/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

import io.gatebench.report.results.AtomicFiles;
import io.gatebench.settings.JsonSchema;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.Shape;
import io.gatebench.settings.Suggestion;
import io.gatebench.settings.YamlDocument;

/**
 * Reads plan files: one YAML mapping of {@link PlanKey} names to a value or a list of values.
 *
 * <p>Unknown and repeated keys are errors. Only plain text is read: no tags, no aliases beyond a few, no objects.
 */
public final class PlanFile {

    private PlanFile() {}

    /**
     * Reads a plan file.
     *
     * @throws PlanException with file and line of every problem
     */
    public static PlanInput read(Path file) {
        Optional<Node> root = YamlDocument.root(file, "plan file");
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

    /**
     * Returns the JSON Schema of plan files.
     *
     * @param says the sentence of each key
     */
    public static String schema(Function<PlanKey, String> says) {
        return JsonSchema.of(
                "Plan of a run of Gatebench",
                new Shape.Keys(Arrays.stream(PlanKey.values())
                        .map(key -> key.inFile(says.apply(key)))
                        .toList()));
    }

    /**
     * Writes a plan file that says the same as an input, wherever it is read, but for where the results go.
     *
     * @throws io.gatebench.report.results.ReportException if it cannot be written
     */
    public static void write(Path file, PlanInput input) {
        AtomicFiles.write(file, text(input));
    }

    static String text(PlanInput input) {
        StringBuilder text = new StringBuilder(JsonSchema.firstLine("plan"));
        for (PlanKey key : PlanKey.values()) {
            if (key == PlanKey.RESULTS || input.get(key).isEmpty()) {
                continue;
            }
            text.append(key.key()).append(":\n");
            for (String value : input.get(key).get().values()) {
                String portable = key.isPath() ? absolute(value) : value;
                // In single quotes nothing has a meaning but the quote itself.
                text.append("  - '").append(portable.replace("'", "''")).append("'\n");
            }
        }
        return text.toString();
    }

    /** Returns the same place by a name that does not depend on where the program is started. */
    static String absolute(String path) {
        return PlanInput.isRemote(path)
                ? path
                : Path.of(path).toAbsolutePath().normalize().toString();
    }

    private static void entry(Path file, NodeTuple tuple, PlanInput input, List<String> problems) {
        String place = file + ":" + YamlDocument.line(tuple.getKeyNode());
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
}
