/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The cluster of one node that {@code cluster.sh} makes, with an image of this machine's own programs. */
final class TestCluster {

    static final String IMAGE = "localhost/gatebench-roles:1";

    private static final Path SCRIPTS = Path.of("src/test/cluster").toAbsolutePath();

    private final FileChannel turn;

    private TestCluster(FileChannel turn) {
        this.turn = turn;
    }

    /**
     * Builds it if need be and starts it, after waiting for other builds on this machine, which have one of the same
     * addresses; the test is skipped where it cannot be had.
     */
    static TestCluster up(Path directory) throws Exception {
        Answer check = run(List.of(SCRIPTS + "/cluster.sh", "check"));
        assumeThat(check.code()).as(check.text()).isZero();
        Path home = Path.of(run(List.of(SCRIPTS + "/cluster.sh", "kubeconfig"))
                        .text()
                        .strip())
                .resolve("../..")
                .normalize();
        FileChannel turn = FileChannel.open(
                Files.createDirectories(home).resolve("turn"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        turn.lock();
        TestCluster cluster = new TestCluster(turn);
        try {
            cluster.script("up");
            Path tar = directory.resolve("root.tar");
            Answer root = run(List.of(SCRIPTS + "/role-root.sh", tar.toString()));
            assertThat(root.code()).as(root.text()).isZero();
            cluster.script("image", IMAGE, tar.toString());
            Files.delete(tar);
            return cluster;
        } catch (Exception | AssertionError e) {
            cluster.down();
            throw e;
        }
    }

    /** How a command ended, and all that it wrote. */
    record Answer(int code, String text) {}

    static Answer run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.MINUTES)).isTrue();
        return new Answer(process.exitValue(), text);
    }

    /** Runs a verb of the script that must succeed; returns what it wrote. */
    String script(String... words) throws IOException, InterruptedException {
        Answer answer = tried(words);
        assertThat(answer.code()).as(answer.text()).isZero();
        return answer.text();
    }

    private static Answer tried(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(SCRIPTS + "/cluster.sh"));
        command.addAll(List.of(words));
        return run(command);
    }

    /** Runs kubectl as administrator; returns what it wrote, whatever became of it. */
    String kubectl(String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("kubectl"));
        all.addAll(List.of(words));
        return tried(all.toArray(String[]::new)).text().strip();
    }

    Path kubeconfig() throws IOException, InterruptedException {
        return Path.of(script("kubeconfig").strip());
    }

    /** Stops it and removes all but what was built. */
    void down() throws IOException, InterruptedException {
        script("down");
        turn.close();
    }
}
