/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.ec2.model.Vpc;
import software.amazon.awssdk.services.s3.model.S3Object;

import io.gatebench.model.cloud.CloudDeployment;
import io.gatebench.model.cloud.CloudRequest;
import io.gatebench.model.cloud.CloudResource;
import io.gatebench.model.cloud.ProvisionedHosts;

/**
 * The same calls against moto, which has its own idea of what AWS answers; skipped where moto_server is not installed.
 *
 * <p>moto's own deletion of a stack leaves network parts behind, so that the sweep has real work here.
 */
class MotoIT {

    @TempDir
    private Path directory;

    @TempDir
    private static Path motoDirectory;

    private static Process moto;
    private static Aws.Target target;

    private final List<String> notes = new ArrayList<>();
    private AwsProvider provider;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(isInstalled(), "moto_server is not there; install moto with pip, as .ci/install does");
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        moto = new ProcessBuilder("moto_server", "-H", "127.0.0.1", "-p", String.valueOf(port))
                .redirectErrorStream(true)
                .redirectOutput(motoDirectory.resolve("moto.log").toFile())
                .start();
        URI uri = URI.create("http://127.0.0.1:" + port);
        awaitAnswer(uri);
        target = new Aws.Target(
                Optional.empty(),
                Optional.of(uri),
                Optional.of(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test"))));
    }

    @BeforeEach
    void forgetWhatWasThere() throws Exception {
        HttpResponse<String> reset = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(target.endpoint().orElseThrow().resolve("/moto-api/reset"))
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(reset.statusCode()).as(reset.body()).isEqualTo(200);
        provider = new AwsProvider(
                directory.resolve("state"),
                profile -> target,
                Clock.systemUTC(),
                duration -> Pause.SLEEP.of(Duration.ofMillis(100)));
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            Process help = new ProcessBuilder("moto_server", "--help")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return help.waitFor(60, TimeUnit.SECONDS) && help.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static void awaitAnswer(URI uri) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60); System.nanoTime() < end; ) {
            try {
                client.send(
                        HttpRequest.newBuilder(uri.resolve("/moto-api/")).build(),
                        HttpResponse.BodyHandlers.discarding());
                return;
            } catch (ConnectException e) {
                Thread.sleep(100);
            }
        }
        throw new IllegalStateException("moto_server does not answer at " + uri);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (moto != null) {
            moto.destroy();
            moto.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private CloudDeployment create(int stacks, String more) throws IOException {
        return create(stacks, more, false);
    }

    private CloudDeployment create(int stacks, String more, boolean detached) throws IOException {
        Path settings = directory.resolve("aws.yaml");
        Files.writeString(
                settings,
                "region: us-east-1\ncaller: 203.0.113.7/32\naddress: private\nnetwork: 10.77.0.0/24\nmax-cost: 20\n"
                        + "max-hours: 8\n" + more);
        return provider.prepare(
                        new CloudRequest(
                                settings,
                                Duration.ofMinutes(10),
                                stacks,
                                Optional.empty(),
                                Optional.empty(),
                                Duration.ZERO,
                                detached),
                        notes::add)
                .create();
    }

    /** Asks every service for everything, without the filters of the code under test. */
    private List<String> everything() {
        List<String> all = new ArrayList<>();
        try (Aws aws = new Aws(target, "us-east-1", Clock.systemUTC(), Pause.SLEEP, line -> {})) {
            aws.plain(clients -> {
                clients.stacks().describeStacks().stacks().forEach(s -> all.add(s.stackName()));
                clients.ec2().describeInstances().reservations().stream()
                        .flatMap(r -> r.instances().stream())
                        .filter(i -> !i.state().nameAsString().equals("terminated"))
                        .forEach(i -> all.add(i.instanceId()));
                List<String> standard = clients.ec2().describeVpcs().vpcs().stream()
                        .filter(vpc -> Boolean.TRUE.equals(vpc.isDefault()))
                        .map(Vpc::vpcId)
                        .toList();
                clients.ec2().describeVpcs().vpcs().forEach(v -> all.add(v.vpcId()));
                all.removeAll(standard);
                clients.ec2().describeSubnets().subnets().stream()
                        .filter(s -> !standard.contains(s.vpcId()))
                        .forEach(s -> all.add(s.subnetId()));
                clients.ec2().describeRouteTables().routeTables().stream()
                        .filter(s -> !standard.contains(s.vpcId()))
                        .forEach(s -> all.add(s.routeTableId()));
                clients.ec2().describeSecurityGroups().securityGroups().stream()
                        .filter(s -> !standard.contains(s.vpcId()))
                        .forEach(s -> all.add(s.groupId()));
                clients.ec2()
                        .describeInternetGateways()
                        .internetGateways()
                        .forEach(g -> all.add(g.internetGatewayId()));
                clients.ec2()
                        .describeNetworkInterfaces()
                        .networkInterfaces()
                        .forEach(n -> all.add(n.networkInterfaceId()));
                clients.ec2().describeVolumes().volumes().forEach(v -> all.add(v.volumeId()));
                clients.ec2().describeAddresses().addresses().forEach(a -> all.add(a.allocationId()));
                clients.ec2().describeKeyPairs().keyPairs().forEach(k -> all.add(k.keyName()));
                clients.rds().describeDBInstances().dbInstances().forEach(d -> all.add(d.dbInstanceIdentifier()));
                clients.rds().describeDBSubnetGroups().dbSubnetGroups().forEach(d -> all.add(d.dbSubnetGroupName()));
                clients.schedules().listSchedules(request -> {}).schedules().forEach(s -> all.add(s.name()));
                clients.iam().listRoles().roles().forEach(r -> all.add(r.roleName()));
                clients.iam().listInstanceProfiles().instanceProfiles().forEach(p -> all.add(p.instanceProfileName()));
                return all;
            });
        }
        return all;
    }

    @Test
    void createsMachinesAtFixedAddressesAndLeavesNothing() throws Exception {
        assertThat(everything()).isEmpty();
        try (CloudDeployment deployment = create(1, "load-generators: 2\n")) {
            assertThat(deployment.stacks().get(0).hosts())
                    .extracting(ProvisionedHosts.Machine::address)
                    .containsExactly("10.77.0.11", "10.77.0.12", "10.77.0.13", "10.77.0.14");
            assertThat(everything()).hasSizeGreaterThan(8);
        }
        assertThat(everything()).isEmpty();
    }

    @Test
    void createsADatabaseAndLeavesNothing() throws Exception {
        try (CloudDeployment deployment = create(1, "database: {type: db.m5.large, version: 8.4.3}\n")) {
            // moto's stacks do not let RDS make the password.
            assertThat(deployment.stacks().get(0).database()).isEmpty();
            assertThat(notes).anyMatch(line -> line.contains("tells no address or no password"));
            assertThat(provider.list(List.of("us-east-1"), Optional.empty()))
                    .extracting(CloudResource::kind)
                    .contains("database", "database subnet group");
        }
        assertThat(everything()).isEmpty();
    }

    private List<String> objects(String bucket) {
        try (Aws aws = new Aws(target, "us-east-1", Clock.systemUTC(), Pause.SLEEP, line -> {})) {
            return aws.plain(
                    clients -> clients.objects().listObjectsV2(request -> request.bucket(bucket)).contents().stream()
                            .map(S3Object::key)
                            .toList());
        }
    }

    private void createBucket(String bucket) {
        try (Aws aws = new Aws(target, "us-east-1", Clock.systemUTC(), Pause.SLEEP, line -> {})) {
            aws.plain(clients -> clients.objects().createBucket(request -> request.bucket(bucket)));
        }
    }

    @Test
    void theMachineOfADetachedRunMayArchiveAndNothingElse() throws Exception {
        createBucket("results");
        CloudDeployment deployment = create(1, "s3: s3://results/perf/\n", true);
        assertThat(deployment.archive()).contains("s3://results/perf/" + deployment.run());
        try (Aws aws = new Aws(target, "us-east-1", Clock.systemUTC(), Pause.SLEEP, line -> {})) {
            aws.plain(clients -> {
                assertThat(clients.ec2().describeInstances().reservations().stream()
                                .flatMap(reservation -> reservation.instances().stream())
                                .filter(instance -> instance.iamInstanceProfile() != null)
                                .map(instance -> instance.tags().stream()
                                        .filter(tag -> tag.key().equals(StackTemplate.MACHINE_TAG))
                                        .findFirst()
                                        .orElseThrow()
                                        .value()))
                        .containsExactly("load-generator-1");
                return true;
            });
        }
        assertThat(provider.list(List.of("us-east-1"), Optional.of(deployment.run())))
                .extracting(CloudResource::kind)
                .contains("instance profile");
        deployment.close();
        assertThat(everything()).isEmpty();
    }

    @Test
    void resultsGoToABucketAndPacksComeFromThere() throws Exception {
        createBucket("store");
        Path results = directory.resolve("results");
        Files.createDirectories(results.resolve("a/b"));
        Files.writeString(results.resolve("run.json"), "{}");
        Files.writeString(results.resolve("a/b/result.json"), "{\"x\": 1}");
        Path settings = Files.writeString(directory.resolve("s3.yaml"), "region: us-east-1\ns3: s3://store\n");
        provider.put(Optional.of(settings), results, "s3://store/abcd1234", notes::add);
        assertThat(objects("store")).containsExactly("abcd1234/a/b/result.json", "abcd1234/run.json");
        assertThat(notes).contains("2 files are archived at s3://store/abcd1234");

        String object = "s3://store/abcd1234/a/b/result.json";
        Path copy = provider.get(Optional.of(settings), object, notes::add);
        assertThat(copy).hasFileName("result.json").hasContent("{\"x\": 1}");
        notes.clear();
        assertThat(provider.get(Optional.of(settings), object, notes::add)).isEqualTo(copy);
        assertThat(notes).isEmpty();
        Files.writeString(results.resolve("a/b/result.json"), "{\"x\": 2}");
        provider.put(Optional.of(settings), results, "s3://store/abcd1234", notes::add);
        assertThat(provider.get(Optional.of(settings), object, notes::add)).hasContent("{\"x\": 2}");
        assertThatThrownBy(() -> provider.get(Optional.of(settings), "s3://store/none.zip", notes::add))
                .hasMessageContaining("s3://store/none.zip cannot be read");
    }

    /** As the program does on the machine that a run was left to: no settings, no credentials but those of its profile. */
    @Test
    void aMachineArchivesWithTheCredentialsOfItsProfile() throws Exception {
        createBucket("archive");
        Path results = Files.createDirectories(directory.resolve("measured"));
        Files.writeString(results.resolve("run.json"), "{}");
        List<String> asked = new CopyOnWriteArrayList<>();
        HttpServer metadata = metadata(asked);
        try {
            ProcessBuilder machine = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-Duser.home=" + directory,
                    "-cp",
                    System.getProperty("java.class.path"),
                    Machine.class.getName(),
                    results.toString());
            machine.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
            machine.environment()
                    .put(
                            "AWS_EC2_METADATA_SERVICE_ENDPOINT",
                            "http://127.0.0.1:" + metadata.getAddress().getPort());
            machine.environment()
                    .put("AWS_ENDPOINT_URL", target.endpoint().orElseThrow().toString());
            Path log = directory.resolve("machine.log");
            Process process = machine.redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
            assertThat(Files.readString(log)).contains("1 files are archived at s3://archive/abcd1234");
        } finally {
            metadata.stop(0);
        }
        assertThat(objects("archive")).containsExactly("abcd1234/run.json");
        assertThat(asked).anyMatch(path -> path.contains("/security-credentials"));
    }

