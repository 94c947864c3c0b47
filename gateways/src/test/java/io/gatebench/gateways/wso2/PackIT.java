/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.hosts.LocalHost;
import io.gatebench.model.DataSize;
import io.gatebench.spi.role.RoleProcess;
import io.gatebench.spi.role.RoleStartException;

class PackIT {

    private static final List<String> SCRIPTS = List.of("bin/api-manager.sh", "bin/wso2server.sh");
    private static final Duration TIME = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private LocalHost host;

    @BeforeEach
    void open() {
        host = new LocalHost(directory.resolve("work"));
    }

    @AfterEach
    void close() {
        host.close();
    }

    @Test
    void installsAZipWithItsScriptsExecutable() throws IOException {
        Path zip = zip(Map.of(
                "wso2am-9/bin/api-manager.sh", "#!/bin/sh\nexit 0\n",
                "wso2am-9/lib/jre/bin/java", "",
                "wso2am-9/bin/version.txt", "\nWSO2 X v9\n"));

        Pack pack = Pack.open(zip, "X", SCRIPTS);
        String home = pack.install(host, directory.resolve("work/product").toString());

        assertThat(home).endsWith("/product/wso2am-9");
        assertThat(Path.of(home, "bin/api-manager.sh")).isExecutable();
        assertThat(Path.of(home, "lib/jre/bin/java")).isExecutable();
        assertThat(pack.version()).contains("WSO2 X v9");
        assertThat(pack.read("bin/version.txt")).isPresent();
        assertThat(pack.read("nothing")).isEmpty();
    }

