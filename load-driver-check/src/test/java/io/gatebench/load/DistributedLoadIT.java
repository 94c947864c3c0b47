/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMIClientSocketFactory;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.certificate.SelfSignedCertificate;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.load.jmeter.TunnelKey;
import io.gatebench.model.LoadResult;
import io.gatebench.model.SampleStatistics;

/** JMeter's distributed mode: two load generators and their controller, a process each. */
class DistributedLoadIT {

    private static final long PATIENCE_SECONDS = 90;
    private static final char[] PASSWORD = "gatebench".toCharArray();

    @TempDir
    Path directory;

    private final List<Process> processes = new ArrayList<>();
    private Path keyStore;

    @BeforeEach
    void makeAKey() throws Exception {
        keyStore = directory.resolve("key.p12");
        writeKey(keyStore);
    }

    @AfterEach
    void endWhatRuns() {
        processes.forEach(Process::destroyForcibly);
    }

    private static void writeKey(Path file) throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create(
                SelfSignedCertificate.Kind.EC,
                List.of(),
                SelfSignedCertificate.loopback(),
                Instant.now(),
                Duration.ofDays(1));
        TunnelKey.write(certificate.key(), certificate.certificate(), file);
    }

    private Process start(String name, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log(name).toFile())
                .start();
        processes.add(process);
        return process;
    }

    private Process generator(int number, LoadRequest share, int port, int controller, Path key) throws IOException {
        Path own = Files.createDirectories(directory.resolve("load-" + number));
        share.write(own.resolve("request.json"));
        return start(
                "load-" + number,
                LoadGeneratorMain.class,
                own.resolve("request.json").toString(),
                own.toString(),
                LoadGeneratorMain.REMOTE + port + ":" + controller + ":" + controller + ":" + key);
    }

    private Process controller(LoadRequest whole, int port, List<Integer> remotes) throws IOException {
        Path own = Files.createDirectories(directory.resolve("load"));
        whole.write(own.resolve("request.json"));
        List<String> arguments = new ArrayList<>(List.of(
                own.resolve("request.json").toString(), own.toString(), keyStore.toString(), String.valueOf(port)));
        remotes.forEach(remote -> arguments.add(remote + "=" + remote));
        return start("load", LoadControllerMain.class, arguments.toArray(String[]::new));
    }

    private Path log(String name) {
        return directory.resolve(name + ".log");
    }

    private void awaitLine(Process process, String name, String line) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!Files.readString(log(name)).contains(line)) {
            assertThat(process.isAlive()).as(Files.readString(log(name))).isTrue();
            assertThat(System.nanoTime()).as("no '" + line + "' from " + name).isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private void begin(Process process, int number) throws Exception {
        awaitLine(process, "load-" + number, LoadGeneratorMain.READY);
        Path part = directory.resolve("start.part");
        Files.writeString(part, Instant.now() + "\n");
        Files.move(part, directory.resolve("load-" + number).resolve(LoadGeneratorMain.START_FILE));
    }

    private int end(Process process) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** Returns a client that shows the key of a file, and trusts the load generators of the test. */
    private SSLContext shows(Path key) throws IOException {
        try {
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys(key), PASSWORD);
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(keys(keyStore));
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static KeyStore keys(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD);
            return keys;
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private static long samples(LoadResult run) {
        return Stream.concat(run.warmUp().stream(), run.measurement().stream())
                .mapToLong(SampleStatistics::samples)
                .sum();
    }

    @Test
    void aControllerHasTwoLoadGeneratorsShareThePlanAndIsToldWhatLiesOnTheirDisks() throws Exception {
        List<Integer> ports = freePorts(3);
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 9;
            LoadRequest whole =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(5), Scenarios.timing(3, 1, 0));
            List<LoadRequest> shares = whole.shares(2);
            Process first = generator(1, shares.get(0), ports.get(0), ports.get(2), keyStore);
            Process second = generator(2, shares.get(1), ports.get(1), ports.get(2), keyStore);
            Process controller = controller(whole, ports.get(2), ports.subList(0, 2));
            begin(first, 1);
            begin(second, 2);

            assertThat(end(controller)).as(Files.readString(log("load"))).isZero();
            assertThat(end(first)).as(Files.readString(log("load-1"))).isZero();
            assertThat(end(second)).as(Files.readString(log("load-2"))).isZero();

            LoadResult told = LoadRunFile.read(directory.resolve("load/load.json"));
            assertThat(samples(told)).isEqualTo(server.requests.get()).isPositive();
            assertThat(told.failures()).containsEntry("status 500 instead of 200", server.failures.get());
            assertThat(told.health().connectionsOpened().value().orElseThrow()).isEqualTo(5);
            assertThat(told.series().get(1).users()).isEqualTo(5);
            Path merged = Files.createDirectories(directory.resolve("merged"));
            LoadResult kept = SharedLoad.merge(
                    whole,
                    List.of(directory.resolve("load-1/load.outcome"), directory.resolve("load-2/load.outcome")),
                    merged);
            assertThat(kept.measurement()).isEqualTo(told.measurement());
            assertThat(Files.readString(log("load")))
                    .contains(LoadControllerMain.RECEIVED + " results=2 samples=" + samples(told) + " ");
        }
    }

    @Test
    @Tag("full")
    void aLoadGeneratorWhoseControllerIsGoneMeasuresToTheEndAndKeepsIt() throws Exception {
        List<Integer> ports = freePorts(2);
        try (EchoFixture server = new EchoFixture()) {
            LoadRequest whole =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(2), Scenarios.timing(2, 0.5, 0));
            Process generator = generator(1, whole, ports.get(0), ports.get(1), keyStore);
            Process controller = controller(whole, ports.get(1), ports.subList(0, 1));
            awaitLine(generator, "load-1", LoadGeneratorMain.READY);
            controller.destroyForcibly().waitFor();
            begin(generator, 1);

            assertThat(end(generator)).as(Files.readString(log("load-1"))).isZero();
            assertThat(samples(LoadRunFile.read(directory.resolve("load-1/load.json"))))
                    .isEqualTo(server.requests.get())
                    .isPositive();
        }
    }

    @Test
    void whoHasAnotherKeyIsRefused() throws Exception {
        List<Integer> ports = freePorts(2);
        LoadRequest whole = LoadRequest.of(
                Scenarios.echo(), URI.create("http://127.0.0.1:1"), Scenarios.users(1), Scenarios.timing(2, 0.5, 0));
        Path other = directory.resolve("other.p12");
        writeKey(other);
        Process generator = generator(1, whole, ports.get(0), ports.get(1), keyStore);
        awaitLine(generator, "load-1", "Created remote object");
        RMIClientSocketFactory stranger =
                (host, port) -> shows(other).getSocketFactory().createSocket(host, port);
        RMIClientSocketFactory friend =
                (host, port) -> shows(keyStore).getSocketFactory().createSocket(host, port);

        assertThat(LocateRegistry.getRegistry("127.0.0.1", ports.get(0), friend).list())
                .isNotEmpty();
        assertThatThrownBy(() -> LocateRegistry.getRegistry("127.0.0.1", ports.get(0), stranger)
                        .list())
                .isInstanceOf(RemoteException.class)
                .hasStackTraceContaining("javax.net.ssl");
        generator.destroy();
        assertThat(end(generator)).isNotZero();
        assertThat(Files.exists(directory.resolve("load-1/load.json"))).isFalse();
    }
}
