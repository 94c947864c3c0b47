/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.gateways.wso2.ApimDouble;
import io.gatebench.gateways.wso2.PackDoubles;
import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;

/**
 * Runs the packaged program against moto, with hosts of two labs at the addresses of the machines that moto only
 * pretends to have: everything but AWS itself is real. As in AWS, nothing but SSH leads from here to the machines.
 */
@Tag("full")
class AwsLabIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** The hosts that have the addresses of gateway, back end and load generator. */
    private static final List<String> MACHINES = List.of("client", "jmeter1", "jmeter2");
    /** The host that RDS's address is of. */
    private static final String DATABASE = "backend";

    private static final List<Lab> LABS = new ArrayList<>();
    private static Moto moto;
    private static byte[] authorized;

    @TempDir
    private Path directory;

    private Map<String, Integer> before;

    @BeforeAll
    static void start() throws Exception {
        String missing = Moto.hindrance();
        assumeTrue(missing.isEmpty(), missing);
        String hindrance = Lab.hindrance();
        assumeTrue(hindrance.isEmpty(), "no lab of hosts can be made on this machine: " + hindrance);
        LABS.add(Lab.start());
        LABS.add(Lab.startBeside(LABS.get(0)));
        authorized = Files.readAllBytes(LABS.get(0).directory().resolve("authorized_keys"));
        for (Lab lab : LABS) {
            for (String host : MACHINES) {
                // In the place of what the user data of a machine makes there, and of the security group.
                Lab.Ended ended = lab.root(
                        host,
                        "mount -t tmpfs tmpfs /usr/local/sbin && mount -t tmpfs tmpfs /usr/local/bin"
                                + " && printf '#!/bin/sh\\necho \"$1\" >>/run/perf/lease\\n'"
                                + " >/usr/local/sbin/gatebench-lease"
                                + " && printf '#!/bin/sh\\nshift\\nexec \"$@\"\\n' >/usr/local/bin/sudo"
                                + " && chmod 755 /usr/local/sbin/gatebench-lease /usr/local/bin/sudo"
                                + " && ip rule add pref 10 to " + lab.gateway() + " ipproto tcp sport 22 lookup main"
                                + " && ip rule add pref 11 to " + lab.gateway() + " blackhole");
                assertThat(ended.exitCode()).as(ended.errorOutput()).isZero();
            }
        }
        moto = Moto.startWithDatabaseAt(LABS.get(0).address(DATABASE));
    }

    @AfterAll
    static void stop() throws Exception {
        if (moto != null) {
            moto.close();
        }
        LABS.forEach(Lab::close);
        LABS.clear();
    }

    @BeforeEach
    void prepare() throws Exception {
        moto.reset();
        StringBuilder known = new StringBuilder();
        for (Lab lab : LABS) {
            Files.write(lab.directory().resolve("authorized_keys"), authorized);
            known.append(Files.readString(lab.directory().resolve("known_hosts")));
            for (String host : MACHINES) {
                Files.deleteIfExists(lab.home(host).resolve("lease"));
            }
        }
        Files.writeString(directory.resolve("known_hosts"), known);
        String network = LABS.get(0).gateway().replaceAll("\\.[0-9]+$", "");
        Files.writeString(directory.resolve("aws.yaml"), """
                region: us-east-1
                image: al2023
                user: perf
                java: %s
                address: private
                network: %s.0/24
                caller: %s.1/32
                known-hosts: %s
                max-cost: 5
                max-hours: 2
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        network,
                        network,
                        directory.resolve("known_hosts")));
        before = moto.counts();
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("program.log"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private Process run(String results, String duration, int stacks, String... more) throws Exception {
        Process process = start(results, duration, stacks, more);
        boot(process, stacks);
        return process;
    }

    private Process start(String results, String duration, int stacks, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--product=apim",
                "--scenario=passthrough",
                "--heap=256M",
                "--users=2,3",
                "--message-size=50",
                "--backend-delay=0",
                "--duration=" + duration,
                "--warm-up=1s",
                "--environment=aws",
                "--aws=aws.yaml",
                "--stacks=" + stacks,
                "--split=users",
                "--yes",
                "--results=" + results));
        arguments.addAll(List.of(more));
        return moto.program(directory, arguments.toArray(String[]::new));
    }

    /** Lets the logins in that the program has made, as the first start of a machine does. */
    private void boot(Process program, int stacks) throws Exception {
        Set<Path> keys = new HashSet<>();
        Moto.await("the program makes its keys", 120, () -> {
            try (Stream<Path> files = Files.find(
                    directory.resolve(".gatebench"),
                    4,
                    (file, attributes) -> file.getFileName().toString().startsWith("key-") && attributes.size() > 0)) {
                files.forEach(keys::add);
            } catch (IOException | java.io.UncheckedIOException e) {
                return !program.isAlive();
            }
            return keys.size() == stacks || !program.isAlive();
        });
        for (Path key : keys) {
            Process derive = new ProcessBuilder("ssh-keygen", "-y", "-f", key.toString()).start();
            Lab lab = LABS.get(key.toString().endsWith("-2") ? 1 : 0);
            Files.write(
                    lab.directory().resolve("authorized_keys"),
                    derive.getInputStream().readAllBytes(),
                    StandardOpenOption.APPEND);
        }
    }

    private int end(Process process, int seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("the program did not end:\n" + log());
        }
        return process.exitValue();
    }

    private void nothingIsLeft() throws Exception {
        assertThat(moto.counts()).isEqualTo(before);
        for (Lab lab : LABS) {
            assertThat(lab.ours()).isEmpty();
        }
        assertThat(end(moto.program(directory, "aws", "list"), 60)).as(log()).isZero();
        assertThat(log()).endsWith("Nothing is there.\n");
    }

    private static String firstLease(Lab lab, String host) throws IOException {
        return Files.readAllLines(lab.home(host).resolve("lease")).get(0);
    }

    @Test
    void measuresOnTwoStacksThatAreCreatedAndRemoved() throws Exception {
        moto.bucket("archive");
        Files.writeString(directory.resolve("aws.yaml"), "s3: s3://archive/perf\n", StandardOpenOption.APPEND);
        assertThat(end(run("out", "4s", 2), 300)).as(log()).isZero();
        assertThat(log())
                .contains("6 x c5.xlarge, 0.1700 USD per hour each")
                .containsPattern("gatebench-[a-z0-9]{8}-2 CREATE_COMPLETE")
                .contains("[1/2] passthrough/256M_heap/2_users/50B/0ms_sleep")
                .contains("[2/2] passthrough/256M_heap/3_users/50B/0ms_sleep")
                .contains("everything of the run")
                .containsPattern("files are archived at s3://archive/perf/[a-z0-9]{8}")
                .doesNotContain("could not be renewed");
        assertThat(moto.objects("archive")).contains("/index.html<", "/2_users/50B/0ms_sleep/result.json<");
        JsonNode run = JSON.readTree(directory.resolve("out/run.json").toFile());
        assertThat(run.path("environment").asText()).isEqualTo("aws");
        assertThat(run.path("stacks").asInt()).isEqualTo(2);
        assertThat(run.path("systems"))
                .hasSize(2)
                .allSatisfy(system -> assertThat(system.toString())
                        .contains("\"AMI-ID\"", "\"Instance Type\"", "\"Region\"", "\"CPU(s)\"", "\"Kernel\""));
        for (int users = 2; users <= 3; users++) {
            JsonNode cell = JSON.readTree(directory
                    .resolve("out/passthrough/256M_heap/" + users + "_users/50B/0ms_sleep/result.json")
                    .toFile());
            assertThat(cell.path("facts").path("stack").asText()).isEqualTo(String.valueOf(users - 1));
            assertThat(cell.path("facts").path("gateway.url").asText())
                    .contains(LABS.get(users - 2).address("client"));
        }
        assertThat(Files.readString(directory.resolve("out/summary.md")))
                .contains("executed on 2 AWS CloudFormation stacks.")
                .contains("in 1st AWS CloudFormation stack.")
                .contains("in 2nd AWS CloudFormation stack.")
                .contains("| AWS | EC2 | Instance Type | c5.xlarge |")
                .contains("[**c5.xlarge** Amazon EC2 instance]");
        for (Lab lab : LABS) {
            for (String host : MACHINES) {
                assertThat(firstLease(lab, host)).isEqualTo("30");
            }
        }
        nothingIsLeft();
    }

    /** Starts a server without users but root, which logs each statement; returns where it does. */
    private static Path startDatabase(Lab lab) throws Exception {
        Lab.Ended started = lab.root(
                DATABASE,
                "mkdir -p /run/perf/db && cd /run/perf/db && mariadb-install-db --no-defaults --user=root"
                        + " --datadir=/run/perf/db/data --auth-root-authentication-method=normal --skip-test-db"
                        + " >install 2>&1 || { cat install >&2; exit 1; };"
                        + " setsid mariadbd --no-defaults --user=root --datadir=/run/perf/db/data --bind-address="
                        + lab.address(DATABASE) + " --socket=/run/perf/db/socket --pid-file=/run/perf/db/pid"
                        + " --general-log --general-log-file=/run/perf/db/statements </dev/null >log 2>&1 &"
                        + " n=0; until mariadb --no-defaults -S /run/perf/db/socket -e 'SELECT 1' >/dev/null 2>&1; do"
                        + " n=$((n + 1)); [ $n -lt 300 ] || exit 1; sleep 0.1; done");
        assertThat(started.exitCode()).as(started.errorOutput()).isZero();
        return lab.home(DATABASE).resolve("db/statements");
    }

    /** Makes the user that RDS makes. */
    private static void databaseUser(Lab lab, String user, String password) {
        lab.write(
                DATABASE,
                "user.sql",
                "CREATE USER '%s'@'%%' IDENTIFIED BY '%s'; GRANT ALL ON *.* TO '%s'@'%%';"
                        .formatted(user, password.replace("\\", "\\\\").replace("'", "''"), user));
        Lab.Ended ended = lab.root(DATABASE, "mariadb --no-defaults -S /run/perf/db/socket </run/perf/user.sql");
        assertThat(ended.exitCode()).as(ended.errorOutput()).isZero();
    }

    /** RDS is moto's, with a server of MariaDB at its address; API Manager and its administration are doubles. */
    @Test
    void apiManagerUsesTheDatabaseOfItsStackWhichIsRemovedWithTheMachines() throws Exception {
        Lab lab = LABS.get(0);
        Path statements = startDatabase(lab);
        PackDoubles packs = new PackDoubles(directory);
        SigningKey key = packs.productKey();
        Path pack = packs.apim(key, lab.address("client"), "http://" + lab.address("jmeter1") + ":8688");
        Files.writeString(directory.resolve("connector.jar"), "");
        Files.writeString(
                directory.resolve("aws.yaml"),
                "database: {type: db.m5.large, version: 8.4.3}\n",
                StandardOpenOption.APPEND);
        String password;
        try (ApimDouble administration = new ApimDouble(4, lab.gateway())) {
            administration.issueTo(
                    PackDoubles.CONSUMER,
                    () -> TokenPool.generate(TokenSpec.accessToken(PackDoubles.CONSUMER), key, Clock.systemUTC()));
            lab.must(
                    "root",
                    "client",
                    "ip",
                    "rule",
                    "add",
                    "pref",
                    "9",
                    "to",
                    lab.gateway(),
                    "ipproto",
                    "tcp",
                    "dport",
                    String.valueOf(administration.url().getPort()),
                    "lookup",
                    "main");
            Files.writeString(directory.resolve("admin-password"), ApimDouble.PASSWORD);
            Files.writeString(directory.resolve("apim.yaml"), """
                    admin-url: %s
                    admin-password: {file: admin-password}
                    insecure: true
                    token-count: 50
                    database: {connector: connector.jar}
                    """.formatted(administration.url()));
            Process program = start(
                    "with-database",
                    "4s",
                    1,
                    "--gateway-home=" + pack,
                    "--gateway-config=apim.yaml",
                    "--backend-port=8688");
            Moto.await(
                    "RDS makes the password",
                    120,
                    () -> !program.isAlive() || !moto.secrets().isEmpty());
            assertThat(program.isAlive()).as(log()).isTrue();
            JsonNode secret = moto.secret(moto.secrets().get(0));
            password = secret.path("password").asText();
            databaseUser(lab, secret.path("username").asText(), password);
            boot(program, 1);

            assertThat(end(program, 300)).as(log()).isZero();

            assertThat(administration.violations).isEmpty();
        } finally {
            lab.root("client", "ip rule del pref 9; true");
            lab.root(DATABASE, "kill $(cat /run/perf/db/pid)");
        }
        assertThat(log())
                .contains("1 x MySQL db.m5.large")
                .contains("[2/2] passthrough/256M_heap/3_users/50B/0ms_sleep")
                .contains("everything of the run");
        // The product is started more than once: for the check before the test cases, and for these.
        assertThat(Files.readAllLines(statements).stream()
                        .map(line -> line.replaceFirst(".*Query\\s+", ""))
                        .filter(line -> line.matches("(CREATE (DATABASE|TABLE)|INSERT|DROP) .*"))
                        .distinct())
                .containsExactly(
                        "CREATE DATABASE `gatebench_apim_db` CHARACTER SET latin1",
                        "CREATE DATABASE `gatebench_shared_db` CHARACTER SET latin1",
                        "CREATE TABLE AM_STARTS (ID INT)",
                        "CREATE TABLE REG_LOG (ID INT)",
                        "INSERT INTO AM_STARTS VALUES (1)",
                        "DROP DATABASE `gatebench_apim_db`",
                        "DROP DATABASE `gatebench_shared_db`");
        assertThat(log()).doesNotContain(password);
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.filter(Files::isRegularFile).filter(file -> contains(file, password)))
                    .isEmpty();
        }
        nothingIsLeft();
    }

    private static boolean contains(Path file, String text) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aRunThatWasLeftToItselfIsFoundAgainFetchedAndRemoved() throws Exception {
        Lab lab = LABS.get(0);
        assertThat(end(run("left", "4s", 1, "--detach"), 200)).as(log()).isZero();
        String run = log().replaceAll("(?s).*aws fetch --run ([a-z0-9]{8}).*", "$1");
        assertThat(log()).contains("The run " + run + " goes on on load-generator-1 by itself");
        assertThat(directory.resolve("left")).doesNotExist();
        Path there = lab.home("jmeter2").resolve("gatebench-" + run);
        assertThat(Files.getPosixFilePermissions(there))
                .extracting(Enum::name)
                .allMatch(permission -> permission.startsWith("OWNER"));
        for (String command : lab.ours().values()) {
            assertThat(command).doesNotContain("PRIVATE KEY", "AWS_");
        }
        assertThat(end(moto.program(directory, "aws", "fetch", "--run", run), 60))
                .as(log())
                .isEqualTo(2);
        assertThat(log()).contains("the run " + run + " is not at its end; 'aws attach --run " + run + "' follows it");
        assertThat(end(moto.program(directory, "aws", "status", "--run", run), 60))
                .as(log())
                .isZero();
        assertThat(log()).contains("run " + run + " on load-generator-1 (" + lab.address("jmeter2") + "): measures");

        assertThat(end(moto.program(directory, "aws", "attach", "--run", run), 200))
                .as(log())
                .isZero();
        assertThat(log())
                .contains("[1/2] passthrough/256M_heap/2_users/50B/0ms_sleep ...")
                .contains("[2/2] passthrough/256M_heap/3_users/50B/0ms_sleep")
                .contains("aws fetch --run " + run)
                .doesNotContain("could not be renewed");
        // The others end themselves at once, that with the results waits for its owner.
        assertThat(lastLease(lab, "client")).isEqualTo("3");
        assertThat(lastLease(lab, "jmeter1")).isEqualTo("3");
        Moto.await(
                "the machine with the results gets its time",
                20,
                () -> lastLease(lab, "jmeter2").matches("1?[0-9]{2}"));
        assertThat(there.resolve("secrets")).doesNotExist();

        assertThat(end(moto.program(directory, "aws", "fetch", "--run", run), 200))
                .as(log())
                .isZero();
        assertThat(log()).contains("files are here as they are there");
        JsonNode info = JSON.readTree(directory.resolve("left/run.json").toFile());
        assertThat(info.path("environment").asText()).isEqualTo("aws");
        assertThat(info.path("notes").toString())
                .contains("region us-east-1")
                .contains("The program itself ran on load-generator-1, beside the load generator.");
        assertThat(Files.readAllLines(directory.resolve("left/summary.csv"))).hasSize(3);
        assertThat(end(moto.program(directory, "verify", "left"), 60)).as(log()).isZero();
        nothingIsLeft();
    }

    @Test
    void whatALeftRunHasMeasuredOutlivesItsKilledProgram() throws Exception {
        Lab lab = LABS.get(0);
        assertThat(end(run("killed-there", "5s", 1, "--detach"), 200)).as(log()).isZero();
        String run = log().replaceAll("(?s).*aws fetch --run ([a-z0-9]{8}).*", "$1");
        Path there = lab.home("jmeter2").resolve("gatebench-" + run);
        Moto.await("the second test case is measured", 200, () -> {
            try {
                return Files.readString(there.resolve("log")).contains("[2/2]");
            } catch (IOException e) {
                return false;
            }
        });
        lab.root(
                "jmeter2",
                "for p in /proc/[0-9]*; do if [ \"$(cat $p/comm)\" = java ] && grep -qz machines.json $p/cmdline;"
                        + " then kill -KILL ${p#/proc/}; fi; done");
        assertThat(end(moto.program(directory, "aws", "attach", "--run", run), 100))
                .as(log())
                .isEqualTo(137);
        Moto.await(
                "the machine with the results gets its time",
                20,
                () -> lastLease(lab, "jmeter2").matches("1?[0-9]{2}"));
        assertThat(end(moto.program(directory, "aws", "fetch", "--run", run), 200))
                .as(log())
                .isZero();
        assertThat(directory.resolve("killed-there/passthrough/256M_heap/2_users/50B/0ms_sleep/result.json"))
                .exists();
        Moto.await("the guards end what runs", 200, () -> lab.ours().isEmpty());
        nothingIsLeft();
    }

    private static String lastLease(Lab lab, String host) {
        try {
            List<String> leases = Files.readAllLines(lab.home(host).resolve("lease"));
            return leases.get(leases.size() - 1);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aRunThatCannotBeLeftIsRemovedAtOnce() throws Exception {
        Lab lab = LABS.get(0);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        // The program there finds a gateway without Java.
        lab.must("root", "client", "mount", "--bind", "/dev/null", java);
        try {
            assertThat(end(run("stranded", "4s", 1, "--detach"), 200)).as(log()).isEqualTo(5);
        } finally {
            lab.must("root", "client", "umount", java);
        }
        assertThat(log()).contains("the run ended on load-generator-1 before it measured anything:", "gateway");
        nothingIsLeft();
    }

    @Test
    void aStackThatCannotBeUsedFailsItsOwnCellsAlone() throws Exception {
        Lab second = LABS.get(1);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        // The login finds no Java there.
        second.must("root", "client", "mount", "--bind", "/dev/null", java);
        try {
            assertThat(end(run("half", "4s", 2), 300)).as(log()).isEqualTo(3);
        } finally {
            second.must("root", "client", "umount", java);
        }
        assertThat(log()).contains("stack 2: cannot be used: gateway");
        JsonNode failed = JSON.readTree(directory
                .resolve("half/passthrough/256M_heap/3_users/50B/0ms_sleep/result.json")
                .toFile());
        assertThat(failed.toString()).contains("the stack of machines for this test case could not be used: gateway");
        assertThat(Files.readString(directory.resolve("half/summary.md")))
                .contains("The following test cases have no row.")
                .contains("passthrough/256M_heap/3_users/50B/0ms_sleep");
        assertThat(Files.readAllLines(directory.resolve("half/summary.csv"))).hasSize(2);
        nothingIsLeft();
    }

    @Test
    void anInterruptedRunKeepsItsReportAndRemovesEverything() throws Exception {
        Process process = run("interrupted", "60s", 1);
        Moto.await(
                "roles run",
                200,
                () -> log().contains("[1/2]") && !LABS.get(0).ours().isEmpty());
        process.destroy();
        assertThat(end(process, 200)).as(log()).isEqualTo(130);
        assertThat(directory.resolve("interrupted/index.html")).exists();
        nothingIsLeft();
    }

    @Test
    void aRunThatIsKilledInACellIsRemovedByTeardown() throws Exception {
        Process process = run("killed", "60s", 1);
        Moto.await(
                "roles run",
                200,
                () -> log().contains("[1/2]") && !LABS.get(0).ours().isEmpty());
        process.destroyForcibly();
        process.waitFor();
        assertThat(moto.counts()).isNotEqualTo(before);
        assertThat(end(moto.program(directory, "aws", "teardown", "--yes"), 200))
                .as(log())
                .isZero();
        assertThat(moto.counts()).isEqualTo(before);
        // moto's machines are the hosts of the lab: their processes end by the guard on each host.
        Moto.await("the guards end what runs", 200, () -> LABS.get(0).ours().isEmpty());
    }

    @Test
    void machinesAreKeptForTheTimeThatWasAskedFor() throws Exception {
        assertThat(end(run("kept", "4s", 1, "--keep-for=20m"), 300)).as(log()).isZero();
        assertThat(log()).contains("kept: run ").contains("remove it with 'aws teardown --run ");
        for (String host : MACHINES) {
            assertThat(lastLease(LABS.get(0), host)).isEqualTo("20");
        }
        String id = log().replaceAll("(?s).*aws teardown --run ([a-z0-9]{8}).*", "$1");
        assertThat(end(moto.program(directory, "aws", "list", "--run", id), 60)).isZero();
        assertThat(log()).contains("instance").contains("0.170 USD/h");
        assertThat(end(moto.program(directory, "aws", "teardown", "--run", id), 200))
                .as(log())
                .isZero();
        nothingIsLeft();
    }
}
