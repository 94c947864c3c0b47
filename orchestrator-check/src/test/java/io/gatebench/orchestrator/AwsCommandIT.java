/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks, refuses, lists and removes as processes of the packaged program against moto, whose machines nobody reaches. */
class AwsCommandIT {

    private static Moto moto;

    @TempDir
    private Path directory;

    private Map<String, Integer> before;

    @BeforeAll
    static void start() throws Exception {
        String missing = Moto.hindrance();
        assumeTrue(missing.isEmpty(), missing);
        moto = Moto.start();
    }

    @AfterAll
    static void stop() throws Exception {
        if (moto != null) {
            moto.close();
        }
    }

    @BeforeEach
    void prepare() throws Exception {
        moto.reset();
        Files.writeString(directory.resolve("aws.yaml"), """
                region: us-east-1
                caller: 127.0.0.1/32
                address: private
                network: 127.9.9.0/24
                max-cost: 5
                max-hours: 2
                """);
        before = moto.counts();
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("program.log"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static String[] run(String... more) {
        String[] plan = {
            "run",
            "--product=apim",
            "--scenario=passthrough",
            "--users=2",
            "--message-size=50",
            "--duration=4s",
            "--warm-up=1s",
            "--environment=aws",
            "--aws=aws.yaml",
            "--results=out"
        };
        String[] all = Arrays.copyOf(plan, plan.length + more.length);
        System.arraycopy(more, 0, all, plan.length, more.length);
        return all;
    }

    private int end(Process process) throws InterruptedException {
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("the program did not end:\n" + log());
        }
        return process.exitValue();
    }

    private void assertNothingIsThere() throws Exception {
        assertThat(moto.counts()).isEqualTo(before);
    }

    @Test
    void createsNothingWhereNobodyCanBeAsked() throws Exception {
        assertThat(end(moto.program(directory, run()))).as(log()).isEqualTo(2);
        assertThat(log())
                .contains("3 x c5.xlarge, 0.1700 USD per hour each")
                .contains("USD in all: an estimate from prices-")
                .contains("nobody can be asked here whether to create these machines; say --yes");
        assertNothingIsThere();
    }

    @Test
    void createsNothingWhenTheUserSaysNo() throws Exception {
        assertThat(end(moto.onTerminal(directory, "n", run()))).as(log()).isEqualTo(2);
        assertThat(log()).contains("Create these machines? [y/N]").contains("nothing was created");
        assertThat(directory.resolve(".gatebench")).doesNotExist();
        assertNothingIsThere();
    }

    @Test
    void createsWhenTheUserSaysYesAndRemovesWhenInterrupted() throws Exception {
        Process process = moto.onTerminal(directory, "y", run());
        Moto.await("the program waits for its machines", 90, () -> log().contains("waiting for gateway"));
        assertThat(moto.machines()).isEqualTo(3);
        process.descendants()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .forEach(ProcessHandle::destroy);
        assertThat(end(process)).as(log()).isNotZero();
        assertThat(directory.resolve("out")).doesNotExist();
        assertNothingIsThere();
    }

    @Test
    void removesWhatItWasToLeaveWhenInterrupted() throws Exception {
        Process process = moto.program(directory, run("--yes", "--detach"));
        Moto.await("the program waits for its machines", 90, () -> log().contains("waiting for gateway"));
        assertThat(moto.machines()).isEqualTo(3);
        process.destroy();
        assertThat(end(process)).as(log()).isNotZero();
        assertThat(log()).contains("everything of the run").doesNotContain("goes on");
        assertNothingIsThere();
    }

    @Test
    void leavesNoRunThatItsMachineCouldNotLead() throws Exception {
        assertThat(end(moto.program(directory, run("--yes", "--detach", "--stacks=2"))))
                .isEqualTo(2);
        assertThat(log()).contains("--detach goes with one stack");
        assertThat(end(moto.program(directory, "aws", "fetch", "--run", "none0000")))
                .isEqualTo(2);
        assertThat(log()).contains("this machine has no records of a run 'none0000'");
        assertNothingIsThere();
    }

    @Test
    void takesAPackFromABucket() throws Exception {
        moto.bucket("packs");
        moto.object("/packs/wso2am.zip", "no zip");
        assertThat(end(moto.program(directory, run("--gateway-home=s3://packs/wso2am.zip", "--estimate"))))
                .as(log())
                .isEqualTo(2);
        assertThat(log())
                .contains("fetching s3://packs/wso2am.zip")
                .contains("/wso2am.zip is neither a directory nor a zip file that can be read");
        assertThat(end(moto.program(directory, run("--gateway-home=s3://packs/none.zip"))))
                .as(log())
                .isEqualTo(5);
        assertThat(log()).contains("s3://packs/none.zip cannot be read");
        assertNothingIsThere();
    }

    @Test
    void listsWithPricesAndRemovesTheRunThatIsNamed() throws Exception {
        Process first = moto.program(directory, run("--yes"));
        Moto.await("the program waits for its machines", 90, () -> log().contains("waiting for gateway"));
        String id = log().replaceAll("(?s).*run ([a-z0-9]{8}), records in.*", "$1");
        first.destroyForcibly().waitFor();

        assertThat(end(moto.program(directory, "aws", "list"))).isZero();
        assertThat(log())
                .contains(id + "  us-east-1  instance  i-")
                .contains("0.170 USD/h")
                .contains("  until ")
                .containsPattern("\\d+ resources, about 0\\.5\\d USD per hour in all");
        assertThat(end(moto.program(directory, "aws", "teardown"))).isEqualTo(2);
        assertThat(log()).contains("name a run with --run (aws list shows them)");
        assertThat(end(moto.program(directory, "aws", "teardown", "--run", "zzzzzzzz")))
                .as(log())
                .isZero();
        assertThat(moto.machines()).isEqualTo(3);
        assertThat(end(moto.program(directory, "aws", "teardown", "--expired")))
                .as(log())
                .isZero();
        assertThat(moto.machines()).isEqualTo(3);
        assertThat(end(moto.program(directory, "aws", "teardown", "--run", id)))
                .as(log())
                .isZero();
        assertThat(log()).endsWith("Nothing is left.\n");
        assertNothingIsThere();
    }

    @ParameterizedTest
    @ValueSource(strings = {"AWS account", "records in", "-guard: ", "-1: "})
    @Tag("full")
    void whatAProgramLeavesThatWasKilledSoonerIsRemovedByTeardown(String step) throws Exception {
        Process process = moto.program(directory, run("--yes"));
        Moto.await("the program comes to '" + step + "'", 90, () -> log().contains(step));
        process.destroyForcibly().waitFor();
        assertThat(end(moto.program(directory, "aws", "teardown", "--yes")))
                .as(log())
                .isZero();
        assertThat(log()).endsWith("Nothing is left.\n");
        assertNothingIsThere();
    }

    @Test
    void refusesStacksThatWouldHaveNothingToDo() throws Exception {
        assertThat(end(moto.program(directory, run("--stacks=2", "--split=delay"))))
                .isEqualTo(2);
        assertThat(log())
                .contains("split by delay, the test cases of this plan give work to 1 stack but --stacks is 2; use "
                        + "fewer, or another --split");
        assertNothingIsThere();
    }
}
