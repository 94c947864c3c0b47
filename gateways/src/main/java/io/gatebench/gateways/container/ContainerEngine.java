/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.container;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatebench.model.DataSize;
import io.gatebench.model.FileDigest;
import io.gatebench.model.ShellWord;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.host.BundledText;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;
import io.gatebench.spi.role.RoleStartException;

/**
 * A container engine of a host, with the image of one gateway.
 *
 * <p>A container runs in the foreground of a shell, its keeper, which is a process of the host like any other: whatever
 * ends that one, {@link Host#close}, the guard of a killed program or {@code hosts clean}, ends and removes the container.
 * A container whose keeper is gone is removed by the next run that uses the engine.
 */
public final class ContainerEngine {

    /** The label of every container of a run; its value is the keeper. */
    static final String LABEL = "io.gatebench.keeper";

    /** The label with the identifier of the image, which tells two of one name apart. */
    private static final String IMAGE_LABEL = "io.gatebench.image";

    private static final List<String> KNOWN = List.of("docker", "podman", "nerdctl");
    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final Duration IMAGE = Duration.ofMinutes(10);
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(100);

    private static final String SWEEP = """
            for id in $(control ps -aq --filter label=$1); do
              keeper=$(control inspect --type container --format "{{index .Config.Labels \\"$1\\"}}" "$id") || continue
              now=$(sed -n 's/.*) //p' "/proc/${keeper%%:*}/stat" 2>/dev/null | cut -d ' ' -f 20)
              [ -z "$now" ] || [ "$now" != "${keeper#*:}" ] || continue
              kill -0 "${keeper%%:*}" 2>/dev/null && [ -z "${keeper#*:}" ] && continue
              control kill -s KILL "$id" >/dev/null 2>&1
              control rm -f "$id" >/dev/null && echo "$id"
            done
            """;

    private static final String IS_IMAGE = "tar -tf \"$0\" 2>&1 | grep -qE '^(\\./)?(manifest\\.json|oci-layout)$'";

    private static final Pattern OF_ENGINE =
            Pattern.compile("PATH|HOME|TMPDIR|LD_.*|XDG_.*|(DOCKER|CONTAINER|BUILDAH|CONTAINERD)S?_.*");

    private final Host host;
    private final List<String> words;
    private final ContainerSpec spec;
    private final String image;
    private final Optional<String> id;
    private final boolean made;

    private ContainerEngine(Host host, List<String> words, ContainerSpec spec, String image, boolean made) {
        this.host = host;
        this.words = List.copyOf(words);
        this.spec = spec;
        this.image = image;
        this.id = id(host, words, image);
        this.made = made;
    }

    /**
     * Finds the engine, removes what ended programs have left in it, and makes or finds the image.
     *
     * @param directory a directory on the host for the archive
     * @param note takes what a user must know
     * @throws EnvironmentException with one line if there is no engine that works, or no image
     */
    public static ContainerEngine open(Host host, ContainerSpec spec, String directory, Consumer<String> note) {
        try {
            List<String> words = find(host, spec);
            List<String> swept =
                    shell(host, words, SWEEP, List.of(LABEL)).output().lines().toList();
            if (!swept.isEmpty()) {
                note.accept("removed " + swept.size() + (swept.size() == 1 ? " container" : " containers")
                        + " that an earlier run had left: " + String.join(", ", swept));
            }
            if (spec.archive().isPresent()) {
                return ofArchive(host, words, spec, directory);
            }
            String image = spec.image().orElseThrow();
            if (id(host, words, image).isEmpty()) {
                CommandResult pulled = host.run(concat(words, List.of("pull", image)), IMAGE);
                if (pulled.exitCode() != 0) {
                    throw problem(words.get(0) + " on " + host.name() + " has no image '" + image
                            + "' and cannot get it: " + reason(pulled) + "; load it before, or name an archive");
                }
            }
            return new ContainerEngine(host, words, spec, image, false);
        } catch (HostException e) {
            throw problem("the container engine on " + host.name() + " does not answer: " + e.getMessage());
        }
    }

