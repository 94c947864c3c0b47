/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.gatebench.model.SystemInformation;

/** A host that is another one, but for the methods that it has of its own: how it is closed at least. */
public interface ForwardingHost extends Host {

    /** Returns the other one. */
    Host host();

    @Override
    default String name() {
        return host().name();
    }

    @Override
    default boolean isLocal() {
        return host().isLocal();
    }

    @Override
    default String address() {
        return host().address();
    }

    @Override
    default String workDirectory() {
        return host().workDirectory();
    }

    @Override
    default String java() {
        return host().java();
    }

    @Override
    default int javaFeatureVersion() {
        return host().javaFeatureVersion();
    }

    @Override
    default void createDirectory(String directory) {
        host().createDirectory(directory);
    }

    @Override
    default String upload(Path file, String path) {
        return host().upload(file, path);
    }

    @Override
    default void download(String directory, Path target) {
        host().download(directory, target);
    }

    @Override
    default CommandResult run(List<String> command, Duration timeout) {
        return host().run(command, timeout);
    }

    @Override
    default HostProcess start(ProcessSpec spec) {
        return host().start(spec);
    }

    @Override
    default boolean isPortFree(int port) {
        return host().isPortFree(port);
    }

    @Override
    default int freePort() {
        return host().freePort();
    }

    @Override
    default URI reach(URI server) {
        return host().reach(server);
    }

    @Override
    default Tunnel tunnelTo(int port) {
        return host().tunnelTo(port);
    }

    @Override
    default Tunnel tunnelFrom(int port) {
        return host().tunnelFrom(port);
    }

    @Override
    default boolean accepts(URI server) {
        return host().accepts(server);
    }

    @Override
    default SystemInformation systemInformation() {
        return host().systemInformation();
    }
}
