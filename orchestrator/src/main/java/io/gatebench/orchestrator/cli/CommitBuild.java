/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.gatebench.spi.host.TemporaryDirectory;

/**
 * A commit of the git repository that the program was started in, checked out into a directory of its own and built there;
 * removed at the end. What the user has in the working tree is left as it is.
 */
final class CommitBuild implements AutoCloseable {

    /** Beginning of the name of such a gateway. */
    static final String PREFIX = "git:";

    private static final int LAST_LINES = 20;
    private static final int SHORT_COMMIT = 12;

    private final TemporaryDirectory directory;
    private final Path repository;
    private final Path tree;
    private final Path file;

    private CommitBuild(TemporaryDirectory directory, Path repository, Path tree, Path file) {
        this.directory = directory;
        this.repository = repository;
        this.tree = tree;
        this.file = file;
    }

    /**
     * Checks out and builds.
     *
     * @param option which option it was, for messages
     * @param text {@code git:<ref>:<gateway file>}, as git itself names a file of a commit
     * @param build what builds it, for the shell; nothing if there is nothing to build
     * @param progress is told what is done
     * @throws CommandException if there is no such commit or file, or the build fails; nothing is left then
     */
    static CommitBuild of(String option, String text, @Nullable String build, Consumer<String> progress) {
        int colon = text.lastIndexOf(':');
        if (colon <= PREFIX.length() || colon == text.length() - 1) {
            throw CommandException.usage(option
                    + " must name a commit and a gateway file, as git:v1.2:gateway.yaml, but was '" + text + "'");
        }
        String ref = text.substring(PREFIX.length(), colon);
        String name = text.substring(colon + 1);
        Path here = Path.of("").toAbsolutePath();
        Path repository =
                Path.of(git(here, option + ": " + here + " lies in no git repository", "rev-parse", "--show-toplevel"));
        String commit = git(
                repository,
                option + ": the repository " + repository + " has no commit '" + ref + "'",
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                ref + "^{commit}");
        try {
            TemporaryDirectory directory = TemporaryDirectory.create("gatebench-build-");
            Path tree = directory.path().resolve(commit.substring(0, SHORT_COMMIT));
            CommitBuild made = new CommitBuild(directory, repository, tree, tree.resolve(name));
            try {
                git(
                        repository,
                        option + ": cannot check out " + ref,
                        "worktree",
                        "add",
                        "--detach",
                        "--quiet",
                        tree.toString(),
                        commit);
                if (!Files.isRegularFile(made.file)) {
                    throw CommandException.usage(option + ": " + ref + " has no file " + name
                            + "; its path begins at the root of the repository");
                }
                if (build != null) {
                    progress.accept("building " + ref + " (" + commit.substring(0, SHORT_COMMIT) + "): " + build);
                    made.build(option, ref, build);
                }
                return made;
            } catch (CommandException e) {
                made.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a directory for " + text, e);
        }
    }

    private void build(String option, String ref, String command) throws IOException {
        boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
        Deque<String> last = new ArrayDeque<>();
        int exitCode = run(tree, windows ? List.of("cmd", "/c", command) : List.of("sh", "-c", command), line -> {
            last.add(line);
            if (last.size() > LAST_LINES) {
                last.remove();
            }
        });
        if (exitCode != 0) {
            throw new CommandException(
                    ExitStatus.ENVIRONMENT,
                    option + ": the build of " + ref + " ended with exit code " + exitCode + ": " + command
                            + "; its last lines:\n" + String.join("\n", last));
        }
    }

    private static String git(Path directory, String otherwise, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        StringBuilder lines = new StringBuilder();
        try {
            int exitCode = run(directory, command, line -> lines.append(line).append('\n'));
            if (exitCode != 0) {
                String why = lines.toString().strip();
                throw CommandException.usage(otherwise + (why.isEmpty() ? "" : ": " + why));
            }
            return lines.toString().strip();
        } catch (IOException e) {
            throw CommandException.usage("git:.. needs git, which cannot be started: " + e.getMessage());
        }
    }

    /** An interrupted build is ended with all that it started. */
    private static int run(Path directory, List<String> command, Consumer<String> lines) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        Thread hook = new Thread(
                () -> {
                    process.descendants().forEach(ProcessHandle::destroy);
                    process.destroy();
                },
                "gatebench-end-build");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            process.getOutputStream().close();
            try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
                reader.lines().forEach(lines);
            }
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw new IOException("interrupted");
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The program ends already.
            }
        }
    }

    /** Returns the gateway file of the commit. */
    Path file() {
        return file;
    }

    /** Removes the checkout. What git keeps of it, it forgets by itself once the directory is gone. */
    @Override
    public void close() {
        try {
            run(repository, List.of("git", "worktree", "remove", "--force", tree.toString()), line -> {});
            directory.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + tree, e);
        }
    }
}
