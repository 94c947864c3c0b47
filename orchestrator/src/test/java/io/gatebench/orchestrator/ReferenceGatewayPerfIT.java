/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our own gate: the built-in gateway under real load, judged against the back end alone on the same machine. */
class ReferenceGatewayPerfIT {

    @TempDir
    private Path directory;

    @Test
    void forwardsWithoutErrorsAndWithinTheRigsCeiling() throws IOException {
        Program.Result result = Program.run(
                directory,
                "--product=apim",
                "--scenario=passthrough,transformation",
                "--users=10",
                "--duration=30s",
                "--warm-up=15s",
                "--control-run",
                "--thresholds=errors == 0, gc-throughput > 90",
                "--results=r");

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode cells = new ObjectMapper()
                .readTree(directory.resolve("r/result.json").toFile())
                .path("cells");
        assertThat(cells).hasSize(2).allSatisfy(cell -> {
            double gateway = throughput(cell.path("load"));
            double direct = throughput(cell.path("control"));
            System.out.printf(
                    "%s: %.0f requests/s, %.2f of the %.0f straight to the back end (all on this machine)%n",
                    cell.path("case").path("scenario").asText(), gateway, gateway / direct, direct);
            // A gateway that outruns its own back end has not forwarded.
            assertThat(gateway).isLessThan(direct);
        });
    }

    private static double throughput(JsonNode load) {
        return load.path("measurement").path(0).path("throughputPerSecond").asDouble();
    }
}
