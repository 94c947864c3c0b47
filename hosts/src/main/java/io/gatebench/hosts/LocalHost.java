/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.gatebench.model.SystemInformation;
import io.gatebench.spi.host.BundledText;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;

/**
 * The machine that the orchestrator runs on; roles listen on the loopback address only.
 *
 * <p>On Linux a guard beside the orchestrator ends what it started when the orchestrator is gone, even if that was
 * killed by force. It is started with the first process and ends when this host is closed.
 */
public final class LocalHost implements Host {

    private static final Logger LOG = LoggerFactory.getLogger(LocalHost.class);
    private static final Duration CLOSE_GRACE = Duration.ofSeconds(10);
    private static final Duration GUARD_GRACE = Duration.ofSeconds(15);
    private static final String RUN = "GATEBENCH_RUN";

    private final Path workDirectory;

    private final Queue<LocalProcess> started = new ConcurrentLinkedQueue<>();
    private final String run = UUID.randomUUID().toString();
    private @Nullable Process guard;

    /**
     * Creates the host.
     *
     * @param workDirectory where roles run; it is created when needed
     */
    public LocalHost(Path workDirectory) {
        this.workDirectory = workDirectory.toAbsolutePath().normalize();
    }

    @Override
    public String name() {
        return "localhost";
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public String address() {
        return "127.0.0.1";
    }

    @Override
    public String workDirectory() {
        return workDirectory.toString();
    }

    @Override
    public String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    @Override
    public int javaFeatureVersion() {
        return Runtime.version().feature();
    }

    @Override
    public void createDirectory(String directory) {
        try {
            Files.createDirectories(Path.of(directory));
        } catch (IOException e) {
            throw new HostException("cannot create the directory " + directory + ": " + reason(e), e);
        }
    }

    @Override
    public String upload(Path file, String path) {
        return file.toAbsolutePath().toString();
    }

    @Override
    public void download(String directory, Path target) {
        Path source = Path.of(directory);
        if (!Files.isDirectory(source)) {
            return;
        }
        try {
            Files.walkFileTree(source, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) throws IOException {
                    Files.createDirectories(target.resolve(source.relativize(dir)));
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.copy(file, target.resolve(source.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new HostException("cannot copy " + directory + " to " + target + ": " + reason(e), e);
        }
    }

    @Override
    public CommandResult run(List<String> command, Duration timeout) {
        LocalSystem.require(command.get(0));
        try {
            // There they are removed with everything else, also if this program is killed; but a look at whether a run
            // can begin must not make its results directory.
            Path place =
                    Files.isDirectory(workDirectory) ? workDirectory : Path.of(System.getProperty("java.io.tmpdir"));
            Path out = Files.createTempFile(place, "gatebench-", ".out");
            Path err = Files.createTempFile(place, "gatebench-", ".err");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectInput(ProcessBuilder.Redirect.from(nullDevice()))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
                if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly();
                    throw new HostException(
                            command.get(0) + " did not end within " + timeout.toSeconds() + " s and was stopped");
                }
                return new CommandResult(process.exitValue(), Files.readString(out), Files.readString(err));
            } finally {
                Files.deleteIfExists(out);
                Files.deleteIfExists(err);
            }
        } catch (IOException e) {
            throw new HostException("cannot run " + command.get(0) + ": " + reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HostException("interrupted while " + command.get(0) + " ran", e);
        }
    }

    @Override
    public HostProcess start(ProcessSpec spec) {
        if (spec.memory().isPresent()) {
            return MemoryGroup.start(this, spec);
        }
        LocalSystem.require(spec.command().get(0));
        Path log = Path.of(spec.directory(), ProcessSpec.LOG);
        ProcessBuilder builder = new ProcessBuilder(spec.executed())
                .directory(Path.of(spec.directory()).toFile())
                .redirectInput(ProcessBuilder.Redirect.from(nullDevice()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(spec.environment());
        builder.environment().put(RUN, run);
        try {
            startGuard();
            LocalProcess process = new LocalProcess(spec.name(), builder.start(), log);
            started.add(process);
            tellGuard(process.pid());
            return process;
        } catch (IOException e) {
            throw new HostException("cannot start " + spec.name() + ": " + reason(e), e);
        }
    }

    /** Without {@code /proc} nothing can find the processes again; there the orchestrator must end them itself. */
    private synchronized void startGuard() {
        if (guard != null || !LocalSystem.hasProc()) {
            return;
        }
        try {
            // In a session of its own, so that what ends the orchestrator's whole group leaves it alone.
            guard = new ProcessBuilder(
                            "setsid", "sh", "-c", BundledText.of(LocalHost.class, "host.sh"), "gatebench", "watch", run)
                    .redirectOutput(nullDevice())
                    .redirectError(nullDevice())
                    .start();
        } catch (IOException e) {
            LOG.warn("roles will outlive this program if it is killed: the guard cannot be started: {}", reason(e));
        }
    }

    private synchronized void tellGuard(long pid) {
        if (guard == null) {
            return;
        }
        try {
            OutputStream out = guard.getOutputStream();
            out.write((pid + "\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException e) {
            LOG.warn("process {} will outlive this program if it is killed: its guard is gone", pid);
        }
    }

    @Override
    public boolean isPortFree(int port) {
        try {
            bound(port);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public int freePort() {
        try {
            return bound(0);
        } catch (IOException e) {
            throw new HostException("no free port on " + name() + ": " + reason(e), e);
        }
    }

    /** Binds a port, any free one for 0, and does not listen: a process that is started meanwhile inherits the socket for a moment. */
    private int bound(int port) throws IOException {
        try (Socket socket = new Socket()) {
            // Without SO_REUSEADDR a port that a previous test case has just left would count as taken.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(address()), port));
            return socket.getLocalPort();
        }
    }

    @Override
    public SystemInformation systemInformation() {
        return LinuxSystemInformation.read(name());
    }

    @Override
    public void close() {
        started.forEach(process -> process.stop(CLOSE_GRACE));
        endGuard();
    }

    /** The guard ends what the processes have left behind, and itself. */
    private synchronized void endGuard() {
        Process ending = guard;
        guard = null;
        if (ending == null) {
            return;
        }
        try {
            ending.getOutputStream().close();
            if (!ending.waitFor(GUARD_GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                ending.destroyForcibly();
            }
        } catch (IOException e) {
            ending.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static java.io.File nullDevice() {
        return new java.io.File(System.getProperty("os.name").startsWith("Windows") ? "NUL" : "/dev/null");
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** Reads complete lines of a growing file. */
    static HostProcess.Output readLines(Path log, long offset) {
        try (java.nio.channels.FileChannel channel = java.nio.channels.FileChannel.open(log)) {
            long size = channel.size();
            if (size <= offset) {
                return new HostProcess.Output("", offset);
            }
            int length = (int) Math.min(size - offset, 1 << 20);
            java.nio.ByteBuffer buffer = java.nio.ByteBuffer.allocate(length);
            while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) >= 0) {
                continue;
            }
            byte[] bytes = buffer.array();
            int end = buffer.position();
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;
            }
            // A line longer than the buffer would otherwise never be passed.
            int taken = end == 0 && length == 1 << 20 ? length : end;
            return new HostProcess.Output(new String(bytes, 0, taken, StandardCharsets.UTF_8), offset + taken);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
