/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** moto, which answers as AWS does and pretends to have machines, and the packaged program that takes it for AWS. */
final class Moto implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ALIVE = "&Filter.1.Name=instance-state-name&Filter.1.Value.1=pending"
            + "&Filter.1.Value.2=running&Filter.1.Value.3=stopping&Filter.1.Value.4=stopped";
    /** The questions to EC2, and what stands once for each thing in the answer. */
    private static final Map<String, String> EC2 = Map.of(
            "DescribeInstances" + ALIVE,
            "<instanceId>",
            "DescribeVpcs",
            "<cidrBlock>",
            "DescribeSubnets",
            "<subnetId>",
            "DescribeSecurityGroups",
            "<groupDescription>",
            "DescribeRouteTables",
            "<routeTableId>",
            "DescribeInternetGateways",
            "<internetGatewayId>",
            "DescribeNetworkInterfaces",
            "<networkInterfaceId>",
            "DescribeVolumes",
            "<volumeId>",
            "DescribeAddresses",
            "<allocationId>",
            "DescribeKeyPairs",
            "<keyName>");

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final URI uri;

    private Moto(Process process, URI uri) {
        this.process = process;
        this.uri = uri;
    }

    /** Returns why there is no moto here, empty if there is. */
    static String hindrance() throws InterruptedException {
        try {
            Process help = new ProcessBuilder("moto_server", "--help")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (help.waitFor(60, TimeUnit.SECONDS) && help.exitValue() == 0) {
                return "";
            }
        } catch (IOException e) {
            return "moto_server is not there; install moto with pip, as .ci/install does";
        }
        return "moto_server --help fails";
    }

    static Moto start() throws Exception {
        return start(Map.of());
    }

    /** Starts one whose stacks have a database with a password, at an address; see {@code src/test/moto}. */
    static Moto startWithDatabaseAt(String address) throws Exception {
        return start(Map.of(
                "PYTHONPATH",
                Path.of("src/test/moto").toAbsolutePath().toString(),
                "GATEBENCH_TEST_DATABASE",
                address));
    }

    private static Moto start(Map<String, String> environment) throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        ProcessBuilder builder = new ProcessBuilder("moto_server", "-H", "127.0.0.1", "-p", String.valueOf(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        Process process = builder.start();
        Moto moto = new Moto(process, URI.create("http://127.0.0.1:" + port));
        await("moto answers", 60, () -> {
            try {
                moto.send("GET", "/moto-api/", "ec2", "");
                return true;
            } catch (ConnectException e) {
                return false;
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        return moto;
    }

    static void await(String what, int seconds, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + seconds + " s: " + what);
            }
            Thread.sleep(100);
        }
    }

    private String send(String method, String path, String service, String form)
            throws IOException, InterruptedException {
        return send(method, path, service, form, "Content-Type", "application/x-www-form-urlencoded");
    }

    private String secrets(String action, String request) throws IOException, InterruptedException {
        return send(
                "POST",
                "/",
                "secretsmanager",
                request,
                "Content-Type",
                "application/x-amz-json-1.1",
                "X-Amz-Target",
                "secretsmanager." + action);
    }

    /** Returns the names of the secrets of the account. */
    List<String> secrets() {
        List<String> names = new ArrayList<>();
        try {
            JSON.readTree(secrets("ListSecrets", "{}"))
                    .path("SecretList")
                    .forEach(secret -> names.add(secret.path("Name").asText()));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return names;
    }

    /** Returns what is in a secret. */
    JsonNode secret(String name) throws IOException, InterruptedException {
        String answer = secrets("GetSecretValue", "{\"SecretId\": \"" + name + "\"}");
        return JSON.readTree(JSON.readTree(answer).path("SecretString").asText());
    }

    private String send(String method, String path, String service, String body, String... headers)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(uri.resolve(path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .headers(headers)
                        // moto finds the service by this and does not look at the signature.
                        .header(
                                "Authorization",
                                "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/" + service
                                        + "/aws4_request, SignedHeaders=host, Signature=none")
                        .timeout(Duration.ofSeconds(30))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(service + " " + body + ": " + answer.body());
        }
        return answer.body();
    }

    /** Makes a bucket. */
    void bucket(String name) throws IOException, InterruptedException {
        send("PUT", "/" + name, "s3", "");
    }

    /** Puts an object into a bucket. */
    void object(String path, String content) throws IOException, InterruptedException {
        send("PUT", path, "s3", content);
    }

    /** Returns what the account says of the objects of a bucket. */
    String objects(String bucket) throws IOException, InterruptedException {
        return send("GET", "/" + bucket + "?list-type=2", "s3", "");
    }

    /** Forgets everything but what each account has from its beginning. */
    void reset() throws IOException, InterruptedException {
        send("POST", "/moto-api/reset", "ec2", "");
    }

    /**
     * Counts what is there, service by service, without the code under test and its filters. What every account has from
     * its beginning is counted too.
     */
    Map<String, Integer> counts() throws IOException, InterruptedException {
        Map<String, Integer> counts = new TreeMap<>();
        for (Map.Entry<String, String> kind : EC2.entrySet()) {
            counts.put(kind.getKey(), count(ask("ec2", kind.getKey(), "2016-11-15"), kind.getValue()));
        }
        counts.put("DescribeStacks", count(ask("cloudformation", "DescribeStacks", "2010-05-15"), "<StackName>"));
        counts.put("ListRoles", count(ask("iam", "ListRoles", "2010-05-08"), "<RoleName>"));
        counts.put("DescribeDBInstances", count(ask("rds", "DescribeDBInstances", "2014-10-31"), "<DBInstanceStatus>"));
        counts.put("ListSecrets", secrets().size());
        counts.put("schedules", count(send("GET", "/schedules", "scheduler", ""), "\"Name\""));
        return counts;
    }

    /** Returns the number of machines that are not terminated. */
    int machines() throws IOException, InterruptedException {
        return counts().get("DescribeInstances" + ALIVE);
    }

    private String ask(String service, String action, String version) throws IOException, InterruptedException {
        return send("POST", "/", service, "Action=" + action + "&Version=" + version);
    }

    private static int count(String text, String part) {
        return (text.length() - text.replace(part, "").length()) / part.length();
    }

    /**
     * The packaged program with a home directory of its own, with credentials that no real AWS knows.
     *
     * @param directory its working and home directory, where {@code program.log} takes what it says
     */
    Process program(Path directory, String... arguments) throws IOException {
        return builder(directory, command(directory, arguments)).start();
    }

    /** The same on a terminal, on which a line is typed when it asks something. */
    Process onTerminal(Path directory, String typed, String... arguments) throws IOException {
        Path input = Files.writeString(directory.resolve("typed"), typed + "\n");
        return builder(
                        directory,
                        List.of("script", "-qec", String.join(" ", command(directory, arguments)), "/dev/null"))
                .redirectInput(input.toFile())
                .start();
    }

    private static List<String> command(Path directory, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Duser.home=" + directory,
                "-jar",
                Path.of("../orchestrator/target/orchestrator.jar")
                        .toAbsolutePath()
                        .toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private ProcessBuilder builder(Path directory, List<String> command) throws IOException {
        Path log = directory.resolve("program.log");
        Files.writeString(log, "", StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("AWS_ENDPOINT_URL", uri.toString());
        builder.environment().put("AWS_ACCESS_KEY_ID", "test");
        builder.environment().put("AWS_SECRET_ACCESS_KEY", "test");
        builder.environment().put("AWS_REGION", "us-east-1");
        builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
        return builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
