/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the suite, as the build wrote it. */
public final class ToolVersion {

    private ToolVersion() {}

    /**
     * Returns the version with the revision of its sources, e.g. {@code 0.1.0 (1a2b3c4)}; a build from changed sources
     * says so, and one from a source archive has no revision.
     */
    public static String text() {
        Properties properties = properties();
        String version = properties.getProperty("version");
        String revision = properties.getProperty("revision", "");
        if (revision.isEmpty()) {
            return version;
        }
        return version + " (" + revision + (properties.getProperty("changed").equals("true") ? ", changed" : "") + ")";
    }

    private static Properties properties() {
        Properties properties = new Properties();
        try (InputStream in = ToolVersion.class.getResourceAsStream("/io/gatebench/runner/version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties;
    }
}
