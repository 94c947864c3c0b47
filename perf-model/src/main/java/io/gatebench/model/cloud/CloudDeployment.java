/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model.cloud;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Machines that cost money until they are closed.
 *
 * <p>They end themselves too: each when its lease is not renewed, all at {@link #end()}.
 */
public interface CloudDeployment extends AutoCloseable {

    /** Returns the identifier that all its resources carry as a tag. */
    String run();

    /** Returns the sets of machines, as many as were asked for. */
    List<ProvisionedHosts> stacks();

    /** Returns when everything is removed at the latest, whatever the orchestrator does. */
    Instant end();

    /** Returns how long a machine goes on without a renewal. */
    Duration lease();

    /** Returns the command that sets what is left of a machine's lease; whole minutes from now are its last word. */
    List<String> leaseCommand();

    /** Returns what a reader of the figures must know about the machines. */
    List<String> notes();

    /** Returns where the results are to be put in the provider's store of objects after the run, if they are. */
    Optional<String> archive();

    /** Leaves the machines running at {@link #close()}, where this was asked for. */
    void keep();

    /** Leaves the machines at {@link #close()} to the orchestrator that now runs on one of them. */
    void detach();

    /**
     * Returns the name of the machine on which this very program runs, if it does. Nobody is there to remove the machines
     * then: the others are to end themselves after the run, that one when its results can have been fetched.
     */
    default Optional<String> orchestrator() {
        return Optional.empty();
    }

    /**
     * Removes everything and looks whether it is gone; does nothing when called again.
     *
     * @throws CloudException with the names of what could not be removed and its price
     */
    @Override
    void close();
}
