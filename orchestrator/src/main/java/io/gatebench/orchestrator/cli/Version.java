/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

import picocli.CommandLine.IVersionProvider;

/** The version of this program, as the build wrote it. */
final class Version implements IVersionProvider {

    /** Returns the version and, where the build knew it, the revision. */
    static String text() {
        Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("/io/gatebench/orchestrator/version.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
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
