/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds every form of the templates to the policy: nothing open, nothing unencrypted, nothing that stays, no secret. */
class StackTemplateIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LOGIN = "ssh-ed25519 AAAAC3Nza x";

    @TempDir
    private Path directory;

    private Map<String, String> variants() throws IOException {
        Path plain = Files.writeString(directory.resolve("plain.yaml"), "load-generators: 2\n");
        Path full = Files.writeString(
                directory.resolve("full.yaml"),
                "image: ubuntu-24.04\ndatabase: {type: db.m5.large, version: 8.4.3}\npackages: [sysstat]\n");
        AwsSettings first = AwsSettingsFile.read(plain);
        AwsSettings second = AwsSettingsFile.read(full);
        Map<String, String> hostKeys =
                Map.of("gateway", LOGIN, "backend", LOGIN, "load-generator-1", LOGIN, "load-generator-2", LOGIN);
        return Map.of(
                "machines.json",
                        StackTemplate.machines(first, "abcd1234", "gatebench-abcd1234-1", LOGIN, hostKeys, true),
                "own-host-keys.json",
                        StackTemplate.machines(first, "abcd1234", "gatebench-abcd1234-1", LOGIN, Map.of(), false),
                "database.json",
                        StackTemplate.machines(second, "abcd1234", "gatebench-abcd1234-1", LOGIN, hostKeys, false),
                "guard.json",
                        StackTemplate.guard(
                                "abcd1234",
                                List.of("gatebench-abcd1234-1", "gatebench-abcd1234-2"),
                                "2026-11-21T18:00:00",
                                Optional.empty()),
                "guard-with-archive.json",
                        StackTemplate.guard(
                                "abcd1234",
                                List.of("gatebench-abcd1234-1"),
                                "2026-11-21T18:00:00",
                                Optional.of(ObjectPlace.of("s3://results/perf/abcd1234"))));
    }

    private List<JsonNode> resources(String type) throws IOException {
        List<JsonNode> all = new ArrayList<>();
        for (String template : variants().values()) {
            for (JsonNode resource : JSON.readTree(template).path("Resources")) {
                if (resource.path("Type").asText().equals(type)) {
                    all.add(resource.path("Properties"));
                }
            }
        }
        assertThat(all).as(type).isNotEmpty();
        return all;
    }

    @Test
    void lintsClean() throws Exception {
        List<String> command = new ArrayList<>(List.of("cfn-lint", "--regions", "us-east-1", "eu-west-1", "--"));
        for (Map.Entry<String, String> variant : variants().entrySet()) {
            command.add(Files.writeString(directory.resolve(variant.getKey()), variant.getValue())
                    .toString());
        }
        for (String pattern : List.of("machines.yaml", "guard.yaml")) {
            command.add(Path.of("src/main/resources/io/gatebench/aws", pattern)
                    .toAbsolutePath()
                    .toString());
        }
        Process lint;
        try {
            lint = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("lint.log").toFile())
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "cfn-lint is not there; install cfn-lint with pip, as .ci/install does");
            return;
        }
        assertThat(lint.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(directory.resolve("lint.log"))).isEmpty();
        assertThat(lint.exitValue()).isZero();
    }

    @Test
    void nothingIsOpenToTheWorld() throws IOException {
        for (JsonNode group : resources("AWS::EC2::SecurityGroup")) {
            for (JsonNode rule : group.path("SecurityGroupIngress")) {
                boolean fromCaller = rule.path("CidrIp").path("Ref").asText().equals("Caller");
                assertThat(fromCaller || rule.has("SourceSecurityGroupId"))
                        .as(rule.toString())
                        .isTrue();
                assertThat(rule.path("FromPort")).isEqualTo(rule.path("ToPort"));
            }
        }
        for (JsonNode rule : resources("AWS::EC2::SecurityGroupIngress")) {
            assertThat(rule.has("SourceSecurityGroupId")).isTrue();
            assertThat(rule.has("CidrIp")).isFalse();
        }
        JsonNode caller = JSON.readTree(variants().get("machines.json"))
                .path("Parameters")
                .path("Caller");
        assertThat("0.0.0.0/0").doesNotMatch(caller.path("AllowedPattern").asText());
        assertThat("203.0.113.7/32").matches(caller.path("AllowedPattern").asText());
    }

    @Test
    void machinesEndThemselvesAndEncryptTheirDisks() throws IOException {
        for (JsonNode instance : resources("AWS::EC2::Instance")) {
            assertThat(instance.path("InstanceInitiatedShutdownBehavior").asText())
                    .isEqualTo("terminate");
            assertThat(instance.path("MetadataOptions").path("HttpTokens").asText())
                    .isEqualTo("required");
            assertThat(instance.path("PropagateTagsToVolumeOnCreation").asBoolean())
                    .isTrue();
            JsonNode disk = instance.path("BlockDeviceMappings").path(0).path("Ebs");
            assertThat(disk.path("Encrypted").asBoolean()).isTrue();
            assertThat(disk.path("DeleteOnTermination").asBoolean()).isTrue();
            JsonNode encoded = instance.path("UserData").path("Fn::Base64");
            String userData = encoded.path("Fn::Sub").asText(encoded.asText());
            assertThat(userData.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(12_000);
            assertThat(userData)
                    .startsWith("#cloud-config\n")
                    .contains("shutdown -h +30")
                    .contains("[/usr/local/sbin/gatebench-lease, \"30\"]")
                    .contains(LOGIN);
        }
    }

    @Test
    void theDatabaseIsClosedEncryptedAndGoesWithItsBackups() throws IOException {
        JsonNode database = resources("AWS::RDS::DBInstance").get(0);
        assertThat(database.path("PubliclyAccessible").asBoolean(true)).isFalse();
        assertThat(database.path("StorageEncrypted").asBoolean()).isTrue();
        assertThat(database.path("ManageMasterUserPassword").asBoolean()).isTrue();
        assertThat(database.has("MasterUserPassword")).isFalse();
        assertThat(database.path("BackupRetentionPeriod").asInt(-1)).isZero();
        assertThat(JSON.readTree(variants().get("database.json"))
                        .path("Resources")
                        .path("Database")
                        .path("DeletionPolicy")
                        .asText())
                .isEqualTo("Delete");
    }

    @Test
    void rightsNameWhatTheyAreFor() throws IOException {
        for (JsonNode role : resources("AWS::IAM::Role")) {
            assertThat(role.path("Path").asText()).isEqualTo("/gatebench/abcd1234/");
            for (JsonNode statement :
                    role.path("Policies").path(0).path("PolicyDocument").path("Statement")) {
                boolean everything = statement.path("Resource").asText().equals("*");
                boolean reads = true;
                for (JsonNode action : statement.path("Action")) {
                    assertThat(action.asText()).doesNotMatch("[a-z0-9]*:?\\*");
                    reads &= action.asText().matches("[a-z0-9]+:Describe\\*");
                }
                assertThat(!everything || reads || statement.has("Condition"))
                        .as(statement.toString())
                        .isTrue();
            }
        }
    }

    @Test
    void onlyTheMachineThatArchivesHasAProfileAndItMayPutBelowItsRunAlone() throws IOException {
        JsonNode machines = JSON.readTree(variants().get("machines.json")).path("Resources");
        assertThat(machines.path("LoadGenerator1")
                        .path("Properties")
                        .path("IamInstanceProfile")
                        .path("Ref")
                        .asText())
                .isEqualTo("Profile");
        for (String other : List.of("Gateway", "Backend", "LoadGenerator2")) {
            assertThat(machines.path(other).path("Properties").has("IamInstanceProfile"))
                    .isFalse();
        }
        assertThat(variants().get("database.json")).doesNotContain("IamInstanceProfile");
        assertThat(variants().get("guard.json")).doesNotContain("InstanceProfile");
        JsonNode role = JSON.readTree(variants().get("guard-with-archive.json"))
                .path("Resources")
                .path("ArchiveRole")
                .path("Properties");
        assertThat(role.path("AssumeRolePolicyDocument").toString()).contains("\"Service\":\"ec2.amazonaws.com\"");
        assertThat(role.path("Policies")).hasSize(1);
        assertThat(role.path("Policies").path(0).path("PolicyDocument").path("Statement"))
                .hasToString("[{\"Effect\":\"Allow\",\"Action\":[\"s3:PutObject\"],\"Resource\":[{\"Fn::Sub\":"
                        + "\"arn:${AWS::Partition}:s3:::results/perf/abcd1234/*\"}]}]");
    }

    @Test
    void everyParameterOfAPatternIsFilledInOrAsksForAValue() throws IOException {
        Set<String> asked = new TreeSet<>();
        for (String template : variants().values()) {
            JsonNode parameters = JSON.readTree(template).path("Parameters");
            parameters.fieldNames().forEachRemaining(asked::add);
            Set<String> defined = new TreeSet<>();
            parameters.fieldNames().forEachRemaining(defined::add);
            JSON.readTree(template).path("Resources").fieldNames().forEachRemaining(defined::add);
            for (JsonNode reference : JSON.readTree(template).findValues("Ref")) {
                assertThat(defined).contains(reference.asText());
            }
            assertThat(template)
                    .doesNotContain("${Stack}", "${Run}", "${At}", "${MachineName}", "${Bucket}", "${Prefix}");
        }
        assertThat(asked)
                .containsExactly(
                        "BackendHostKey",
                        "Caller",
                        "GatewayHostKey",
                        "Image",
                        "LoadGenerator1HostKey",
                        "LoadGenerator2HostKey",
                        "Profile");
    }

    @Test
    void holdsNoSecret() throws IOException {
        for (String template : variants().values()) {
            assertThat(template).doesNotContain("PRIVATE KEY").doesNotContainIgnoringCase("\"MasterUserPassword\"");
            JSON.readTree(template).path("Parameters").properties().forEach(parameter -> {
                if (parameter.getKey().endsWith("HostKey")) {
                    assertThat(parameter.getValue().path("NoEcho").asBoolean()).isTrue();
                }
            });
        }
    }

    @Test
    void timersDeleteTheirStackAtTheEnd() throws IOException {
        List<JsonNode> timers = resources("AWS::Scheduler::Schedule");
        assertThat(timers)
                .hasSize(3)
                .allSatisfy(timer ->
                        assertThat(timer.path("ScheduleExpression").asText()).isEqualTo("at(2026-11-21T18:00:00)"))
                .anySatisfy(
                        timer -> assertThat(timer.path("Target").path("Input").asText())
                                .isEqualTo("{\"StackName\": \"gatebench-abcd1234-2\"}"));
    }
}
