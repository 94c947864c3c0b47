/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import io.gatebench.spi.Environment;
import io.gatebench.spi.EnvironmentException;

/**
 * Runs roles in a cluster; found by {@link java.util.ServiceLoader}, as what it needs is no part of the program's jar.
 *
 * <p>Methods throw {@link EnvironmentException} when the cluster refuses or cannot be reached, and
 * {@link io.gatebench.settings.PlanException} for what is wrong with the settings.
 */
public interface ClusterProvider {

    /** Returns the name of the environment, e.g. {@code kubernetes}. */
    String name();

    /** Returns the JSON Schema of the settings file. */
    String settingsSchema();

    /** Checks the settings alone: nobody is asked. */
    void check(Path settings);

    /**
     * Returns where a gateway listens that runs in the cluster already and is named by the settings, as roles there see it;
     * empty if they name none. The cluster is asked.
     */
    Optional<URI> gatewayUrl(Path settings);

    /**
     * Creates what a run needs and waits until roles can be started there. What was created is removed when this fails.
     *
     * @param demands what the plan demands of the hosts
     * @param run identifier of the run
     * @param notes is told in words what happens; called by several threads
     */
    Environment open(Path settings, HostRequirements demands, String run, Clock clock, Consumer<String> notes);

    /** Returns what runs have left or use just now, of one run or of all. */
    List<Left> list(Optional<Path> settings, Optional<String> run);

    /**
     * Removes what runs have left, and waits until it is gone.
     *
     * @param force also what a run uses just now
     * @return what is still there
     */
    List<Left> clean(Optional<Path> settings, Optional<String> run, boolean force);

    /**
     * Remains of one run.
     *
     * @param run its identifier
     * @param place where it is, e.g. the namespace
     * @param objects what there is, e.g. {@code 1 job, 4 pods}
     * @param inUse whether its lease still runs
     * @param deadline when it is to be over at the latest, if it says
     */
    record Left(String run, String place, String objects, boolean inUse, Optional<Instant> deadline) {}
}
