/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.cloud.CloudException;
import io.gatebench.settings.JsonSchema;

class AwsSettingsFileTest {

    @TempDir
    private Path directory;

    private AwsSettings read(String text) throws IOException {
        return AwsSettingsFile.read(Files.writeString(directory.resolve("aws.yaml"), text));
    }

    @Test
    void hasThePublishedSchema() throws IOException {
        String schema = JsonSchema.of(AwsSettingsFile.TITLE, AwsSettingsFile.KEYS);
        Path file = Path.of("../docs/schemas/aws.schema.json");
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(file, schema);
        }
        assertThat(schema).isEqualTo(Files.readString(file));
    }

    @Test
    void hasDefaultsForEverything() throws IOException {
        AwsSettings settings = read("region: eu-west-1\n");
        assertThat(settings.image()).startsWith("/aws/service/ami-amazon-linux-latest/");
        assertThat(settings.user()).isEqualTo("ec2-user");
        assertThat(settings.packages()).containsExactly("java-17-amazon-corretto-devel");
        assertThat(settings.gatewayType()).isEqualTo("c5.xlarge");
        assertThat(settings.timer()).isTrue();
        assertThat(settings.lease()).isEqualTo(Duration.ofMinutes(30));
        assertThat(settings.maxCost()).isEmpty();
    }

    @Test
    void readsEveryKey() throws IOException {
        Files.writeString(directory.resolve("jdk.tar.gz"), "x");
        Files.writeString(directory.resolve("hosts"), "x");
        Files.writeString(directory.resolve("p.csv"), "x");
        AwsSettings settings = read("""
                region: eu-west-1
                profile: perf
                image: ami-0123456789abcdef0
                user: admin
                device: /dev/sda1
                instances:
                  gateway: c5.2xlarge
                  backend: c5.large
                  load-generator: m5.large
                load-generators: 2
                disk: 50
                install-java: jdk.tar.gz
                address: private
                network: 10.1.2.0/24
                caller: 198.51.100.0/24
                known-hosts: hosts
                lease: 1h
                setup-time: 15m
                max-cost: 12.5
                max-hours: 6
                timer: schedule
                database: {type: db.t3.medium, storage: 40, version: 8.4.3}
                tags: {owner: me, "cost centre": "42"}
                prices: p.csv
                s3: s3://perf-results/nightly/
                """);
        assertThat(settings.gatewayType()).isEqualTo("c5.2xlarge");
        assertThat(settings.loadGeneratorType()).isEqualTo("m5.large");
        assertThat(settings.packages()).isEmpty();
        assertThat(settings.installJava()).contains(directory.resolve("jdk.tar.gz"));
        assertThat(settings.privateAddress()).isTrue();
        assertThat(settings.archive()).hasToString("Optional[s3://perf-results/nightly]");
        assertThat(settings.maxCost()).contains(12.5);
        assertThat(settings.maxTime()).contains(Duration.ofHours(6));
        assertThat(settings.database()).contains(new AwsSettings.Database("db.t3.medium", 40, "8.4.3"));
        assertThat(settings.tags()).containsEntry("cost centre", "42").containsEntry("owner", "me");
    }

    @Test
    void reportsAllProblemsWithTheirLines() {
        assertThatThrownBy(() -> read("""
                        regoin: x
                        caller: 0.0.0.0/0
                        lease: 1m
                        network: 10.0.0.0/8
                        packages: ["a; rm"]
                        instances: {gateway: "c5.xlarge\\nfoo"}
                        tags: {"aws:x": y}
                        s3: my-bucket
                        device: /dev/../x
                        """))
                .isInstanceOf(CloudException.class)
                .hasMessageContaining("aws.yaml:1: unknown key 'regoin'")
                .hasMessageContaining("aws.yaml:2: caller must be an address or a block of at least 24 bits")
                .hasMessageContaining("aws.yaml:3: lease must be at least 5m")
                .hasMessageContaining("aws.yaml:4: network must be a block")
                .hasMessageContaining("aws.yaml:5: packages must be a package's name")
                .hasMessageContaining("aws.yaml:6: gateway must be an instance type")
                .hasMessageContaining("aws.yaml:9: device must be a device like /dev/xvda but was '/dev/../x'")
                .hasMessageContaining("aws.yaml:8: s3 must be a place in S3 like s3://bucket/name")
                .hasMessageContaining("aws.yaml:7: aws:x is no tag: it must not begin with 'aws:'");
    }

    @Test
    void aDatabaseNeedsTheTimer() {
        assertThatThrownBy(() -> read("timer: none\ndatabase: {type: db.m5.large}\n"))
                .hasMessageContaining("it needs timer: schedule");
    }

    @Test
    void aDatabaseNeedsItsCommandOnTheMachines() throws IOException {
        assertThat(read("database: {type: db.m5.large}\n").packages())
                .containsExactly("java-17-amazon-corretto-devel", "mariadb105");
        assertThat(read("image: ubuntu-24.04\njava: /opt/java\ndatabase: {type: db.m5.large}\n")
                        .packages())
                .containsExactly("mysql-client");
    }

    @Test
    void anImageOfItsOwnNeedsALogin() {
        assertThatThrownBy(() -> read("image: ami-0123456789abcdef0\n"))
                .hasMessageContaining("is not known; name it as user");
    }

    @Test
    void refusesWhatIsNoMapping() {
        assertThatThrownBy(() -> read("- a\n")).hasMessageContaining("the settings file must be a mapping");
        assertThatThrownBy(() -> read("a: [\n")).hasMessageContaining("not valid YAML");
    }
}
