/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewaySettingsTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void createFile() throws IOException {
        file = Files.writeString(folder.resolve("some.file"), "id:secret\n");
    }

    @Test
    void hasTheDocumentedDefaults() {
        GatewaySettings settings = read("--gateway.backend=http://127.0.0.1:8688", "--gateway.jwt-public-key=" + file);

        assertThat(settings.profile()).isEqualTo(GatewayProfile.APIM);
        assertThat(settings.listener().bind()).isEqualTo("127.0.0.1");
        assertThat(settings.listener().httpsPort()).isEqualTo(8243);
        assertThat(settings.listener().httpPort()).isEmpty();
        assertThat(settings.listener().http2()).isFalse();
        assertThat(settings.listener().keystore()).isEmpty();
        assertThat(settings.backend().timeout()).isEqualTo(Duration.ofSeconds(120));
        assertThat(settings.jwt().cache()).isZero();
        assertThat(settings.jwt().clockSkew()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.jwt().acceptPadding()).isFalse();
        assertThat(settings.introspection()).isEmpty();
    }

    @Test
    void listensWhereTheMicrogatewayDoes() {
        assertThat(read(
                                "--gateway.profile=microgateway",
                                "--gateway.backend=http://h:1",
                                "--gateway.jwt-public-key=" + file)
                        .listener()
                        .httpsPort())
                .isEqualTo(9095);
    }

    @Test
    void readsValuesAfterASpaceOrAnEqualsSign() {
        GatewaySettings settings = read(
                "--gateway.backend",
                "https://backend.example:8243/base",
                "--gateway.jwt-accept-padding",
                "--gateway.jwt-jwks=" + file,
                "--gateway.jwt-cache-seconds",
                "60",
                "--gateway.introspection-url=http://127.0.0.1:1/introspect",
                "--gateway.introspection-credentials-file",
                file.toString());

        assertThat(settings.backend().url()).isEqualTo(URI.create("https://backend.example:8243/base"));
        assertThat(settings.jwt().acceptPadding()).isTrue();
        assertThat(settings.jwt().cache()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings.introspection()).hasValueSatisfying(introspection -> {
            assertThat(introspection.cache()).isEqualTo(Duration.ofSeconds(900));
            assertThat(introspection.credentials()).contains(new ClientCredentials("id", "secret"));
        });
        assertThat(settings.toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--gateway.https-port=70000 | --gateway.https-port must be a whole number from 0 to 65535 but was '70000'",
                "--gateway.https-port=-1 | --gateway.https-port must be a whole number from 0 to 65535 but was '-1'",
                "--gateway.http-port=x | --gateway.http-port must be a whole number from 0 to 65535 but was 'x'",
                "--gateway.backend=localhost:8688 | --gateway.backend must be an http or https URL but was 'localhost:8688'",
                "--gateway.backend=http://a b | --gateway.backend must be an http or https URL but was 'http://a b'",
                "--gateway.profile=mi | --gateway.profile must be one of apim, microgateway but was 'mi'",
                "--gateway.http2=yes | --gateway.http2 must be true or false but was 'yes'",
                "--gateway.jwt-public-key=/no/such/file | --gateway.jwt-public-key must be a file that can be read but was '/no/such/file'",
                "--gateway.keystore=/no/such/file | --gateway.keystore and --gateway.keystore-password-file must be given together",
                "--gateway.jwt-jwks=x | --gateway.jwt-public-key and --gateway.jwt-jwks exclude each other",
                "--gateway.introspection-url=ftp://x | --gateway.introspection-url must be an http or https URL but was 'ftp://x'",
                "--gateway.jwt-cache-seconds=1.5 | --gateway.jwt-cache-seconds must be a whole number from 0 to 86400 but was '1.5'",
                "--gateway.colour=red | unknown option '--gateway.colour'",
                "--gateway.jwt-pubic-key=x | unknown option '--gateway.jwt-pubic-key'; did you mean '--gateway.jwt-public-key'?",
                "run | 'run' is no option: options are --gateway.<name>=<value>",
            })
    void namesTheOptionTheRuleAndTheValue(String argument, String problem) {
        List<String> args =
                new ArrayList<>(List.of("--gateway.jwt-public-key=" + file, "--gateway.backend=http://h:1"));
        args.removeIf(known -> argument.startsWith(known.substring(0, known.indexOf('=') + 1)));
        args.add(argument);

        assertThatThrownBy(() -> read(args.toArray(String[]::new)))
                .asInstanceOf(InstanceOfAssertFactories.type(UsageException.class))
                .satisfies(usage -> assertThat(usage.problems()).anyMatch(line -> line.startsWith(problem)));
    }

    @Test
    void reportsAllProblemsTogether() {
        assertThatThrownBy(() -> read("--gateway.https-port=x", "--gateway.profile=y"))
                .asInstanceOf(InstanceOfAssertFactories.type(UsageException.class))
                .satisfies(usage -> assertThat(usage.problems())
                        .containsExactly(
                                "--gateway.profile must be one of apim, microgateway but was 'y'",
                                "--gateway.backend is missing: give the base URL of the back end, such as"
                                        + " http://127.0.0.1:8688",
                                "--gateway.https-port must be a whole number from 0 to 65535 but was 'x'",
                                "no way to check tokens: give --gateway.jwt-public-key, --gateway.jwt-jwks or"
                                        + " --gateway.introspection-url"));
    }

    @Test
    void doesNotShowWhatIsInABrokenCredentialsFile() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken"), "topsecret");

        assertThatThrownBy(() -> ClientCredentials.read(broken))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("must be <client id>:<client secret>")
                .hasMessageNotContaining("topsecret");
    }

    private static GatewaySettings read(String... args) {
        return GatewaySettings.read(new OptionReader(CommandLine.parse(args).environment()));
    }
}
