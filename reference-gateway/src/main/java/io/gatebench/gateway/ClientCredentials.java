/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Secret with which a client proves itself at the introspection endpoint.
 *
 * @param id the client id, without a colon
 * @param secret the client secret
 */
record ClientCredentials(String id, String secret) {

    /**
     * Reads the first line of a file, {@code <client id>:<client secret>}.
     *
     * @throws UsageException if the file cannot be read or does not have that form; the message never holds the content
     */
    static ClientCredentials read(Path file) {
        String line;
        try {
            line = Files.readString(file).lines().findFirst().orElse("").strip();
        } catch (IOException e) {
            throw new UsageException("the credentials file '" + file + "' cannot be read: " + Problem.of(e));
        }
        int colon = line.indexOf(':');
        if (colon < 1 || colon == line.length() - 1) {
            throw new UsageException(
                    "the first line of the credentials file '" + file + "' must be <client id>:<client secret>");
        }
        return new ClientCredentials(line.substring(0, colon), line.substring(colon + 1));
    }

    /** Hides the secret: records print their components by default. */
    @Override
    public String toString() {
        return "ClientCredentials[id=" + id + "]";
    }
}