    @Test
    void installsACopyOfADirectory() throws IOException {
        Path pack = Files.createDirectories(directory.resolve("am/bin"));
        Files.writeString(pack.resolve("wso2server.sh"), "#!/bin/sh\nexit 0\n");

        String home = Pack.open(directory.resolve("am"), "X", SCRIPTS)
                .install(host, directory.resolve("work/product").toString());
        Files.writeString(Path.of(home, "bin/wso2server.sh"), "changed");

        assertThat(pack.resolve("wso2server.sh")).content().contains("exit 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "am/../../evil", "/etc/evil", "am\\..\\evil", "C:/evil", "am/bin/\u0001evil"})
    void refusesAPackWhoseEntriesLeadOutOfItsDirectory(String name) throws IOException {
        Path zip = zip(Map.of("am/bin/api-manager.sh", "", name, "evil"));

        assertThatThrownBy(() -> Pack.open(zip, "X", SCRIPTS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is refused: its entry '" + name + "'");
        assertThat(directory.resolve("evil")).doesNotExist();
    }

    @Test
    void refusesASymbolicLink() throws IOException {
        Path zip = zip(Map.of("wso2am-9/bin/api-manager.sh", "", "wso2am-9/repository", "/etc"));
        byte[] bytes = Files.readAllBytes(zip);
        // What makes an entry a link is the mode in its line of the directory at the end of the file.
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int line = text.lastIndexOf("wso2am-9/repository") - 46;
        bytes[line + 5] = 3;
        bytes[line + 40] = (byte) 0xff;
        bytes[line + 41] = (byte) 0xa1;
        Files.write(zip, bytes);
        Pack pack = Pack.open(zip, "X", SCRIPTS);

        assertThatThrownBy(() ->
                        pack.install(host, directory.resolve("work/product").toString()))
                .isInstanceOf(RoleStartException.class)
                .hasMessageContaining("work/product/wso2am-9/repository is a symbolic link");
    }

    @Test
    void saysWhatIsNoPackOfTheProduct() throws IOException {
        Path zip = zip(Map.of("mi/bin/micro-integrator.sh", ""));
        Path text = Files.writeString(directory.resolve("text.zip"), "no zip");

        assertThatThrownBy(() -> Pack.open(zip, "WSO2 API Manager", SCRIPTS))
                .hasMessageContaining("is no pack of WSO2 API Manager: it holds no bin/api-manager.sh and no"
                        + " bin/wso2server.sh in its top directory");
        assertThatThrownBy(() -> Pack.open(text, "X", SCRIPTS)).hasMessageContaining("neither a directory nor a zip");
        assertThatThrownBy(() -> Pack.open(directory.resolve("none"), "X", SCRIPTS))
                .hasMessageContaining("none does not exist");
    }

    @Test
    void refusesADirectoryThatTheScriptsOfTheProductsWouldNotBear() throws IOException {
        Pack pack = Pack.open(zip(Map.of("am/bin/api-manager.sh", "")), "X", SCRIPTS);

        assertThatThrownBy(() -> pack.install(host, directory + "/my results/product"))
                .isInstanceOf(RoleStartException.class)
                .hasMessageContaining("do not bear blanks in the path");
    }

    @Test
    void givesHeapAndGcLogInTheEnvironmentAndStopsTheJvmOfThePidFile() throws Exception {
        String home = sleeper("echo $! >\"$home/wso2carbon.pid\"");
        PackServer server = new PackServer(host, home, "bin/api-manager.sh", "wso2carbon.pid", Optional.empty());

        String cell = directory.resolve("work/cell").toString();
        PackProcess process = start(server, cell, Optional.empty());
        awaitFile(Path.of(home, "wso2carbon.pid"));
        awaitFile(Path.of(home, "started"));
        RoleProcess role = server.role("X", process, DataSize.ofMebibytes(64), cell);

        long jvm =
                Long.parseLong(Files.readString(Path.of(home, "wso2carbon.pid")).strip());
        assertThat(process.pid()).isEqualTo(jvm);
        assertThat(role.notJvm()).isEmpty();
        assertThat(Files.readString(Path.of("/proc/" + jvm + "/cmdline")).split("\0"))
                .contains("-Xms64M", "-Xmx64M", "marker")
                .anyMatch(word -> word.startsWith("-Xlog:gc*") && word.contains(cell + "/gc.log"));
        assertThat(Files.readString(Path.of("/proc/" + jvm + "/environ")).split("\0"))
                .contains("CARBON_HOME=" + home, "JAVACMD=" + host.java());

        role.stop();

        assertThat(ProcessHandle.of(jvm)).isEmpty();
        assertThat(process.isAlive()).isFalse();
        assertThat(Path.of(cell, "gc.log")).exists();
        assertThat(Path.of(home, "stopped-by-itself")).exists();
    }

    @Test
    void doesNotBelieveAPidFileThatNamesAnothersProcess() throws Exception {
        // The pid of this very test must survive.
        String home = sleeper("echo " + ProcessHandle.current().pid() + " >\"$home/wso2carbon.pid\"");
        PackServer server = new PackServer(host, home, "bin/api-manager.sh", "wso2carbon.pid", Optional.empty());
        PackProcess process = start(server, directory.resolve("work/cell").toString(), Optional.empty());
        awaitFile(Path.of(home, "wso2carbon.pid"));
        awaitFile(Path.of(home, "started"));

        assertThat(process.findJvm()).isTrue();
        assertThat(process.pid()).isNotEqualTo(ProcessHandle.current().pid());
        process.stop(TIME);

        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void limitsTheProcessorsOfTheJvm() throws Exception {
        assumeThat(Files.isWritable(Path.of("/sys/fs/cgroup/cpu"))
                        || Files.isWritable(Path.of("/sys/fs/cgroup/cgroup.procs"))
                        || Files.isDirectory(Path.of("/run/systemd/system")))
                .as("a control group can be made")
                .isTrue();
        String home = sleeper("echo $! >\"$home/wso2carbon.pid\"");
        PackServer server = new PackServer(host, home, "bin/api-manager.sh", "wso2carbon.pid", Optional.empty());
        PackProcess process = start(server, directory.resolve("work/cell").toString(), Optional.of(new CpuLimit(0.5)));
        awaitFile(Path.of(home, "wso2carbon.pid"));
        assertThat(process.findJvm()).isTrue();

        String group = Files.readString(Path.of("/proc/" + process.pid() + "/cgroup"))
                .lines()
                .filter(line -> line.contains("gatebench-") || line.contains("run-"))
                .findFirst()
                .orElseThrow();
        process.stop(TIME);

        assertThat(group).isNotEmpty();
        Path made = Path.of("/sys/fs/cgroup/cpu" + group.substring(group.lastIndexOf(':') + 1));
        assertThat(made).doesNotExist();
    }

    @Test
    void refusesToStartWithoutTheLimitWhereThereIsNone() {
        CpuLimit limit = new CpuLimit(1.5);

        List<String> command = limit.limited(List.of("echo", "started"));

        // Half a processor more than one is 150 ms of each 100 ms; the group's name is the run's own.
        assertThat(command).contains("150000").endsWith("echo", "started");
        assertThat(command.get(2)).contains("exit 125");
    }

    @Test
    void findsTheVersionOfAnotherJdk() {
        PackServer server = new PackServer(
                host,
                directory.toString(),
                "x",
                "y",
                Optional.of(directory.resolve("nojdk").toString()));

        assertThatThrownBy(() -> start(server, directory.resolve("work/c").toString(), Optional.empty()))
                .hasMessageContaining("nojdk");
    }

    /** A pack whose script starts a small JVM as the products' scripts do: as a child, with their variables. */
    private String sleeper(String afterStart) throws IOException {
        String script = """
                #!/bin/sh
                home=$(cd "$(dirname "$0")/.." && pwd)
                "$JAVA_HOME/bin/java" $JVM_MEM_OPTS $JAVA_OPTS -cp "$home/lib" "$home/lib/Sleeper.java" marker "$home" &
                %s
                wait $!
                """.formatted(afterStart);
        String java = """
                import java.nio.file.*;
                class Sleeper {
                    public static void main(String[] args) throws Exception {
                        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                            try {
                                Files.createFile(Path.of(args[1], "stopped-by-itself"));
                            } catch (java.io.IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        }));
                        Files.createFile(Path.of(args[1], "started"));
                        Thread.sleep(120_000);
                    }
                }
                """;
        Path zip = zip(Map.of("am/bin/api-manager.sh", script, "am/lib/Sleeper.java", java));
        return Pack.open(zip, "X", SCRIPTS)
                .install(host, directory.resolve("work/product").toString());
    }

    private PackProcess start(PackServer server, String cell, Optional<CpuLimit> limit) {
        return server.start(
                "X",
                cell,
                DataSize.ofMebibytes(64),
                PackServer.HeapVariable.JVM_MEM_OPTS,
                List.of(),
                Map.of(),
                limit,
                List.of(),
                Optional.empty());
    }

    private static void awaitFile(Path file) throws InterruptedException {
        long deadline = System.nanoTime() + TIME.toNanos();
        while (!Files.exists(file) || isEmpty(file)) {
            assertThat(System.nanoTime()).as("time for " + file).isLessThan(deadline);
            Thread.sleep(50);
        }
    }

    private static boolean isEmpty(Path file) {
        try {
            return file.toString().endsWith(".pid") && Files.size(file) == 0;
        } catch (IOException e) {
            return true;
        }
    }

    private Path zip(Map<String, String> entries) throws IOException {
        Path zip = Files.createTempFile(directory, "pack", ".zip");
        try (OutputStream file = Files.newOutputStream(zip);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue().getBytes(java.nio.charset.StandardCharsets.UTF_8));
                out.closeEntry();
            }
        }
        return zip;
    }

    @Test
    void commandsOfAHostThatFailAreNamed() {
        assertThatThrownBy(() -> HostFiles.run(host, "do it", List.of("/bin/sh", "-c", "echo why >&2; exit 3")))
                .isInstanceOf(RoleStartException.class)
                .hasMessage("cannot do it on localhost (exit code 3): why");
    }
}
