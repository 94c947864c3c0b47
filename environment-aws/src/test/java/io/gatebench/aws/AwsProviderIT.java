/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

import io.gatebench.model.DatabaseServer;
import io.gatebench.model.NodeRole;
import io.gatebench.model.cloud.CloudDeployment;
import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.model.cloud.CloudRequest;
import io.gatebench.model.cloud.CloudResource;
import io.gatebench.model.cloud.ProvisionedHosts;

/** Creates and removes machines in an account of the test, with everything that can go wrong on the way. */
class AwsProviderIT {

    private static final List<String> REGION = List.of("us-east-1");

    @TempDir
    private Path directory;

    private final TickingClock clock = new TickingClock();
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private FakeAws aws;
    private AwsProvider provider;

    @BeforeEach
    void start() throws IOException {
        aws = FakeAws.start();
        provider = new AwsProvider(directory.resolve("state"), profile -> target(aws), clock, clock);
    }

    @AfterEach
    void stop() {
        aws.close();
    }

    private static Aws.Target target(FakeAws aws) {
        return new Aws.Target(
                Optional.empty(),
                Optional.of(aws.uri()),
                Optional.of(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"))));
    }

    private CloudRequest request(int stacks, String... more) throws IOException {
        Path settings = directory.resolve("aws.yaml");
        Files.writeString(
                settings,
                "region: us-east-1\ncaller: 203.0.113.7/32\nmax-cost: 20\nmax-hours: 8\n" + String.join("\n", more));
        return new CloudRequest(
                settings, Duration.ofHours(1), stacks, Optional.empty(), Optional.empty(), Duration.ZERO, false);
    }

    private CloudOffer offer(String... more) throws IOException {
        return provider.prepare(request(1, more), notes::add);
    }

    @Test
    void createsMachinesWithKeysOfTheirOwnAndRemovesEverything() throws Exception {
        try (CloudDeployment deployment = offer("load-generators: 2").create()) {
            ProvisionedHosts hosts = deployment.stacks().get(0);
            assertThat(hosts.hosts())
                    .extracting(ProvisionedHosts.Machine::name, ProvisionedHosts.Machine::role)
                    .containsExactly(
                            tuple("gateway", NodeRole.GATEWAY),
                            tuple("backend", NodeRole.BACKEND),
                            tuple("load-generator-1", NodeRole.LOAD_GENERATOR),
                            tuple("load-generator-2", NodeRole.LOAD_GENERATOR));
            assertThat(hosts.hosts().get(0).roleAddress()).isEqualTo("10.80.0.11");
            assertThat(Files.getPosixFilePermissions(hosts.privateKey()))
                    .extracting(Enum::name)
                    .containsExactlyInAnyOrder("OWNER_READ", "OWNER_WRITE");
            assertThat(Files.readAllLines(hosts.knownHosts()))
                    .hasSize(4)
                    .allMatch(line -> line.contains("ssh-ed25519 "));
            assertThat(deployment.end()).isEqualTo(Instant.parse("2026-11-21T19:50:00Z"));
            assertThat(provider.list(REGION, Optional.of(deployment.run())))
                    .filteredOn(resource -> resource.kind().equals("instance"))
                    .hasSize(4)
                    .allSatisfy(resource -> assertThat(resource.usdPerHour()).contains(0.17));
            assertThat(aws.created()).hasSize(2);
            assertThat(aws.created().get(0)).containsEntry("StackName", "gatebench-" + deployment.run() + "-guard");
            assertThat(aws.created().get(1))
                    .containsEntry("OnFailure", "DELETE")
                    .containsValue("203.0.113.7/32")
                    .containsValue("ami-0123456789abcdef0");
            assertThat(aws.created().get(1).get("TemplateBody")).doesNotContain("PRIVATE KEY");
        }
        assertThat(aws.left()).isEmpty();
        assertThat(notes).anyMatch(line -> line.contains("Gateway CREATE_COMPLETE"));
        try (var files = Files.list(Journal.runs(directory.resolve("state")).get(0))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("run.json", "journal.jsonl", "lock");
        }
    }

    @Test
    void createsStacksSideBySide() throws Exception {
        try (CloudDeployment deployment =
                provider.prepare(request(3), notes::add).create()) {
            assertThat(deployment.stacks()).hasSize(3);
            assertThat(aws.created()).hasSize(4);
        }
        assertThat(aws.left()).isEmpty();
    }

    @Test
    void saysWhyAResourceFailedAndRemovesTheRest() throws Exception {
        aws.failResource("Backend", "We currently do not have sufficient c5.xlarge capacity");
        CloudOffer offer = offer();
        assertThatThrownBy(offer::create)
                .isInstanceOf(CloudException.class)
                .hasMessageContaining("Backend (AWS::EC2::Instance): We currently do not have sufficient");
        assertThat(aws.left()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"Network", "Access", "Gateway", "Backend", "LoadGenerator1", "TimerRole", "Timer1"})
    void leavesNothingWhateverFails(String resource) throws Exception {
        aws.failResource(resource, "no");
        CloudOffer offer = offer();
        assertThatThrownBy(offer::create).hasMessageContaining(resource);
        assertThat(aws.left()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"Network", "Subnet", "Access", "Gateway", "Internet", "Routes"})
    void removesWhatTheDeletionOfTheStackLeaves(String resource) throws Exception {
        aws.stick(resource);
        offer().create().close();
        assertThat(aws.left()).isEmpty();
    }

    @Test
    void namesWhatCannotBeRemovedWithItsPriceAndKeepsTheTimer() throws Exception {
        aws.stick("Gateway");
        CloudDeployment deployment = offer().create();
        aws.fault("TerminateInstances", 403, "UnauthorizedOperation", 10_000);
        assertThatThrownBy(deployment::close)
                .hasMessageContaining("instance gateway-")
                .hasMessageContaining("about 0.170 USD per hour")
                .hasMessageContaining("aws teardown --run " + deployment.run());
        assertThat(aws.left()).anyMatch(line -> line.startsWith("AWS::Scheduler::Schedule"));
    }

    @Test
    void sitsOutThrottling() throws Exception {
        aws.fault("CreateStack", 400, "Throttling", 2);
        aws.fault("DescribeStacks", 400, "Throttling", 1);
        aws.fault("DeleteStack", 400, "Throttling", 1);
        offer().create().close();
        assertThat(aws.left()).isEmpty();
    }

    @Test
    void takesTheStackOfALostAnswerForItsOwn() throws Exception {
        aws.fault("CreateStack", 0, "", 1);
        offer().create().close();
        assertThat(aws.created()).hasSize(2);
        assertThat(aws.left()).isEmpty();
    }

    @Test
    void waitsForNewCredentials() throws Exception {
        CloudDeployment deployment = offer().create();
        aws.expire(true);
        provider = new AwsProvider(directory.resolve("state"), profile -> target(aws), clock, clock);
        Thread login = new Thread(() -> {
            while (notes.stream().noneMatch(line -> line.contains("expired"))) {
                Thread.onSpinWait();
            }
            aws.expire(false);
        });
        login.setDaemon(true);
        login.start();
        deployment.close();
        assertThat(aws.left()).isEmpty();
    }

    @Test
    void refusesWhatIsTooDearOrTakesTooLong() throws Exception {
        CloudRequest request = request(1);
        CloudRequest dear = new CloudRequest(
                request.settings(), Duration.ofHours(40), 1, Optional.of(5.0), Optional.empty(), Duration.ZERO, false);
        assertThatThrownBy(() -> provider.prepare(dear, notes::add))
                .hasMessageContaining("the run would cost about")
                .hasMessageContaining("--max-cost is 5.00")
                .hasMessageContaining("--max-hours is 8 h 0 min");
        assertThat(aws.calls()).isEmpty();
    }

    @Test
    void refusesATypeWithoutPrice() {
        assertThatThrownBy(() -> offer("instances: {gateway: x9.mega}"))
                .hasMessageContaining("no price is known of the instance x9.mega in us-east-1");
    }

    @Test
    void refusesMoreThanTheQuota() {
        assertThatThrownBy(() -> offer("load-generators: 20")).hasMessageContaining("quota");
        assertThat(aws.created()).isEmpty();
    }

    @Test
    void refusesMoreNetworksThanTheAccountMayHave() throws Exception {
        CloudDeployment other = offer().create();
        aws.quota("L-F678F1CE", 1);
        aws.quota("L-A4707A72", 1);
        assertThatThrownBy(() -> offer())
                .hasMessageContaining("the run needs 1 networks (VPCs), 1 are in use, and the quota of the account in"
                        + " us-east-1 is 1 (L-F678F1CE); remove one that nobody uses or ask AWS for more")
                .hasMessageContaining("the run needs 1 internet gateways, 1 are in use");
        other.close();
        aws.quotaByDefault("L-F678F1CE");
        assertThat(offer().lines()).anyMatch(line -> line.contains("1 networks needed, 0 in use, quota 5; "));
    }

    @Test
    void bringsThePasswordOfADatabaseIntoAFileOfItsOwnerAlone() throws Exception {
        CloudDeployment deployment =
                offer("database: {type: db.m5.large, version: 8.4.3}").create();
        DatabaseServer database = deployment.stacks().get(0).database().orElseThrow();
        assertThat(database.address()).isEqualTo("db.example");
        assertThat(database.port()).isEqualTo(3306);
        assertThat(database.user()).isEqualTo("gatebench");
        assertThat(database.password()).hasContent(FakeAws.PASSWORD);
        assertThat(Files.getPosixFilePermissions(database.password()))
                .extracting(Enum::name)
                .containsExactlyInAnyOrder("OWNER_READ", "OWNER_WRITE");
        assertThat(notes).noneMatch(line -> line.contains(FakeAws.PASSWORD));
        deployment.close();
        assertThat(database.password()).doesNotExist();
        assertThat(aws.left()).isEmpty();
    }

    @Test
    void leavesWhatIsDetachedAsItIs() throws Exception {
        CloudDeployment deployment = offer().create();
        deployment.detach();
        deployment.close();
        assertThat(provider.records(deployment.run())).isDirectoryContaining("glob:**key-gatebench-*-1");
        assertThat(aws.left()).anyMatch(line -> line.contains("AWS::EC2::Instance"));
        assertThatThrownBy(() -> provider.records("none0000")).hasMessageContaining("no records of a run 'none0000'");
        assertThat(provider.teardown(List.of(), Optional.of(deployment.run()), notes::add))
                .isEmpty();
        assertThat(aws.left()).isEmpty();
    }

    @Test
    void findsAndRemovesARunWithoutItsRecords() throws Exception {
        CloudDeployment deployment = offer().create();
        AwsProvider elsewhere = new AwsProvider(directory.resolve("none"), profile -> target(aws), clock, clock);
        List<CloudResource> found = elsewhere.list(REGION, Optional.empty());
        assertThat(found).extracting(CloudResource::run).containsOnly(deployment.run());
        assertThat(found).extracting(CloudResource::kind).contains("instance", "network", "stack", "schedule", "role");
        assertThat(found)
                .filteredOn(resource -> resource.kind().equals("stack"))
                .allSatisfy(resource -> assertThat(resource.expiry()).contains(deployment.end()));
        assertThat(elsewhere.teardown(REGION, Optional.of(deployment.run()), notes::add))
                .isEmpty();
        assertThat(aws.left()).isEmpty();
    }

    @Test
    void doesNotTouchARunThatIsAtWork() throws Exception {
        CloudDeployment deployment = offer().create();
        assertThatThrownBy(() -> provider.teardown(List.of(), Optional.of(deployment.run()), notes::add))
                .hasMessageContaining("is at work in another process");
        deployment.close();
    }

    /** The process is killed by SIGKILL at a call, before or after the call has its effect. */
    @ParameterizedTest
    @CsvSource({"CreateStack -1, true", "DeleteStack -guard, false"})
    void aKilledRunIsRemovedFromItsRecords(String at, boolean afterEffect) throws Exception {
        requireThatAKilledRunIsRemoved(at, afterEffect);
    }

    @ParameterizedTest
    @CsvSource({
        "CreateStack -guard, false",
        "CreateStack -guard, true",
        "DescribeStackEvents -guard, true",
        "CreateStack -1, false",
        "DescribeStackEvents -1, true",
        "DescribeInstances stack-name, true",
        "DeleteStack -1, false",
        "DeleteStack -1, true",
        "DeleteStack -guard, true",
    })
    @Tag("full")
    void aRunThatWasKilledAtAnotherCallIsRemovedFromItsRecords(String at, boolean afterEffect) throws Exception {
        requireThatAKilledRunIsRemoved(at, afterEffect);
    }

    private void requireThatAKilledRunIsRemoved(String at, boolean afterEffect) throws Exception {
        request(1);
        Process[] process = new Process[1];
        aws.at(at, afterEffect, () -> process[0].destroyForcibly());
        process[0] = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        directory.resolve("state").toString(),
                        aws.uri().toString(),
                        directory.resolve("aws.yaml").toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("victim.log").toFile())
                .start();
        assertThat(process[0].waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process[0].exitValue())
                .as(Files.readString(directory.resolve("victim.log")))
                .isEqualTo(137);
        Path run = Journal.runs(directory.resolve("state")).get(0);
        assertThat(provider.teardown(List.of(), Optional.of(run.getFileName().toString()), notes::add))
                .isEmpty();
        assertThat(aws.left()).isEmpty();
        try (Journal journal = Journal.open(run, clock)) {
            assertThat(journal.lines())
                    .endsWith(
                            new Journal.Line("removed", "run", run.getFileName().toString()));
        }
    }

    /** A run in a process of its own. */
    static final class Victim {

        private Victim() {}

        public static void main(String[] args) {
            Aws.Target target = new Aws.Target(
                    Optional.empty(),
                    Optional.of(java.net.URI.create(args[1])),
                    Optional.of(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"))));
            TickingClock clock = new TickingClock();
            new AwsProvider(Path.of(args[0]), profile -> target, clock, clock)
                    .prepare(
                            new CloudRequest(
                                    Path.of(args[2]),
                                    Duration.ofHours(1),
                                    1,
                                    Optional.empty(),
                                    Optional.empty(),
                                    Duration.ZERO,
                                    false),
                            line -> {})
                    .create()
                    .close();
        }
    }

    @Test
    void showsThePriceAndTheEndBeforeAnythingExists() throws Exception {
        assertThat(String.join("\n", offer().lines()))
                .contains("3 x c5.xlarge, 0.1700 USD per hour each")
                .contains("an estimate from prices-2026-11-21.csv")
                .contains("everything is removed after 8 h 0 min at the latest")
                .contains("12 vCPUs needed, 0 in use, quota 64");
        assertThat(aws.created()).isEmpty();
    }
}
