/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.role.RoleProcess;

/** The flight recorder of a gateway of this machine that is a JVM. */
record FlightRecording(RoleProcess process) {

    private static final String NAME = "name=gatebench";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Returns the recorder, which records from now on; empty if the gateway has none. */
    static Optional<FlightRecording> of(RunningGateway gateway) {
        return gateway.process()
                .filter(process -> process.host().isLocal())
                .map(FlightRecording::new)
                .filter(recording -> recording.command("JFR.start", NAME, "settings=profile"));
    }

    /** Ends it and returns whether the file was written. */
    boolean end(Path file) {
        // A JVM in a container may have another file system.
        return command("JFR.stop", NAME, "filename=" + file.toAbsolutePath()) && Files.isRegularFile(file);
    }

    private boolean command(String... words) {
        try {
            return Jcmd.run(process, LIMIT, words).exitCode() == 0;
        } catch (HostException e) {
            return false;
        }
    }
}
