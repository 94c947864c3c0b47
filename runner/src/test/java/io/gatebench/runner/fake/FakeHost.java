/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.fake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

import io.gatebench.model.SystemInformation;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;

/** A host with real files, on which nothing runs: a test says what each process does. */
public final class FakeHost implements Host {

    private final String name;
    private final Path directory;
    private final Map<String, Function<ProcessSpec, FakeProcess>> programs = new LinkedHashMap<>();
    private final List<FakeProcess> started = new CopyOnWriteArrayList<>();
    private Function<List<String>, CommandResult> commands =
            command -> new CommandResult(1, "", "nothing can be run here");

    /** Creates a host with its files in a directory. */
    public FakeHost(Path directory) {
        this("fake", directory);
    }

    /** Creates one of several hosts. */
    public FakeHost(String name, Path directory) {
        this.name = name;
        this.directory = directory;
    }

    /** Says what processes of a name do from now on. */
    public void program(String name, Function<ProcessSpec, FakeProcess> program) {
        programs.put(name, program);
    }

    /** Says what comes of commands from now on; until then each of them fails. */
    public void commands(Function<List<String>, CommandResult> answer) {
        commands = answer;
    }

    /** Returns all processes that were started, in their order. */
    public List<FakeProcess> started() {
        return List.copyOf(started);
    }

    /** Returns the last process of a name. */
    public FakeProcess last(String name) {
        return started.stream()
                .filter(process -> process.name().equals(name))
                .reduce((a, b) -> b)
                .orElseThrow();
    }

    @Override
    public String name() {
        return name;
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
        return directory.toString();
    }

    @Override
    public String java() {
        return "/fake/bin/java";
    }

    @Override
    public int javaFeatureVersion() {
        return 17;
    }

    @Override
    public void createDirectory(String path) {
        files(() -> Files.createDirectories(directory.resolve(path)));
    }

    @Override
    public String upload(Path file, String path) {
        files(() -> {
            Path target = Path.of(path);
            Files.createDirectories(target.getParent());
            return Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
        });
        return path;
    }

    @Override
    public void download(String from, Path target) {
        files(() -> {
            Path source = directory.resolve(from);
            if (!Files.isDirectory(source)) {
                return Files.createDirectories(target);
            }
            try (Stream<Path> all = Files.walk(source)) {
                for (Path file : all.toList()) {
                    Path copy = target.resolve(source.relativize(file).toString());
                    if (Files.isDirectory(file)) {
                        Files.createDirectories(copy);
                    } else {
                        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
            return target;
        });
    }

    @Override
    public CommandResult run(List<String> command, Duration timeout) {
        return commands.apply(command);
    }

    @Override
    public HostProcess start(ProcessSpec spec) {
        FakeProcess process = programs.getOrDefault(spec.name(), other -> new FakeProcess(other.name(), ""))
                .apply(spec);
        started.add(process);
        return process;
    }

    @Override
    public boolean isPortFree(int port) {
        return true;
    }

    @Override
    public int freePort() {
        return 1;
    }

    @Override
    public SystemInformation systemInformation() {
        return new SystemInformation(name(), List.of());
    }

    @Override
    public void close() {
        started.forEach(process -> process.stop(Duration.ZERO));
    }

    /** Something with files. */
    private interface Work {
        Path done() throws IOException;
    }

    private static void files(Work work) {
        try {
            work.done();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
