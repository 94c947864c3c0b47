/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.LoadResult;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;

class DistributedLoadIT {

    @TempDir
    Path directory;

    private Process remote(int port, String share) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Djava.rmi.server.hostname=127.0.0.1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RemoteLoadGeneratorMain.class.getName(),
                        String.valueOf(port),
                        share)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("remote-" + port + ".log").toFile())
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void await(int port) throws Exception {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (true) {
            try {
                new Socket("127.0.0.1", port).close();
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }

    @Test
    void twoRemotesShareUsersAndTheirHistogramsAddUp() throws Exception {
        List<Process> remotes = new ArrayList<>();
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 9;
            int first = freePort();
            int second = freePort();
            remotes.add(remote(first, "0/2"));
            remotes.add(remote(second, "1/2"));
            await(first);
            await(second);
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(5), Scenarios.timing(4, 1, 0));
            DistributedLoadDriver driver =
                    new DistributedLoadDriver(List.of("127.0.0.1:" + first, "127.0.0.1:" + second));
            List<SecondOfLoad> live = new CopyOnWriteArrayList<>();

            LoadResult run = driver.run(request, directory, live::add);

            long samples = Stream.concat(run.warmUp().stream(), run.measurement().stream())
                    .mapToLong(SampleStatistics::samples)
                    .sum();
            assertThat(samples).isEqualTo(server.requests.get()).isPositive();
            assertThat(run.failures()).containsEntry("status 500 instead of 200", server.failures.get());
            assertThat(run.health().connectionsOpened().value().orElseThrow()).isEqualTo(5);
            assertThat(run.series().get(1).users()).isEqualTo(5);
            assertThat(Files.exists(directory.resolve("load.json"))).isTrue();
            assertThat(run.facts()).containsEntry("load.generators", "2");
            assertThat(run.startSkew()).isPresent();
            assertThat(run.health().cpuOfMachinePercent().value().orElseThrow()).isPositive();
            assertThat(run.health().schedulingDelayP99Millis().value()).isPresent();
            assertThat(live).hasSizeBetween(2, 4);
            assertThat(live.get(0).second()).isZero();
            assertThat(live.get(0).samples()).isEqualTo(run.series().get(0).samples());
            assertThat(live.get(1).users()).isEqualTo(5);

            long before = server.requests.get();
            AtomicInteger told = new AtomicInteger();
            LoadResult stopped = driver.run(request.withTiming(Scenarios.timing(60, 1, 0)), directory, figures -> {
                if (told.incrementAndGet() == 2) {
                    driver.stop("enough");
                }
            });
            assertThat(stopped.aborted()).contains("load generator 1 of 2: enough");
            assertThat(stopped.series()).hasSizeLessThan(20);
            assertThat(Stream.concat(stopped.warmUp().stream(), stopped.measurement().stream())
                            .mapToLong(SampleStatistics::samples)
                            .sum())
                    .isEqualTo(server.requests.get() - before);
        } finally {
            remotes.forEach(Process::destroy);
        }
    }

    @Test
    void tellsWhichRemoteIsNotThere() throws Exception {
        int port = freePort();
        assertThatThrownBy(() -> new DistributedLoadDriver(List.of("127.0.0.1:" + port))
                        .run(
                                LoadRequest.of(
                                        Scenarios.echo(),
                                        java.net.URI.create("http://127.0.0.1:1"),
                                        Scenarios.users(1),
                                        Scenarios.timing(2, 1, 0)),
                                directory,
                                LoadProgress.none()))
                .hasMessageContaining("127.0.0.1:" + port + " cannot be reached");
    }
}
