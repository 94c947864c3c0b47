/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatebench.runner.EchoBackend;
import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.runner.StartedGateway;
import io.gatebench.spi.host.FileTrees;

/** Things made for one test method; each is made when it is first asked for. */
final class Fixture {

    private final Supplier<GatewayBenchmark.Builder> described;
    private final Path directory;
    private @Nullable EchoBackend echo;
    private @Nullable StartedGateway gateway;
    private boolean emptied;

    Fixture(Supplier<GatewayBenchmark.Builder> described, Path directory) {
        this.described = described;
        this.directory = directory;
    }

    /** Returns the results directory, whether it exists or not. */
    Path directory() {
        return directory;
    }

    /** Returns the results directory, which now exists and was emptied of what an earlier execution left. */
    Path results() {
        if (!emptied) {
            emptied = true;
            try {
                if (Files.isDirectory(directory)) {
                    FileTrees.delete(directory);
                }
                Files.createDirectories(directory);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot empty the results directory " + directory, e);
            }
        }
        return directory;
    }

    GatewayBenchmark.Builder test() {
        return described.get().resultsIn(results());
    }

    /** Returns what an annotation says. */
    static GatewayBenchmark.Builder described(GatewayPerfTest annotation) {
        GatewayBenchmark.Builder builder = annotation.gatewayConfig().isEmpty()
                ? GatewayBenchmark.product(annotation.product())
                : GatewayBenchmark.http(Path.of(annotation.gatewayConfig()));
        if (!annotation.gatewayUrl().isEmpty()) {
            builder.gatewayUrl(URI.create(annotation.gatewayUrl()));
        }
        if (annotation.scenarios().length > 0) {
            builder.scenarios(annotation.scenarios());
        }
        return builder;
    }

    EchoBackend echo() {
        EchoBackend running = echo;
        if (running == null) {
            running = EchoBackend.start();
            echo = running;
        }
        return running;
    }

    StartedGateway gateway() {
        StartedGateway running = gateway;
        if (running == null) {
            running = described.get().build().startGateway(echo().url());
            gateway = running;
        }
        return running;
    }

    void close() {
        try {
            if (gateway != null) {
                gateway.close();
            }
        } finally {
            if (echo != null) {
                echo.close();
            }
        }
    }
}
