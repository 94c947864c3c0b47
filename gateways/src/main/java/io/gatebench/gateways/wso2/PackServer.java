/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.gc.GcLogging;
import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.JavaVersion;
import io.gatebench.spi.host.ProcessSpec;
import io.gatebench.spi.role.RoleProcess;
import io.gatebench.spi.role.RoleStartException;

/** Starts a product from its installed pack, with heap and GC log given through the environment of its script. */
final class PackServer {

    private static final Duration JAVA = Duration.ofSeconds(30);

    private final Host host;
    private final String home;
    private final String script;
    private final String pidFile;
    private final Optional<String> javaHome;

    /**
     * Creates a starter.
     *
     * @param home the product's home directory on the host
     * @param script its start script below that
     * @param pidFile the file below the home directory that the product writes its process id to
     * @param javaHome the JDK on the host that it runs on; empty means the suite's own there
     */
    PackServer(Host host, String home, String script, String pidFile, Optional<String> javaHome) {
        this.host = host;
        this.home = home;
        this.script = script;
        this.pidFile = pidFile;
        this.javaHome = javaHome;
    }

    /** Variable by which a product is told its heap, in its own words. */
    enum HeapVariable {
        /** {@code JVM_MEM_OPTS} for the heap and {@code JAVA_OPTS} for the rest: the Carbon products. */
        JVM_MEM_OPTS,
        /** {@code JAVA_OPTS} for both, which stands behind the script's own heap and so wins: the microgateway. */
        JAVA_OPTS
    }

    /**
     * Starts it and returns at once.
     *
     * @param directory its directory for this case, which is created and takes output and GC log
     * @param environment further variables
     * @param memory the most memory that it may take; empty for no limit
     */
    PackProcess start(
            String name,
            String directory,
            DataSize heap,
            HeapVariable variable,
            List<String> arguments,
            Map<String, String> environment,
            Optional<CpuLimit> limit,
            List<Integer> processors,
            Optional<DataSize> memory) {
        host.createDirectory(directory);
        String gcLog = directory + "/" + RoleProcess.GC_LOG;
        String heapFlags = "-Xms" + heap + " -Xmx" + heap;
        String gcFlags = String.join(" ", GcLogging.flagsFor(javaFeatureVersion(), Path.of(gcLog)));
        Map<String, String> variables = new LinkedHashMap<>(environment);
        variables.put("JAVA_HOME", java().getParent().getParent().toString());
        // The scripts believe both if the user's own shell has them, and would start another installation or JVM.
        variables.put("CARBON_HOME", home);
        variables.put("JAVACMD", java().toString());
        if (variable == HeapVariable.JVM_MEM_OPTS) {
            variables.put("JVM_MEM_OPTS", heapFlags);
            variables.put("JAVA_OPTS", gcFlags);
        } else {
            variables.put("JAVA_OPTS", heapFlags + " " + gcFlags);
        }
        List<String> command = new ArrayList<>(List.of(home + "/" + script));
        command.addAll(arguments);
        // A file of an earlier case would name a process that may be anyone's by now.
        host.run(List.of("rm", "-f", home + "/" + pidFile), JAVA);
        HostProcess started = host.start(new ProcessSpec(
                name, limit.map(l -> l.limited(command)).orElse(command), variables, directory, processors, memory));
        return new PackProcess(started, host, home + "/" + pidFile, limit);
    }

    /** Returns what a report says of a product that is ready. */
    RoleProcess role(String name, PackProcess process, DataSize heap, String directory) {
        boolean found = process.findJvm();
        return new RoleProcess(
                NodeRole.GATEWAY,
                name,
                host,
                process,
                List.of(home + "/" + script),
                heap,
                directory,
                found ? Optional.empty() : Optional.of("no JVM was found below its start script"));
    }

    private Path java() {
        return javaHome.map(dir -> Path.of(dir, "bin", "java")).orElseGet(() -> Path.of(host.java()));
    }

    private int javaFeatureVersion() {
        if (javaHome.isEmpty()) {
            return host.javaFeatureVersion();
        }
        CommandResult result = host.run(List.of(java().toString(), "-version"), JAVA);
        int version = JavaVersion.feature(result.errorOutput() + result.output());
        if (result.exitCode() != 0 || version == 0) {
            throw new RoleStartException("java-home " + javaHome.get() + " of " + host.name() + " holds no JDK: "
                    + (result.output() + result.errorOutput()).strip());
        }
        return version;
    }
}
