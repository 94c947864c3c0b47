/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;

class PlanInputTest {

    @Test
    void takesPathsAsOfADirectoryAndLeavesTheRest() {
        Path project = Path.of("").toAbsolutePath();
        Path absolute = project.resolveSibling("payload.json");
        PlanInput input = new PlanInput();
        input.option(PlanKey.GATEWAY_CONFIG, "perf/gateway.yaml");
        input.option(PlanKey.PAYLOAD_FILE, absolute.toString());
        input.option(PlanKey.GATEWAY_HOME, "s3://packs/wso2am.zip");
        input.option(PlanKey.PRODUCT, "http");

        PlanInput resolved = input.relativeTo(project);

        assertThat(values(resolved, PlanKey.GATEWAY_CONFIG))
                .containsExactly(project.resolve("perf/gateway.yaml").toString());
        assertThat(values(resolved, PlanKey.PAYLOAD_FILE)).containsExactly(absolute.toString());
        assertThat(values(resolved, PlanKey.GATEWAY_HOME)).containsExactly("s3://packs/wso2am.zip");
        assertThat(values(resolved, PlanKey.PRODUCT)).containsExactly("http");
    }

    private static List<String> values(PlanInput input, PlanKey key) {
        return input.get(key).orElseThrow().values();
    }
}
