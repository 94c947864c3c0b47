/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.hosts.SshTarget;
import io.gatebench.model.NodeRole;
import io.gatebench.settings.PlanException;

class HostsFileTest {

    @TempDir
    private Path directory;

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("hosts.yaml"), text);
    }

    private List<String> problems(String text) throws IOException {
        Path file = write(text);
        PlanException refused =
                catchThrowableOfType(PlanException.class, () -> HostsFile.read(file, false, Optional.empty()));
        assertThat(refused).isNotNull();
        return refused.problems().stream()
                .map(problem -> problem.replace(directory + "/", ""))
                .toList();
    }

    @Test
    void readsHostsRolesAndDefaults() throws IOException {
        Files.writeString(directory.resolve("id"), "key");
        HostsPlan plan = HostsFile.read(write("""
            lease: 90s
            known-hosts: my_known_hosts
            defaults: {user: perf, key: id}
            hosts:
              product: 10.0.0.5
              backend: {address: 10.0.0.4, port: 2222, jump: bastion, work-directory: /data/perf}
              load1:
              load2: {user: other, role-address: 192.168.0.3}
            roles:
              gateway: product
              backend: backend
              load-generator: [load1, load2]
            """), true, Optional.of(directory.resolve("id")));

        assertThat(plan.hosts().get("load1").installJava()).contains(directory.resolve("id"));
        assertThat(plan.settings().lease()).isEqualTo(Duration.ofSeconds(90));
        assertThat(plan.settings().knownHosts()).isEqualTo(directory.resolve("my_known_hosts"));
        assertThat(plan.settings().acceptNewHostKeys()).isTrue();
        assertThat(plan.hosts()).containsOnlyKeys("product", "backend", "load1", "load2");
        SshTarget backend = plan.hosts().get("backend");
        assertThat(backend.port()).hasValue(2222);
        assertThat(backend.jump()).contains("bastion");
        assertThat(backend.user()).contains("perf");
        assertThat(backend.keys()).containsExactly(directory.resolve("id"));
        assertThat(plan.hosts().get("load1").destination()).isEqualTo("load1");
        assertThat(plan.hosts().get("load2").user()).contains("other");
        assertThat(plan.roles().get(NodeRole.LOAD_GENERATOR)).containsExactly("load1", "load2");
    }

    @Test
    void reportsAllProblemsWithTheirLines() throws IOException {
        assertThat(problems("""
            hosts:
              product: {adress: 10.0.0.5, port: 99999}
              backend: {key: none, work-directory: data}
            roles:
              gateway: [product, backend]
              backend: bakend
            lease: 1s
            extra: 1
            distribution: rmi
            """))
                .containsExactlyInAnyOrder(
                        "hosts.yaml:8: unknown key 'extra'; Known: hosts, roles, defaults,"
                                + " known-hosts, ssh-config, lease, patience, distribution",
                        "hosts.yaml:9: distribution must be processes or jmeter but was 'rmi'",
                        "hosts.yaml:2: unknown key 'adress'; did you mean 'address'? Known: address, user, port, key,"
                                + " jump, role-address, work-directory, java, install-java",
                        "hosts.yaml:2: port must be a whole number from 1 to 65535 but was '99999'",
                        "hosts.yaml:3: key names none, which cannot be read",
                        "hosts.yaml:3: work-directory must be an absolute path but was 'data'",
                        "hosts.yaml:5: gateway is one host but there are 2",
                        "hosts.yaml:6: backend names the unknown host 'bakend'; did you mean 'backend'? Known:"
                                + " product, backend",
                        "hosts.yaml:5: roles needs the key 'load-generator': the hosts of the load generators, one or"
                                + " a list",
                        "hosts.yaml: the lease must be at least 5 s but was 1000 ms: it is renewed several times in"
                                + " its length");
    }

    @Test
    void saysWhatIsMissingInAFileThatIsNone() throws IOException {
        assertThat(problems("")).containsExactly("hosts.yaml:1: the hosts file is empty");
        assertThat(problems("hosts: [a\n")).first().asString().startsWith("hosts.yaml:2: not valid YAML: ");
        assertThat(problems("hosts: {a: b}"))
                .containsExactly(
                        "hosts.yaml:1: the hosts file needs the key 'roles': which host plays which role; a host may"
                                + " play several");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-oProxyCommand=touch x", "a b", "a;b", "$(id)", "a\\nHost *"})
    void takesNoOptionAndNoSecondWordForSsh(String text) throws IOException {
        String quoted = "\"" + text + "\"";
        assertThat(problems("""
            hosts:
              one: {address: %s}
              two: {address: two, jump: %s}
              three: {address: three, user: %s, role-address: %s}
            roles: {gateway: one, backend: two, load-generator: three}
            """.formatted(quoted, quoted, quoted, quoted)))
                .hasSize(4)
                .anySatisfy(problem ->
                        assertThat(problem).startsWith("hosts.yaml:2: address must be a host name, an IP address"))
                .anySatisfy(problem -> assertThat(problem).startsWith("hosts.yaml:3: jump must be [user@]host[:port]"))
                .anySatisfy(problem -> assertThat(problem).startsWith("hosts.yaml:4: user must be a login"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.5", "fe80::1%eth0", "[2001:db8::1]", "load-1.example.org", "my_alias", "_x"})
    void takesWhatSshCallsAHost(String address) throws IOException {
        HostsPlan plan = HostsFile.read(write("""
            hosts:
              one: {address: "%s", user: "DOM\\\\ain$", jump: "perf@bastion:2222,10.0.0.1,root@[::1]:22"}
            roles: {gateway: one, backend: one, load-generator: one}
            """.formatted(address)), false, Optional.empty());

        assertThat(plan.hosts().get("one").destination()).isEqualTo(address);
    }
}
