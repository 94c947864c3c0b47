/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

import picocli.CommandLine.IVersionProvider;

/** The version of this program, as the build wrote it. */
final class Version implements IVersionProvider {

    /**
     * Returns the version with the revision of its sources, e.g. {@code 0.1.0 (1a2b3c4)}; a build from changed sources
     * says so, and one from a source archive has no revision.
     */
    static String text() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("/io/gatebench/orchestrator/version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = properties.getProperty("version");
        String revision = properties.getProperty("revision", "");
        if (revision.isEmpty()) {
            return version;
        }
        return version + " (" + revision + (properties.getProperty("changed").equals("true") ? ", changed" : "") + ")";
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "Gatebench " + text(),
            "Java " + Runtime.version() + " (" + System.getProperty("java.vm.vendor") + ")",
            System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch")
        };
    }
}
