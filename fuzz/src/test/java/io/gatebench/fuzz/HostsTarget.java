/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.fuzz;

import java.util.Optional;

import io.gatebench.hosts.environment.HostsFile;
import io.gatebench.settings.PlanException;

/** Hosts files. */
public final class HostsTarget {

    private HostsTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        try {
            HostsFile.read(InputFile.of(bytes, "hosts.yaml"), false, Optional.empty());
        } catch (PlanException e) {
            // It says what is wrong.
        }
    }
}
