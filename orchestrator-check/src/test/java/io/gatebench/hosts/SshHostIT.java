/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.FileDigest;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.HostUnreachableException;
import io.gatebench.spi.host.ProcessSpec;
import io.gatebench.spi.host.Tunnel;

/** Against a server in this JVM, so that it needs neither root nor an installed server. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "hosts over SSH are Linux")
class SshHostIT implements HostContract {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Queue<String> notes = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;

    private EmbeddedSshServer server;

    @BeforeEach
    void startServer() {
        server = new EmbeddedSshServer(directory.resolve("server"));
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    private SshSettings settings(Path knownHosts) {
        return new SshSettings(Optional.empty(), knownHosts, false, Duration.ofSeconds(30), Duration.ofSeconds(10));
    }

    private SshHost connect(String run, SshSettings settings) {
        return SshHost.connect(server.target(directory.resolve("work")), settings, run, notes::add);
    }

    @Override
    public Host open() throws IOException {
        SshHost host = connect("test", settings(server.knownHosts(server.hostKey())));
        host.lock("the test");
        return host;
    }

    @Override
    public Path scratch() {
        return directory;
    }

    @Test
    void refusesAHostWhoseKeyIsNotKnown() {
        Path file = directory.resolve("no-known-hosts");

        assertThatThrownBy(() -> connect("test", settings(file)))
                .isInstanceOf(HostException.class)
                .isNotInstanceOf(HostUnreachableException.class)
                .hasMessageStartingWith("the host key of embedded (ecdsa-sha2-nistp256 SHA256:")
                .hasMessageContaining("is not in " + file)
                .hasMessageContaining("--accept-new-host-keys");
        assertThat(file).doesNotExist();
    }

    @Test
    void keepsTheKeysOfHostsThatAreAcceptedAtOnce() throws Exception {
        Path file = directory.resolve("new-known-hosts");
        SshSettings accepting =
                new SshSettings(Optional.empty(), file, true, SshSettings.DEFAULT_LEASE, SshSettings.DEFAULT_PATIENCE);
        List<EmbeddedSshServer> servers = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                servers.add(new EmbeddedSshServer(directory.resolve("server-" + i)));
            }
            servers.parallelStream()
                    .forEach(
                            one -> SshHost.connect(one.target(directory.resolve("work")), accepting, "test", notes::add)
                                    .close());
            for (EmbeddedSshServer one : servers) {
                SshHost.connect(one.target(directory.resolve("work")), settings(file), "test", notes::add)
                        .close();
            }
        } finally {
            servers.forEach(EmbeddedSshServer::close);
        }
    }

    @Test
    void acceptsAndKeepsANewHostKeyOnlyWhenTold() {
        Path file = directory.resolve("new-known-hosts");
        SshSettings accepting =
                new SshSettings(Optional.empty(), file, true, SshSettings.DEFAULT_LEASE, SshSettings.DEFAULT_PATIENCE);
        connect("test", accepting).close();

        assertThat(file).isNotEmptyFile();
        connect("test", settings(file)).close();
    }

    @Test
    void callsARevokedHostKeyThat() throws Exception {
        Path file = server.knownHosts(server.hostKey());
        String known = Files.readString(file).strip();
        Files.writeString(file, "@revoked " + known + "\n" + known + "\n");

        assertThatThrownBy(() -> connect("test", settings(file)))
                .isInstanceOf(HostException.class)
                .isNotInstanceOf(HostUnreachableException.class)
                .hasMessageContaining("the host key of embedded (ecdsa-sha2-nistp256 SHA256:")
                .hasMessageContaining(") is REVOKED in " + file);
    }

    @Test
    void refusesAChangedHostKeyEvenWhenNewOnesAreAccepted() throws Exception {
        Path file = server.knownHosts(
                KeyUtils.generateKeyPair("ecdsa-sha2-nistp256", 256).getPublic());
        SshSettings accepting =
                new SshSettings(Optional.empty(), file, true, SshSettings.DEFAULT_LEASE, SshSettings.DEFAULT_PATIENCE);
        String before = Files.readString(file);

        assertThatThrownBy(() -> connect("test", accepting))
                .isInstanceOf(HostException.class)
                .hasMessageStartingWith("the host key of embedded has CHANGED: " + file);
        assertThat(file).hasContent(before);
    }

    @Test
    void theVariablesOfAProcessStandOnNoCommandLine() throws IOException, InterruptedException {
        String secret = "it's \"secret\" $HOME \\ 7c3f";
        try (Host host = open()) {
            String there = host.workDirectory() + "/variables";
            host.createDirectory(there);
            HostProcess process = host.start(new ProcessSpec(
                    "variables",
                    List.of("sh", "-c", "printf '%s\\n' \"$A_SECRET\"; echo said >said; sleep 60"),
                    Map.of("A_SECRET", secret),
                    there));
            long deadline = System.nanoTime() + SOON.toNanos();
            while (Files.notExists(Path.of(there, "said")) && System.nanoTime() < deadline) {
                Thread.sleep(50);
            }

            assertThat(process.lastLines(1)).isEqualTo(secret);
            try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
                assertThat(processes.filter(
                                path -> path.getFileName().toString().matches("[0-9]+")))
                        .allSatisfy(path -> assertThat(commandLine(path)).doesNotContain("7c3f"));
            }
            process.stop(Duration.ofSeconds(5));
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended.
            return "";
        }
    }

    @Test
    void saysWhichKeyAHostDidNotAccept() throws Exception {
        Path other = directory.resolve("id_other");
        try (var out = Files.newOutputStream(other)) {
            org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(
                    KeyUtils.generateKeyPair("ecdsa-sha2-nistp256", 256), "x", null, out);
        }
        SshTarget right = server.target(directory.resolve("work"));
        SshTarget wrong = new SshTarget(
                "embedded",
                right.destination(),
                right.user(),
                right.port(),
                List.of(other),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        SshSettings settings = settings(server.knownHosts(server.hostKey()));

        assertThatThrownBy(() -> SshHost.connect(wrong, settings, "test", notes::add))
                .isInstanceOf(HostException.class)
                .hasMessageContaining("accepts none of the keys that were tried")
                .hasMessageContaining("id_other");
    }

    @Test
    void findsAHostByItsAliasInTheSshConfiguration() throws IOException {
        SshTarget target = server.target(directory.resolve("work"));
        Path config = Files.writeString(
                directory.resolve("config"),
                "Host gate*\n  HostName 127.0.0.1\n  Port " + server.port() + "\n  User tester\n  IdentityFile "
                        + target.keys().get(0) + "\n  IdentitiesOnly yes\n");
        SshSettings settings = new SshSettings(
                Optional.of(config),
                server.knownHosts(server.hostKey()),
                false,
                SshSettings.DEFAULT_LEASE,
                SshSettings.DEFAULT_PATIENCE);
        try (SshHost host = SshHost.connect(SshTarget.of("gateway", "gateway"), settings, "test", notes::add)) {
            assertThat(host.address()).isEqualTo("127.0.0.1");
            assertThat(host.run(List.of("echo", "hello"), SOON).output()).isEqualTo("hello\n");
        }
    }

    @Test
    void sendsAFileOnlyOnceHoweverManyRunsNeedIt() throws IOException {
        Path file = directory.resolve("big.jar");
        byte[] content = new byte[2_000_000];
        new java.util.Random(1).nextBytes(content);
        Files.write(file, content);
        try (Host host = open()) {
            host.upload(file, host.workDirectory() + "/jars/big.jar");
        }
        int before = server.commands();
        try (Host host = open()) {
            int afterLock = server.commands();
            assertThat(afterLock).isGreaterThan(before);
            host.upload(file, host.workDirectory() + "/jars/big.jar");

            assertThat(server.commands()).isEqualTo(afterLock + 1);
            assertThat(Path.of(host.workDirectory(), "jars", "big.jar")).hasBinaryContent(content);
        }
    }

    @Test
    void goesOnWithATransferThatBrokeOff() throws IOException {
        Path file = directory.resolve("big.jar");
        byte[] content = new byte[1_000_000];
        new java.util.Random(2).nextBytes(content);
        Files.write(file, content);
        try (SshHost host = (SshHost) open()) {
            String sum = host.run(List.of("sha256sum", file.toString()), SOON)
                    .output()
                    .substring(0, 64);
            Path part = Path.of(host.baseDirectory(), "cache", sum + ".part");
            Files.write(part, java.util.Arrays.copyOf(content, 400_000));
            host.upload(file, host.workDirectory() + "/jars/big.jar");
            assertThat(Path.of(host.workDirectory(), "jars", "big.jar")).hasBinaryContent(content);

            // A part that is not the beginning of the file is found out by its checksum.
            Files.delete(Path.of(host.baseDirectory(), "cache", sum));
            Files.delete(Path.of(host.workDirectory(), "jars", "big.jar"));
            Files.write(part, new byte[400_000]);
            host.upload(file, host.workDirectory() + "/jars/big.jar");
            assertThat(Path.of(host.workDirectory(), "jars", "big.jar")).hasBinaryContent(content);
        }
    }

    @Test
    void keepsProcessesRunningWhenTheConnectionBreaks() throws IOException, InterruptedException {
        try (Host host = open()) {
            String directoryThere = host.workDirectory() + "/long";
            host.createDirectory(directoryThere);
            HostProcess process = host.start(new ProcessSpec(
                    "long", List.of("sh", "-c", "echo begun; sleep 2; echo done; exit 4"), Map.of(), directoryThere));
            server.breakConnections();
            long deadline = System.nanoTime() + SOON.toNanos();
            while (process.isAlive() && System.nanoTime() < deadline) {
                Thread.sleep(50);
            }

            assertThat(process.exitCode()).hasValue(4);
            assertThat(process.outputFrom(0).text()).isEqualTo("begun\ndone\n");
        }
    }

    @Test
    void followsAndStopsAProcessThatWritesOverItsEnvironment() throws IOException, InterruptedException {
        // As nginx does: the place of its environment holds its title.
        String forgetful = "exec env -i sleep 300";
        long left;
        try (Host host = open()) {
            String directoryThere = host.workDirectory() + "/titled";
            host.createDirectory(directoryThere);
            HostProcess process =
                    host.start(new ProcessSpec("titled", List.of("sh", "-c", forgetful), Map.of(), directoryThere));
            awaitEmptyEnvironment(process.pid());
            // Asks the host anew, whatever is known.
            process.outputFrom(0);
            assertThat(process.isAlive()).isTrue();
            process.stop(Duration.ofSeconds(5));
            assertThat(process.exitCode()).hasValue(143);

            String second = host.workDirectory() + "/second";
            host.createDirectory(second);
            left = host.start(new ProcessSpec("second", List.of("sh", "-c", forgetful), Map.of(), second))
                    .pid();
            ((SshHost) host).clean(true);
        }
        assertThat(ProcessHandle.of(left).filter(ProcessHandle::isAlive)).isEmpty();
    }

    private static void awaitEmptyEnvironment(long pid) throws IOException, InterruptedException {
        Path environment = Path.of("/proc", Long.toString(pid), "environ");
        long deadline = System.nanoTime() + SOON.toNanos();
        while (Files.readAllBytes(environment).length > 0 && System.nanoTime() < deadline) {
            Thread.sleep(10);
        }
        assertThat(Files.readAllBytes(environment)).isEmpty();
    }

    /** A run of many hours has started thousands of them, and one that is asked to end has little time. */
    @Test
    void endsAllItsProcessesAtOnceWhenItIsClosed() throws IOException {
        List<Long> pids = new ArrayList<>();
        int before;
        try (Host host = open()) {
            for (String name : List.of("one", "two", "three")) {
                String there = host.workDirectory() + "/" + name;
                host.createDirectory(there);
                pids.add(host.start(new ProcessSpec(name, List.of("sleep", "300"), Map.of(), there))
                        .pid());
            }
            before = server.commands();
        }
        // The lease may have been renewed in between.
        assertThat(server.commands() - before).isBetween(1, 2);
        assertThat(pids)
                .hasSize(3)
                .noneMatch(pid ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
    }

    @Test
    void installsTheJavaOfAnArchive() throws IOException, InterruptedException {
        Path bin = Files.createDirectories(directory.resolve("jdk-21/bin"));
        Path java = Files.writeString(
                bin.resolve("java"),
                "#!/bin/sh\nexec " + Path.of(System.getProperty("java.home"), "bin", "java") + " \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Path archive = directory.resolve("jdk.tar.gz");
        assertThat(new ProcessBuilder("tar", "-czf", archive.toString(), "-C", directory.toString(), "jdk-21")
                        .start()
                        .waitFor())
                .isZero();
        SshTarget target = server.target(directory.resolve("work"));
        SshTarget without = new SshTarget(
                target.name(),
                target.destination(),
                target.user(),
                target.port(),
                target.keys(),
                Optional.empty(),
                Optional.empty(),
                target.workDirectory(),
                Optional.empty(),
                Optional.of(archive));
        SshSettings settings = settings(server.knownHosts(server.hostKey()));
        try (SshHost host = SshHost.connect(without, settings, "test", notes::add)) {
            host.lock("the test");

            assertThat(host.java()).startsWith(directory.resolve("work/jdk").toString());
            assertThat(host.javaFeatureVersion()).isEqualTo(Runtime.version().feature());
            assertThat(host.run(List.of(host.java(), "-version"), SOON).exitCode())
                    .isZero();
        }
    }

    /** At its end a connection that was cut off may live on, and write what was under way when the other end is done. */
    @Test
    void endsWhatStillWritesAFileThatIsSentAgain() throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("sent"), "what is sent, and no more");
        try (Host host = open()) {
            String sum = FileDigest.sha256(file);
            Path part = Files.writeString(directory.resolve("work/cache/" + sum + ".part"), "what is ");
            ProcessBuilder left =
                    new ProcessBuilder("cat").redirectOutput(ProcessBuilder.Redirect.appendTo(part.toFile()));
            left.environment().put("GATEBENCH_PART", sum);
            Process writer = left.start();
            String there = host.upload(file, host.workDirectory() + "/sent");

            assertThat(writer.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(Path.of(there)).hasContent("what is sent, and no more");
        }
    }

    @Test
    void goesOnWithADownloadThatBrokeOff() throws IOException {
        byte[] content = new byte[3_000_000];
        new java.util.Random(3).nextBytes(content);
        try (Host host = open()) {
            String there = host.workDirectory() + "/logs";
            host.createDirectory(there);
            Files.write(Path.of(there, "big.log"), content);
            Path target = Files.createDirectories(directory.resolve("fetched"));
            Files.write(target.resolve("big.log.part"), java.util.Arrays.copyOf(content, 1_000_000));
            Thread breaker = new Thread(() -> {
                for (int i = 0; i < 3; i++) {
                    try {
                        Thread.sleep(60);
                    } catch (InterruptedException e) {
                        return;
                    }
                    server.breakConnections();
                }
            });
            breaker.start();
            host.download(there, target);

            assertThat(target.resolve("big.log")).hasBinaryContent(content);
            assertThat(target.resolve("big.log.part")).doesNotExist();
        }
    }

    @Test
    void takesALostConnectionNeverForSuccess() throws IOException {
        try (Host host = open()) {
            Thread breaker = new Thread(() -> {
                try {
                    Thread.sleep(500);
                } catch (InterruptedException e) {
                    return;
                }
                server.breakConnections();
            });
            breaker.start();

            assertThatThrownBy(() -> host.run(List.of("sh", "-c", "sleep 5; exit 0"), SOON))
                    .isInstanceOf(HostUnreachableException.class)
                    .hasMessageContaining("embedded");
        }
    }

    @Test
    void refusesAHostThatAnotherRunHolds() throws IOException {
        SshSettings settings = settings(server.knownHosts(server.hostKey()));
        try (SshHost first = connect("first", settings);
                SshHost second = connect("second", settings)) {
            first.lock("ann@desk since 10:00");

            assertThatThrownBy(() -> second.lock("bob"))
                    .isInstanceOf(HostException.class)
                    .hasMessage("embedded is in use: ann@desk since 10:00; wait for its end, or use another work"
                            + " directory");
            assertThatThrownBy(() -> second.clean(false))
                    .hasMessage("embedded is in use: ann@desk since 10:00; it was left as it is");
        }
        try (SshHost second = connect("second", settings)) {
            second.lock("bob");
        }
    }

    @Test
    void stopsItsProcessesWhenTheOrchestratorIsGone() throws IOException, InterruptedException {
        SshSettings shortLease = new SshSettings(
                Optional.empty(),
                server.knownHosts(server.hostKey()),
                false,
                Duration.ofSeconds(5),
                Duration.ofSeconds(2));
        SshHost host = connect("gone", shortLease);
        host.lock("the test");
        String directoryThere = host.workDirectory() + "/role";
        host.createDirectory(directoryThere);
        HostProcess process =
                host.start(new ProcessSpec("role", List.of("sh", "-c", "sleep 300 & wait"), Map.of(), directoryThere));
        // All that an orchestrator does that was killed: nothing any more.
        server.close();
        long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (ProcessHandle.of(process.pid()).filter(ProcessHandle::isAlive).isPresent()
                && System.nanoTime() < deadline) {
            Thread.sleep(100);
        }
        assertThat(ProcessHandle.of(process.pid()).filter(ProcessHandle::isAlive))
                .isEmpty();
        host.close();
        assertThat(notes).anyMatch(note -> note.contains("could not be stopped"));
    }

    @Test
    void stopsWhatACrashedRunLeftBeforeItBegins() throws IOException {
        SshSettings settings = settings(server.knownHosts(server.hostKey()));
        long pid;
        SshHost crashed = connect("crashed", settings);
        crashed.lock("the crashed one");
        String directoryThere = crashed.workDirectory() + "/role";
        crashed.createDirectory(directoryThere);
        pid = crashed.start(new ProcessSpec("role", List.of("sleep", "300"), Map.of(), directoryThere))
                .pid();
        // The host was restarted in the meantime, as far as the lock can tell: nobody renewed it for long.
        Path lease = directory.resolve("work/lock/lease");
        Files.setLastModifiedTime(
                lease,
                java.nio.file.attribute.FileTime.from(java.time.Instant.now().minusSeconds(3600)));
        try (SshHost next = connect("next", settings)) {
            next.lock("the next one");

            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
            assertThat(notes).anyMatch(note -> note.contains("took over from the crashed one"));
        }
        crashed.close();
    }

    @Test
    void takesAHostAgainThatWasAwayForLong() throws IOException, InterruptedException {
        SshSettings shortLease = new SshSettings(
                Optional.empty(),
                server.knownHosts(server.hostKey()),
                false,
                Duration.ofSeconds(5),
                Duration.ofSeconds(2));
        try (SshHost host = connect("away", shortLease)) {
            host.lock("the test");
            // As the guard leaves it when the lease is over.
            Files.delete(directory.resolve("work/lock/run"));
            long deadline = System.nanoTime() + SOON.toNanos();
            while (notes.stream().noneMatch(note -> note.startsWith("the lease of embedded is over"))
                    && System.nanoTime() < deadline) {
                Thread.sleep(50);
            }
            assertThatThrownBy(() -> host.upload(server.target(directory).keys().get(0), host.workDirectory() + "/x"))
                    .hasMessageStartingWith("the lease of embedded is over");

            Path lock = directory.resolve("work/lock");
            Files.deleteIfExists(lock.resolve("lease"));
            for (String file : List.of("owner", "seconds")) {
                Files.delete(lock.resolve(file));
            }
            Files.delete(lock);
            host.recover();

            assertThat(notes).contains("embedded was taken again");
            host.createDirectory(host.workDirectory() + "/again");
            assertThat(Path.of(host.workDirectory(), "again")).isDirectory();
        }
    }

    @Test
    void removesEverythingThatItPutThere() throws IOException {
        SshSettings settings = settings(server.knownHosts(server.hostKey()));
        try (SshHost host = connect("test", settings)) {
            host.lock("the test");
            host.createDirectory(host.workDirectory() + "/x");
            host.clean(true);

            assertThat(directory.resolve("work")).doesNotExist();
            assertThat(host.clean(false)).isEqualTo("nothing there");
        }
        Files.createDirectories(directory.resolve("work"));
        try (SshHost host = connect("test", settings)) {
            assertThatThrownBy(() -> host.clean(true))
                    .isInstanceOf(HostException.class)
                    .hasMessageContaining("has no file .gatebench: it is not ours");
        }
    }

    /**
     * The first answer of a server that is reached at the URL. A far end is told to close its port without a reply, so that it may
     * still take a connection that it then leaves alone: no answer either.
     */
    private static String ask(URI url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(url).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void tunnelsLeadBothWaysAndEndWithTheirClosing() throws Exception {
        HttpServer web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        web.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("ok".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        web.start();
        int port = web.getAddress().getPort();
        try (SshHost host = connect("test", settings(server.knownHosts(server.hostKey())))) {
            for (Tunnel tunnel : List.of(host.tunnelTo(port), host.tunnelFrom(port))) {
                URI near = URI.create("http://127.0.0.1:" + tunnel.port() + "/");
                assertThat(tunnel.port()).isNotEqualTo(port);
                assertThat(ask(near)).isEqualTo("ok");
                tunnel.close();
                tunnel.close();
                assertThatThrownBy(() -> ask(near)).isInstanceOf(IOException.class);
            }
            List<Tunnel> left = List.of(host.tunnelTo(port), host.tunnelFrom(port));
            server.breakConnections();
            left.forEach(Tunnel::close);
            assertThat(left)
                    .allSatisfy(tunnel -> assertThatThrownBy(
                                    () -> ask(URI.create("http://127.0.0.1:" + tunnel.port() + "/")))
                            .isInstanceOf(IOException.class));
        } finally {
            web.stop(0);
        }
    }

    @Test
    void leadsThroughItsConnectionWhereRolesHaveAnAddressOfTheirOwn() throws Exception {
        HttpServer web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        web.createContext("/", exchange -> {
            byte[] path = exchange.getRequestURI().toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, path.length);
            exchange.getResponseBody().write(path);
            exchange.close();
        });
        web.start();
        URI there = URI.create("http://127.0.0.1:" + web.getAddress().getPort() + "/a?b=c");
        SshTarget target = server.target(directory.resolve("work"));
        SshTarget apart = new SshTarget(
                target.name(),
                target.destination(),
                target.user(),
                target.port(),
                target.keys(),
                target.jump(),
                Optional.of("127.0.0.1"),
                target.workDirectory(),
                target.java(),
                target.installJava());
        SshSettings settings = settings(server.knownHosts(server.hostKey()));
        try (SshHost host = SshHost.connect(apart, settings, "test", notes::add)) {
            URI here = host.reach(there);
            assertThat(here.getPort()).isNotEqualTo(there.getPort());
            assertThat(here).hasHost("localhost").hasPath("/a").hasQuery("b=c");
            assertThat(ask(here)).isEqualTo("/a?b=c");
            assertThat(host.reach(there)).isEqualTo(here);
            assertThat(host.accepts(there)).isTrue();

            server.breakConnections();
            assertThat(ask(host.reach(there))).isEqualTo("/a?b=c");

            web.stop(0);
            assertThat(host.accepts(there)).isFalse();
        }
        try (SshHost host = connect("test", settings)) {
            assertThat(host.reach(there)).isEqualTo(there);
        }
    }

    @Test
    void measuresTheClockOfAHost() throws IOException {
        try (SshHost host = connect("test", settings(server.knownHosts(server.hostKey())))) {
            ClockOffset offset = host.clockOffset();

            assertThat(offset.uncertainty()).isPositive();
            assertThat(offset.offset().abs()).isLessThanOrEqualTo(offset.uncertainty());
        }
    }

    @Test
    void saysThatNobodyAnswers() throws IOException {
        SshSettings settings = settings(server.knownHosts(server.hostKey()));
        SshTarget target = server.target(directory.resolve("work"));
        server.close();

        assertThatThrownBy(() -> SshHost.connect(
                        new SshTarget(
                                "product",
                                target.destination(),
                                target.user(),
                                OptionalInt.of(target.port().getAsInt()),
                                target.keys(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()),
                        settings,
                        "test",
                        notes::add))
                .isInstanceOf(HostUnreachableException.class)
                .hasMessageStartingWith("product (tester@127.0.0.1:")
                .hasMessageContaining("cannot be reached: Connection refused");
    }
}
