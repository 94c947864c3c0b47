/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatebench.model.SystemInformation;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;
import io.gatebench.spi.host.Tunnel;

/**
 * A directory of a host as a host of its own, so that two gateways on one machine do not overwrite each other's files.
 *
 * @param host the host, which is not closed with it
 * @param directory its name below the host's work directory
 */
record HostPart(Host host, String directory) implements Host {

    @Override
    public String name() {
        return host.name();
    }

    @Override
    public boolean isLocal() {
        return host.isLocal();
    }

    @Override
    public String address() {
        return host.address();
    }

    @Override
    public String workDirectory() {
        return host.workDirectory() + "/" + directory;
    }

    @Override
    public String java() {
        return host.java();
    }

    @Override
    public int javaFeatureVersion() {
        return host.javaFeatureVersion();
    }

    @Override
    public void createDirectory(String path) {
        host.createDirectory(path);
    }

    @Override
    public String upload(Path file, String path) {
        return host.upload(file, path);
    }

    @Override
    public void download(String from, Path target) {
        host.download(from, target);
    }

    @Override
    public CommandResult run(List<String> command, Duration timeout) {
        return host.run(command, timeout);
    }

    @Override
    public HostProcess start(ProcessSpec spec) {
        return host.start(spec);
    }

    @Override
    public boolean isPortFree(int port) {
        return host.isPortFree(port);
    }

    @Override
    public int freePort() {
        return host.freePort();
    }

    @Override
    public URI reach(URI server) {
        return host.reach(server);
    }

    @Override
    public Tunnel tunnelTo(int port) {
        return host.tunnelTo(port);
    }

    @Override
    public Tunnel tunnelFrom(int port) {
        return host.tunnelFrom(port);
    }

    @Override
    public boolean accepts(URI server) {
        return host.accepts(server);
    }

    @Override
    public SystemInformation systemInformation() {
        return host.systemInformation();
    }

    @Override
    public void close() {
        // The environment closes the host itself.
    }
}