    private static List<String> find(Host host, ContainerSpec spec) {
        List<String> hindrances = new ArrayList<>();
        for (String name : spec.engine().map(List::of).orElse(KNOWN)) {
            CommandResult there = host.run(List.of("/bin/sh", "-c", "command -v \"$0\"", name), QUICK);
            if (there.exitCode() != 0) {
                hindrances.add(name + " is not there");
                continue;
            }
            List<String> words = concat(List.of(there.output().strip()), spec.engineArguments());
            CommandResult answer;
            try {
                answer = host.run(concat(words, List.of("ps", "-q")), QUICK);
            } catch (HostException e) {
                hindrances.add(name + " does not answer: " + e.getMessage());
                continue;
            }
            if (answer.exitCode() == 0) {
                return words;
            }
            hindrances.add(name + " cannot be used: " + reason(answer));
        }
        throw problem("no container engine works on " + host.name() + ": " + String.join("; ", hindrances)
                + "; install one, or name it with container: engine");
    }

    private static ContainerEngine ofArchive(Host host, List<String> words, ContainerSpec spec, String directory) {
        Path archive = spec.archive().orElseThrow();
        String sum = sum(archive);
        String there = host.upload(archive, directory + "/" + archive.getFileName());
        String image = "localhost/gatebench:" + sum.substring(0, 12);
        if (id(host, words, image).isPresent()) {
            return new ContainerEngine(host, words, spec, image, true);
        }
        boolean saved =
                host.run(List.of("/bin/sh", "-c", IS_IMAGE, there), IMAGE).exitCode() == 0;
        CommandResult result =
                host.run(concat(words, saved ? List.of("load", "-i", there) : List.of("import", there, image)), IMAGE);
        if (result.exitCode() != 0) {
            throw problem(words.get(0) + " on " + host.name() + " cannot make an image of the archive " + archive + ": "
                    + reason(result) + "; it must be what `save` writes, or a tar file of a root file system");
        }
        if (!saved) {
            return new ContainerEngine(host, words, spec, image, true);
        }
        String name = result.output()
                .lines()
                .filter(line -> line.startsWith("Loaded image"))
                .map(line -> line.substring(line.indexOf(": ") + 2).strip())
                .reduce((first, second) -> second)
                .orElseThrow(() -> problem("the archive " + archive + " has no image with a name"));
        // The next archive may hold another image of that name.
        return new ContainerEngine(host, words, spec, id(host, words, name).orElse(name), false);
    }

    private static String sum(Path file) {
        try {
            return FileDigest.sha256(file);
        } catch (IOException e) {
            throw problem("the archive " + file + " cannot be read: " + e.getMessage());
        }
    }

    /** Returns the identifier of an image, if the engine has it. */
    private static Optional<String> id(Host host, List<String> words, String image) {
        CommandResult known = host.run(concat(words, List.of("image", "inspect", "--format", "{{.Id}}", image)), QUICK);
        return known.exitCode() == 0 ? Optional.of(known.output().strip()) : Optional.empty();
    }

