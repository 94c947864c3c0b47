/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import picocli.CommandLine.IVersionProvider;

import io.gatebench.runner.run.ToolVersion;

/** The version of this program, as the build wrote it. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {
            "Gatebench " + ToolVersion.text(),
            "Java " + Runtime.version() + " (" + System.getProperty("java.vm.vendor") + ")",
            System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch")
        };
    }
}
