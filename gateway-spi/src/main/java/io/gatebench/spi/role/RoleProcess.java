/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.role;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;

/**
 * A role's process together with what a report says of it.
 *
 * @param role what it is there for
 * @param name the name that the columns of the report carry
 * @param host the host that it runs on
 * @param process the process itself
 * @param command its command line
 * @param heap its heap size
 * @param directory its directory on the host
 * @param notJvm why it cannot be asked as a JVM can, e.g. {@code not a JVM}; empty for a JVM
 * @since 0.1
 */
public record RoleProcess(
        NodeRole role,
        String name,
        Host host,
        HostProcess process,
        List<String> command,
        DataSize heap,
        String directory,
        Optional<String> notJvm) {

    /** Time that a role may take to end by itself before it is ended by force. */
    public static final Duration STOP_GRACE = Duration.ofSeconds(20);

    /** The name of the GC log in the role's directory. */
    public static final String GC_LOG = "gc.log";

    /** Copies the command. */
    public RoleProcess {
        command = List.copyOf(command);
    }

    /** Stops it; does nothing if it has ended. */
    public void stop() {
        process.stop(STOP_GRACE);
    }
}
