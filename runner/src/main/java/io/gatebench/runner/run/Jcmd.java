/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.role.RoleProcess;

/** The tool of the JDK that sends a command to a JVM, on the JVM's host. */
final class Jcmd {

    private Jcmd() {}

    /**
     * Sends a command.
     *
     * @param process a JVM: jcmd begins with a signal that ends other programs
     * @throws io.gatebench.spi.host.HostException if there is no answer within the limit
     */
    static CommandResult run(RoleProcess process, Duration limit, String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(process.host().java()).resolveSibling("jcmd").toString(),
                String.valueOf(process.process().pid())));
        command.addAll(List.of(words));
        return process.host().run(command, limit);
    }
}