    /** The service that a machine in EC2 asks for its region and the credentials of its profile. */
    private static HttpServer metadata(List<String> asked) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            asked.add(path);
            String answer = "";
            if (path.equals("/latest/api/token")) {
                exchange.getResponseHeaders().add("x-aws-ec2-metadata-token-ttl-seconds", "21600");
                answer = "token";
            } else if (path.endsWith("/security-credentials/")) {
                answer = "put-the-results";
            } else if (path.endsWith("/security-credentials/put-the-results")) {
                answer = "{\"Code\": \"Success\", \"AccessKeyId\": \"ASIAOFTHEPROFILE\", \"SecretAccessKey\": \"s\","
                        + " \"Token\": \"t\", \"Expiration\": \""
                        + Instant.now().plusSeconds(3600) + "\"}";
            } else if (path.equals("/latest/dynamic/instance-identity/document")) {
                answer = "{\"region\": \"us-east-1\"}";
            }
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(bytes.length == 0 ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }

    /** The end of a run on its machine. */
    static final class Machine {

        private Machine() {}

        public static void main(String[] args) {
            new AwsProvider().put(Optional.empty(), Path.of(args[0]), "s3://archive/abcd1234", System.out::println);
        }
    }

    @Test
    void aBucketThatIsNotThereIsSaidBeforeAnythingCosts() {
        assertThatThrownBy(() -> create(1, "s3: s3://none-of-mine/perf\n"))
                .hasMessageContaining("the bucket none-of-mine cannot be used");
        assertThat(everything()).isEmpty();
    }

    @Test
    void aRunWithoutRecordsIsFoundAndRemoved() throws Exception {
        CloudDeployment deployment = create(2, "");
        AwsProvider elsewhere = new AwsProvider(
                directory.resolve("none"),
                profile -> target,
                Clock.systemUTC(),
                duration -> Pause.SLEEP.of(Duration.ofMillis(100)));
        assertThat(elsewhere.teardown(List.of("us-east-1"), Optional.of(deployment.run()), notes::add))
                .isEmpty();
        assertThat(everything()).isEmpty();
    }
}
