/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import io.gatebench.load.engine.token.SecretFile;
import io.gatebench.spi.role.RoleStartException;

/**
 * Place of a secret; the settings never hold the secret itself.
 *
 * @param place the kind of place
 * @param name the name of the environment variable, or the path of the file
 */
public record Secret(Place place, String name) {

    /** The kinds of places. */
    public enum Place {
        /** An environment variable of the suite. */
        ENVIRONMENT,
        /** The first line of a file. */
        FILE
    }

    static Secret environment(String name) {
        return new Secret(Place.ENVIRONMENT, name);
    }

    static Secret file(Path file) {
        return new Secret(Place.FILE, file.toString());
    }

    /**
     * Returns the secret; of a file its first line.
     *
     * @param what what it is, for messages
     * @throws RoleStartException if it is not there
     */
    String read(String what, Map<String, String> environment) {
        String value = place == Place.ENVIRONMENT ? environment.get(name) : firstLine(what);
        if (value == null || value.isEmpty()) {
            throw new RoleStartException("the " + what + " is missing: the "
                    + (place == Place.ENVIRONMENT ? "environment variable " : "file ") + name + " is empty or not set");
        }
        return value;
    }

    /** Returns the secret of an environment variable that need not be there. */
    static Optional<String> ifSet(String variable, Map<String, String> environment) {
        return Optional.ofNullable(environment.get(variable)).filter(value -> !value.isEmpty());
    }

    private String firstLine(String what) {
        try {
            return SecretFile.firstLine(Path.of(name));
        } catch (IOException e) {
            throw new RoleStartException("the " + what + " cannot be read from the file " + name + ": " + e);
        }
    }
}
