/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;

import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;

class LocalPreflightTest {

    @Test
    void holdsAHeapAgainstTheMachineAndNotAgainstThePromisesOfItsKernel() {
        HostRequirements demands = new HostRequirements(
                Map.of(
                        NodeRole.GATEWAY,
                        List.of(DataSize.parse("2G"), DataSize.parse("9000G")),
                        NodeRole.BACKEND,
                        List.of(DataSize.parse("512M"))),
                Map.of(),
                List.of(1));
        List<String> problems = new ArrayList<>();

        LocalPreflight.memory(demands, OptionalLong.of(8L << 30), problems);
        LocalPreflight.memory(demands, OptionalLong.empty(), problems);

        assertThat(problems)
                .containsExactly("a heap of 9000G is more than the 8192 MiB of memory that this machine has; give less"
                        + " with --heap, --backend-heap or --load-generator-heap");
    }
}