    /**
     * Starts a container and returns when it runs, or has ended.
     *
     * @param name what messages call it
     * @param command the command in it; empty for that of the image
     * @param environment its variables; their values are on no command line
     * @param directory a directory on the host, which the container sees at the same place
     * @param processors the numbers of the processors that it may use; empty for all
     * @param limits the container, whose arguments and mounts hold no placeholders any more
     * @param port the port of the host at which a published port is reached
     * @param labels further labels
     * @throws RoleStartException if the engine does not get it to run
     */
    public ContainerProcess start(
            String name,
            List<String> command,
            Map<String, String> environment,
            String directory,
            List<Integer> processors,
            ContainerSpec limits,
            String port,
            Map<String, String> labels) {
        String container = "gatebench-" + UUID.randomUUID().toString().substring(0, 12);
        List<String> run = new ArrayList<>();
        labels.forEach((label, value) -> run.addAll(List.of("--label", label + "=" + value)));
        id.ifPresent(known -> run.addAll(List.of("--label", IMAGE_LABEL + "=" + known)));
        if (limits.publish().isPresent()) {
            run.addAll(List.of("--publish", port + ":" + limits.publish().getAsInt()));
        } else {
            run.addAll(List.of("--network", "host"));
        }
        run.addAll(List.of("--volume", directory + ":" + directory));
        limits.mounts().forEach(mount -> run.addAll(List.of("--volume", mount)));
        // The engine takes the values from its own environment, where nobody else can read them; but it must not be led
        // astray by what is meant for the container.
        Map<String, String> passed = new TreeMap<>(environment);
        passed.keySet().removeIf(variable -> OF_ENGINE.matcher(variable).matches());
        new TreeMap<>(environment)
                .forEach((variable, value) ->
                        run.addAll(List.of("--env", passed.containsKey(variable) ? variable : variable + "=" + value)));
        limits.cpus().ifPresent(cpus -> run.addAll(List.of("--cpus", cpus(cpus))));
        limits.memory().ifPresent(memory -> run.addAll(List.of("--memory", bytes(memory))));
        if (!processors.isEmpty()) {
            run.addAll(List.of(
                    "--cpuset-cpus", processors.stream().map(String::valueOf).collect(Collectors.joining(","))));
        }
        run.addAll(limits.runArguments());
        run.add(image);
        run.addAll(command);
        List<String> keeper = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                functions(words, Optional.of(container)) + BundledText.of(ContainerEngine.class, "container.sh"),
                "gatebench-container",
                container,
                limits.memory().map(DataSize::toString).orElse("")));
        keeper.addAll(run);
        HostProcess process = host.start(new ProcessSpec(name, keeper, passed, directory));
        List<String> shown = concat(words, List.of("run", "--name", container));
        shown.addAll(run);
        ContainerProcess started = new ContainerProcess(process, host, words, container, shown, limits.memory());
        try {
            started.awaitPid(START, POLL);
            return started;
        } catch (RuntimeException e) {
            started.stop(QUICK);
            throw e;
        }
    }

    /** Removes the image, if it was made of an archive. */
    public void removeImage() {
        // Two gateways of one archive share it.
        if (made && id(host, words, image).isPresent()) {
            CommandResult result = host.run(concat(words, List.of("rmi", image)), IMAGE);
            if (result.exitCode() != 0) {
                throw new RoleStartException(
                        "the image " + image + " is left in " + words.get(0) + ": " + reason(result));
            }
        }
    }

    /** Returns a number of processors as engines take it, e.g. {@code 0.5} or {@code 2}. */
    static String cpus(double cpus) {
        return cpus == Math.rint(cpus) ? String.valueOf((long) cpus) : String.valueOf(cpus);
    }

    private static String bytes(DataSize memory) {
        return memory.bytes() + "b";
    }

    private static CommandResult shell(Host host, List<String> words, String script, List<String> arguments) {
        return host.run(
                concat(List.of("/bin/sh", "-c", functions(words, Optional.empty()) + script, "gatebench"), arguments),
                QUICK);
    }

    /** Returns the functions by which a script on the host calls the engine. */
    private static String functions(List<String> words, Optional<String> container) {
        String quoted = words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
        String bounded = "$(command -v timeout >/dev/null && echo timeout 30) " + quoted;
        return "engine() { " + quoted + " \"$@\"; }\n"
                + "control() { " + bounded + " \"$@\"; }\n"
                + container
                        .map(name -> "remover() { cat <<'END'\n" + bounded + " kill -s KILL " + name + "\n" + bounded
                                + " rm -f " + name + "\nEND\n}\n")
                        .orElse("");
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).collect(Collectors.toCollection(ArrayList::new));
    }

    private static EnvironmentException problem(String line) {
        return new EnvironmentException(List.of(line));
    }

    /** Engines write progress before the error, which is the last line. */
    private static String reason(CommandResult result) {
        return (result.output() + "\n" + result.errorOutput())
                .strip()
                .lines()
                .reduce((first, second) -> second)
                .orElse("exit code " + result.exitCode());
    }
}
