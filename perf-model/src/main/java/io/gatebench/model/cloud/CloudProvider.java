/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model.cloud;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Rents machines for a run and gives them back; found by {@link java.util.ServiceLoader}.
 *
 * <p>Methods throw {@link CloudException} with a message for the user.
 */
public interface CloudProvider {

    /** Returns the name of the environment, e.g. {@code aws}. */
    String name();

    /** Returns the JSON Schema of the settings file. */
    String settingsSchema();

    /**
     * Returns in words what a request would create and what that would cost: nobody is asked, and no credentials are needed.
     *
     * @throws CloudException with every problem of the settings
     */
    List<String> estimate(CloudRequest request);

    /**
     * Checks everything that can be checked without cost: settings, credentials, image, quotas, limits.
     *
     * @param listener is told in words what happens, now and later; called by one thread at a time
     */
    CloudOffer prepare(CloudRequest request, CloudListener listener);

    /**
     * Returns everything that runs of this tool have left in the account, of one run or of all.
     *
     * @param regions where to look; the default region if empty
     */
    List<CloudResource> list(List<String> regions, Optional<String> run);

    /**
     * Puts all files of a directory into the provider's store of objects.
     *
     * @param settings the file with the settings of the provider; its defaults if absent
     * @param place the beginning of the objects' names, as {@link CloudDeployment#archive()} gives it
     */
    void put(Optional<Path> settings, Path directory, String place, CloudListener listener);

    /**
     * Returns a copy here of an object of the provider's store.
     *
     * @param settings the file with the settings of the provider; its defaults if absent
     * @param object its place, e.g. {@code s3://bucket/pack.zip}
     */
    Path get(Optional<Path> settings, String object, CloudListener listener);

    /**
     * Returns the directory here that holds the records and keys of a run, in which the program may keep files of its own.
     *
     * @throws CloudException if this machine has none of that run
     */
    Path records(String run);

    /**
     * Removes everything of one run, or of all runs of the account, and looks whether it is gone.
     *
     * @param regions where to look beside those that the records of the run here name; the default region if empty
     * @return what is still there, which is empty if all is well
     */
    List<CloudResource> teardown(List<String> regions, Optional<String> run, CloudListener listener);
}
