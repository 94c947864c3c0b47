/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads YAML files of users: plain text with its lines, no tags, few aliases, no objects, of bounded size and depth. */
public final class YamlDocument {

    private static final int LARGEST = 1;
    private static final int MAX_ALIASES = 10;
    private static final int DEEPEST = 32;

    private YamlDocument() {}

    /**
     * Returns the root of a file, empty if there is nothing in it.
     *
     * @param what what the file is, for messages, e.g. {@code plan file}
     * @throws PlanException if it cannot be read, is too large or is not valid YAML
     */
    public static Optional<Node> root(Path file, String what) {
        return root(file, what, LARGEST, DEEPEST);
    }

    /**
     * Returns the root of a file of another size and depth, empty if there is nothing in it.
     *
     * @param mebibytes the most bytes, whole MiB of them
     * @param deepest the most levels
     * @throws PlanException if it cannot be read, is too large or is not valid YAML
     */
    public static Optional<Node> root(Path file, String what, int mebibytes, int deepest) {
        try (InputStream in = Files.newInputStream(file)) {
            if (Files.size(file) > (long) mebibytes << 20) {
                throw new PlanException(List.of(file + ": a " + what + " has at most " + mebibytes + " MiB"));
            }
            LoadSettings settings = LoadSettings.builder()
                    .setLabel(file.toString())
                    .setMaxAliasesForCollections(MAX_ALIASES)
                    .setCodePointLimit(mebibytes << 20)
                    .build();
            Optional<Integer> tooDeep = tooDeep(file, settings, deepest);
            if (tooDeep.isPresent()) {
                throw new PlanException(List.of(file + ":" + tooDeep.get() + ": a " + what + " is nested at most "
                        + deepest + " deep; take a level out"));
            }
            return new Compose(settings).composeInputStream(in);
        } catch (NoSuchFileException e) {
            throw new PlanException(List.of("the " + what + " " + file + " does not exist"));
        } catch (MarkedYamlEngineException e) {
            throw new PlanException(List.of(file + ":"
                    + e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1) + ": not valid YAML: "
                    + e.getProblem()));
        } catch (IllegalArgumentException e) {
            // The library's scanner lets these through at an escape such as \xZZ.
            throw new PlanException(List.of(file + ": not valid YAML: an escape in double quotes is cut or names no"
                    + " character; double the backslash, or use single quotes"));
        } catch (YamlEngineException e) {
            String why = e.getCause() instanceof IOException cause ? FileProblem.of(cause) : e.getMessage();
            throw new PlanException(List.of("the " + what + " " + file + " cannot be read: " + why));
        } catch (IOException e) {
            throw new PlanException(List.of("the " + what + " " + file + " cannot be read: " + FileProblem.of(e)));
        }
    }

    /** Composing calls itself for each level, so that the depth is looked at in the events before. */
    private static Optional<Integer> tooDeep(Path file, LoadSettings settings, int deepest) throws IOException {
        int depth = 0;
        try (InputStream in = Files.newInputStream(file)) {
            for (Event event : new Parse(settings).parseInputStream(in)) {
                if (event instanceof CollectionStartEvent) {
                    depth++;
                } else if (event instanceof CollectionEndEvent) {
                    depth--;
                }
                if (depth > deepest) {
                    return Optional.of(
                            event.getStartMark().map(mark -> mark.getLine() + 1).orElse(1));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the line on which a node begins, from 1. */
    public static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }
}
