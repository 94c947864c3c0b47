/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.orchestrator.SilentListener;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleProcess;

/** A gateway under test writes its own GC log: what is in it must not reach further than the report. */
class HostileGatewayLogTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"j9-r28-doctype.xml", "j9-5-doctype.xml"})
    void fetchesNothingForTheLogOfAGateway(String name) throws IOException {
        try (SilentListener listener = new SilentListener()) {
            listener.writeXmlLog(
                    name, Files.createDirectory(directory.resolve("gateway")).resolve("gc.log"));
            Host host = stub(Host.class);
            RoleProcess gateway = new RoleProcess(
                    NodeRole.GATEWAY,
                    "Gateway",
                    host,
                    stub(HostProcess.class),
                    List.of("gateway"),
                    DataSize.ofMebibytes(256),
                    "gateway",
                    Optional.empty());

            ProcessReport report = new ProcessReports(directory)
                    .report(
                            gateway,
                            gateway.name(),
                            "gateway",
                            Optional.empty(),
                            Optional.of(new CaseMetrics.OfProcess(Map.of(), List.of(), Optional.empty())));

            assertThat(report.notes())
                    .singleElement()
                    .asString()
                    .startsWith("the GC log could not be read:")
                    .contains("holds '<?xml': it is XML");
            assertThat(listener.wasCalled()).isFalse();
        }
    }

    /** Answers every question with its name. */
    private static <T> T stub(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType() == String.class ? method.getName() : null));
    }
}
