/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import io.gatebench.model.DataSize;

/**
 * A process to be started on a host.
 *
 * @param name what messages call it, e.g. {@code gateway}
 * @param command the command and its arguments; never a secret
 * @param environment variables added to the host's own
 * @param directory its working directory, which exists; standard output and error go to {@code out.log} in it
 * @param processors the numbers of the processors that it and its children may run on; empty for all
 * @param memory the most memory that it and its children may take, by a control group; empty for no limit
 * @since 0.1
 */
public record ProcessSpec(
        String name,
        List<String> command,
        Map<String, String> environment,
        String directory,
        List<Integer> processors,
        Optional<DataSize> memory) {

    /** The file in the working directory that takes standard output and error. */
    public static final String LOG = "out.log";

    /** Copies the collections. */
    public ProcessSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        processors = List.copyOf(processors);
    }

    /** Creates a process that may run on all processors and take all memory. */
    public ProcessSpec(String name, List<String> command, Map<String, String> environment, String directory) {
        this(name, command, environment, directory, List.of(), Optional.empty());
    }

    /** Returns the command as it is executed: where there are processors by {@code taskset}, which becomes the command. */
    public List<String> executed() {
        if (processors.isEmpty()) {
            return command;
        }
        List<String> all = new ArrayList<>(List.of("taskset", "-c", list(processors)));
        all.addAll(command);
        return all;
    }

    /** Returns processors in the form in which commands take them, e.g. {@code 0,2}. */
    public static String list(List<Integer> processors) {
        return processors.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
