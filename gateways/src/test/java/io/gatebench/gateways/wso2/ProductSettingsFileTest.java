/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.settings.PlanException;
import io.gatebench.spi.GatewaySource;
import io.gatebench.spi.role.RoleStartException;

class ProductSettingsFileTest {

    @TempDir
    private Path directory;

    @Test
    void readsEverySettingOfApim() throws IOException {
        Files.writeString(directory.resolve("driver.jar"), "");
        Files.writeString(directory.resolve("keys.jks"), "");
        Files.writeString(directory.resolve("password"), "from the file\n");
        ProductSettings settings = read("""
                admin-url: https://localhost:9453/
                admin-user: perf
                admin-password: {file: password}
                insecure: true
                key-store: {file: keys.jks, alias: wso2carbon, password: {environment: KEYS}}
                tokens: generated
                token-count: 100
                java-home: /opt/jdk11
                start-timeout: 10m
                database:
                  host: db.example
                  user: apim
                  password: {environment: DB}
                  connector: driver.jar
                  name-prefix: perf_
                """);

        assertThat(settings.adminUrl()).contains(URI.create("https://localhost:9453"));
        assertThat(settings.adminPassword().orElseThrow().read("password", Map.of()))
                .isEqualTo("from the file");
        assertThat(settings.keyStore().orElseThrow().password().orElseThrow().read("x", Map.of("KEYS", "k")))
                .isEqualTo("k");
        assertThat(settings.tokens()).contains(ProductSettings.TokenSource.GENERATED);
        assertThat(settings.startTimeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.database().orElseThrow().server().orElseThrow().port())
                .isEqualTo(3306);
        assertThat(settings.database().orElseThrow().prefix()).isEqualTo("perf_");
    }

    @Test
    void findsEveryProblemWithItsLine() {
        PlanException problems = catchThrowableOfType(PlanException.class, () -> read("""
                admin-url: ftp://x
                admin-pasword: secret
                admin-password: secret
                ca: nowhere.pem
                tokens: some
                database:
                  host: db
                """));

        assertThat(problems.problems())
                .anySatisfy(p -> assertThat(p).contains(":1: admin-url must be scheme, host and port"))
                .anySatisfy(
                        p -> assertThat(p).contains(":2: unknown key 'admin-pasword'; did you mean 'admin-password'"))
                .anySatisfy(p -> assertThat(p).contains(":3: admin-password is never written into a file of settings"))
                .anySatisfy(p -> assertThat(p).contains(":4: ca names").contains("which does not exist"))
                .anySatisfy(p -> assertThat(p).contains(":5: tokens must be generated or fetched but was 'some'"))
                .anySatisfy(p -> assertThat(p).contains("database needs the key 'connector'"));
    }

    @Test
    void aDatabaseWithoutAServerIsTheOneThatIsCreatedForTheRun() throws IOException {
        Files.writeString(directory.resolve("driver.jar"), "");
        ProductSettings settings = read("database: {connector: driver.jar}\n");

        assertThat(settings.database().orElseThrow().server()).isEmpty();

        PlanException half = catchThrowableOfType(
                PlanException.class, () -> read("database: {connector: driver.jar, host: db.example}\n"));
        assertThat(half.problems())
                .anySatisfy(p -> assertThat(p).contains("database needs the key 'user'"))
                .anySatisfy(p -> assertThat(p).contains("database needs the key 'password'"));
    }

    @Test
    void aContainerIsForTheBuiltInGatewayAlone() throws IOException {
        Path file = Files.writeString(
                directory.resolve("container.yaml"), "container: {image: localhost/base, cpus: 0.5, publish: 1}\n");
        PlanException unknown = catchThrowableOfType(
                PlanException.class,
                () -> ProductInstallation.of(ProductInstallation.Kind.MICROGATEWAY)
                        .withConfiguration(file));
        assertThat(unknown.problems())
                .singleElement()
                .satisfies(p -> assertThat(p).contains("unknown key 'publish'"));

        Files.writeString(file, "container: {image: localhost/base, cpus: 0.5}\n");
        ProductInstallation product =
                ProductInstallation.of(ProductInstallation.Kind.MICROGATEWAY).withConfiguration(file);
        assertThat(product.gateway("mine", new GatewaySource.BuiltIn(), Map.of()))
                .isEmpty();
        assertThat(product.container().orElseThrow().cpus()).hasValue(0.5);
        assertThatThrownBy(() -> product.gateway("mine", new GatewaySource.Pack(directory), Map.of()))
                .hasMessageContaining("container goes with the built-in gateway");

        Files.writeString(file, "container: {image: localhost/base}\ntoken-count: 5\n");
        assertThatThrownBy(() -> ProductInstallation.of(ProductInstallation.Kind.MICROGATEWAY)
                        .withConfiguration(file)
                        .gateway("mine", new GatewaySource.BuiltIn(), Map.of()))
                .hasMessageContaining("settings beside container have no effect");
    }

    @Test
    void aSecretThatIsNotThereIsNamedByItsPlace() {
        assertThatThrownBy(() -> Secret.environment("NOT_SET").read("password of the administrator", Map.of()))
                .isInstanceOf(RoleStartException.class)
                .hasMessage("the password of the administrator is missing: the environment variable NOT_SET is empty"
                        + " or not set");
    }

    @Test
    void readsAndChangesADeploymentToml() {
        CarbonConfig config = new CarbonConfig("""
                [server]
                hostname = "localhost"
                [super_admin]
                username = "admin"
                password = "ad#min" # the default
                create_admin_account = true
                [keystore.tls]
                file_name =  "wso2carbon.jks"
                password = "$ref{keystore.password}"
                [database.apim_db]
                type = "h2"
                url = "jdbc:h2:./x"
                [[apim.gateway.environment]]
                name = "Default"
                """);

        assertThat(config.value("super_admin", "password")).contains("ad#min");
        assertThat(config.value("keystore.tls", "file_name")).contains("wso2carbon.jks");
        assertThat(config.value("keystore.tls", "password")).isEmpty();
        assertThat(config.value("nothing", "here")).isEmpty();

        Map<String, Map<String, String>> tables = new LinkedHashMap<>();
        tables.put("database.apim_db", Map.of("type", "mysql"));
        CarbonConfig changed = new CarbonConfig(config.withTables(tables));
        assertThat(changed.value("database.apim_db", "type")).contains("mysql");
        assertThat(changed.value("database.apim_db", "url")).isEmpty();
        assertThat(changed.value("apim.gateway.environment", "name")).contains("Default");
        assertThat(changed.value("server", "hostname")).contains("localhost");
    }

    private ProductSettings read(String text) throws IOException {
        return ProductSettingsFile.read(
                Files.writeString(directory.resolve("apim.yaml"), text), ProductSettingsFile.APIM);
    }
}
