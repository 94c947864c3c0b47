/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.LoadWindowsMain;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.model.LoadResult;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.FileTrees;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.Pause;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleProcess;

/** One load generator that sends one load after the other, and so is warm after the first ones. */
final class WindowLoads implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(20);
    /** Each look at another host starts a command there. */
    private static final Duration POLL_OF_HOSTS = Duration.ofMillis(250);

    private static final Duration REMOVAL = Duration.ofSeconds(30);
    /** The start of the JVM and the end of the last requests. */
    private static final Duration BESIDE_THE_LOAD = Duration.ofSeconds(60);

    private final RunContext run;
    private final Interruption interruption;
    private final Path directory;
    private final Host host;
    private final String place;
    private final RoleProcess process;
    private long offset;
    private int number;

    /**
     * Starts it.
     *
     * @param program the options of its JVM up to the class path
     * @param directory where requests, which may hold secrets, and results lie on this machine
     */
    WindowLoads(
            RunContext run,
            List<String> program,
            JvmRole starter,
            Interruption interruption,
            Path directory,
            List<Integer> processors) {
        this.run = run;
        this.interruption = interruption;
        this.directory = directory;
        this.host = run.environment().host(NodeRole.LOAD_GENERATOR);
        this.place = host.isLocal() ? directory.toString() : host.workDirectory() + "/secrets/loads";
        this.process = starter.start(
                NodeRole.LOAD_GENERATOR,
                "JMeter Client",
                host,
                place,
                run.plan().loadGeneratorHeap(),
                Stream.concat(program.stream(), Stream.of(LoadWindowsMain.class.getName(), place))
                        .toList(),
                processors);
    }

    /**
     * Sends a load and returns what came of it; empty if the user ended the run meanwhile.
     *
     * @throws LoadException if it could not be sent
     * @throws HostException if the load generator has died
     */
    Optional<LoadResult> send(LoadRequest request) {
        number++;
        Path own = directory.resolve(String.valueOf(number));
        try {
            Files.createDirectories(own);
            Path part = own.resolve("request.part");
            if (host.isLocal()) {
                request.write(part);
                Files.move(part, own.resolve(LoadWindowsMain.REQUEST_FILE), StandardCopyOption.ATOMIC_MOVE);
            } else {
                LoadFiles.onHost(request, request.tokenFile(), host).write(part);
                host.upload(part, place + "/" + number + "/" + LoadWindowsMain.REQUEST_FILE);
            }
            if (!await(request)) {
                return Optional.empty();
            }
            if (!host.isLocal()) {
                host.download(place + "/" + number, own);
                host.run(List.of("rm", "-rf", place + "/" + number), REMOVAL);
            }
            LoadResult result = LoadRunFile.read(own.resolve(JMeterLoadDriver.LOAD_FILE));
            FileTrees.delete(own);
            return Optional.of(result);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot give the load generator its request in " + own, e);
        }
    }

    private boolean await(LoadRequest request) {
        Instant deadline = run.clock()
                .instant()
                .plus(request.timing().duration())
                .plus(request.responseTimeout())
                .plus(BESIDE_THE_LOAD);
        while (!interruption.isRequested()) {
            boolean alive = process.process().isAlive();
            HostProcess.Output output = process.process().outputFrom(offset);
            offset = output.nextOffset();
            for (String line : output.text().lines().toList()) {
                if (line.equals(LoadWindowsMain.DONE + number)) {
                    return true;
                }
                if (line.startsWith(LoadWindowsMain.FAILED + number + " ")) {
                    throw new LoadException(line.substring((LoadWindowsMain.FAILED + number + " ").length()));
                }
            }
            if (!alive) {
                throw new HostException("the load generator ended; its last lines:\n"
                        + process.process().lastLines(15));
            }
            if (run.clock().instant().isAfter(deadline)) {
                throw new HostException("the load generator did not end its load in time; its last lines:\n"
                        + process.process().lastLines(15));
            }
            Pause.of(host.isLocal() ? POLL : POLL_OF_HOSTS, run.clock(), "while the load ran");
        }
        return false;
    }

    /** Returns the process of the load generator. */
    RoleProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.stop();
    }
}
