/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.host;

import java.util.List;
import java.util.Map;

/**
 * A process to be started on a host.
 *
 * @param name what messages call it, e.g. {@code gateway}
 * @param command the command and its arguments; never a secret
 * @param environment variables added to the host's own
 * @param directory its working directory, which exists; standard output and error go to {@code out.log} in it
 * @since 0.1
 */
public record ProcessSpec(String name, List<String> command, Map<String, String> environment, String directory) {

    /** The file in the working directory that takes standard output and error. */
    public static final String LOG = "out.log";

    /** Copies the collections. */
    public ProcessSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }
}
