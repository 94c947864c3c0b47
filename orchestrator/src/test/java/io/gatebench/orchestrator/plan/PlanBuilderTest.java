/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.PayloadOptions;
import io.gatebench.model.DataSize;
import io.gatebench.model.TestScenario;
import io.gatebench.orchestrator.GatewaySource;
import io.gatebench.orchestrator.product.ProductRegistry;

class PlanBuilderTest {

    @TempDir
    private Path directory;

    @Test
    void takesTheDefaultsOfTheQuickProfile() {
        RunPlan plan = build(input("product", "apim"));

        assertThat(plan.plan().profile()).isEqualTo("quick");
        assertThat(plan.plan().scenarios())
                .extracting(TestScenario::name)
                .containsExactly("passthrough", "transformation", "starwars");
        assertThat(plan.plan().timing().duration().multipliedBy(plan.cells()))
                .isLessThanOrEqualTo(Duration.ofMinutes(3));
    }

    @Test
    void theReleaseProfileIsThePublishedMatrix() {
        RunPlan apim = build(input("product", "apim", "profile", "release", "exclude-scenario", "starwars"));
        RunPlan microgateway = build(input("product", "microgateway", "profile", "release"));

        assertThat(apim.cells()).isEqualTo(2 * 6 * 4);
        assertThat(microgateway.cells()).isEqualTo(144);
        assertThat(apim.plan().timing().duration()).isEqualTo(Duration.ofSeconds(900));
    }

    @Test
    void saysHowPayloadsAreMade() {
        assertThat(build(input("product", "mi")).payload()).isEqualTo(PayloadOptions.defaults());
        assertThat(build(input("product", "mi", "payload-compat", "wso2", "payload-variants", "5"))
                        .payload())
                .isEqualTo(new PayloadOptions(true, Optional.empty(), 5));
        assertThatThrownBy(() -> build(input("product", "mi", "payload-compat", "jmeter", "payload-variants", "0")))
                .isInstanceOfSatisfying(
                        PlanException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "--payload-compat must be wso2 but was 'jmeter'",
                                        "--payload-variants must be a whole number from 1 to 1000 but was '0'"));
    }

    @Test
    void refusesTwoPlacesThatTheGatewayComesFrom() {
        assertThatThrownBy(() -> build(
                        input("product", "apim", "gateway-url", "https://localhost:8243", "gateway-home", "apim.zip")))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("--gateway-url (a gateway that runs already) and --gateway-home")
                .hasMessageContaining("exclude each other");
    }

    @Test
    void limitsProcessorsOfWhatIsStartedFromAPackAlone() {
        assertThatThrownBy(() -> build(input("product", "http", "cpus", "1")))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("--gateway-config");
        assertThatThrownBy(() -> build(input("product", "apim", "cpus", "1")))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("--cpus goes with a product that is started from a pack");
        assertThatThrownBy(() -> build(input("product", "apim", "cpus", "none")))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("must be a number of processors from 0.01 to 1024, e.g. 1.5, but was 'none'");
    }

    @Test
    void collectsEveryProblemWithItsPlace() {
        PlanInput input = input(
                "product",
                "apim",
                "users",
                "ten,20,20",
                "heap",
                "2X",
                "message-size",
                "49",
                "repeat",
                "0",
                "duration",
                "2m",
                "warm-up",
                "3m");

        assertThatThrownBy(() -> build(input))
                .isInstanceOfSatisfying(
                        PlanException.class,
                        e -> assertThat(e.problems())
                                .containsExactlyInAnyOrder(
                                        "--users must be a whole number from 1 to 100000 but was 'ten'",
                                        "--users has the value '20' twice",
                                        "--heap '2X' is not a size; write a whole number with an optional unit K, M or G, e.g."
                                                + " 512M",
                                        "--message-size must be between 50 bytes (the smallest message of the chosen"
                                                + " scenarios) and 1 GiB but was '49'",
                                        "--repeat must be a whole number from 1 to 1000 but was '0'",
                                        "warm-up (180s) must be shorter than the duration (120s); shorten --warm-up or"
                                                + " lengthen --duration"));
    }

    @Test
    void suggestsWhatWasProbablyMeant() {
        assertThatThrownBy(() -> build(input("product", "apmi")))
                .hasMessage("unknown product 'apmi'; did you mean 'apim'? Known: apim, microgateway, mi, ei, http");
        assertThatThrownBy(() -> build(input("product", "apim", "scenario", "pasthrough")))
                .hasMessageStartingWith("unknown scenario 'pasthrough'; did you mean 'passthrough'?");
        assertThatThrownBy(() -> build(new PlanInput())).hasMessageStartingWith("--product is missing; one of: apim");
    }

    @Test
    void choosesScenariosByPatternAndLeavesOut() {
        RunPlan plan = build(input("product", "mi", "scenario", "CBR*,DirectProxy", "exclude-scenario", "CBRProxy"));

        assertThat(plan.plan().scenarios())
                .extracting(TestScenario::name)
                .containsExactly("CBRSOAPHeaderProxy", "CBRTransportHeaderProxy", "DirectProxy");
    }

    @Test
    void saysWhyTheBuiltInGatewayCannotServeAScenario() {
        assertThatThrownBy(() -> build(input("product", "mi", "scenario", "SecureProxy")))
                .hasMessageContaining("scenario SecureProxy cannot be served by Apache Synapse (mi scenarios): ");
    }

    @Test
    void shrinksTheDefaultWarmUpToFitAShorterDuration() {
        RunPlan plan = build(input("product", "apim", "duration", "6s"));

        assertThat(plan.plan().timing().warmUp()).isEqualTo(Duration.ofSeconds(2));
        assertThat(plan.plan().timing().rampUp()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void optionsWinOverThePlanFile() throws IOException {
        Path file = Files.writeString(directory.resolve("plan.yaml"), """
                product: apim
                heap: [512M, 1G]
                users: 5
                duration: 10s
                warm-up: 4s
                """);

        RunPlan plan = build(input("users", "7,8").over(PlanFile.read(file)));

        assertThat(plan.plan().matrix().users()).containsExactly(7, 8);
        assertThat(plan.plan().matrix().heaps()).containsExactly(DataSize.parse("512M"), DataSize.parse("1G"));
        assertThat(plan.plan().timing().warmUp()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void planFileProblemsNameFileLineAndKey() throws IOException {
        Path file = Files.writeString(directory.resolve("plan.yaml"), """
                product: apim
                userz: [1]
                heap:
                  a: b
                """);

        assertThatThrownBy(() -> PlanFile.read(file)).isInstanceOfSatisfying(PlanException.class, e -> {
            assertThat(e.problems()).hasSize(2);
            assertThat(e.problems().get(0)).startsWith(file + ":2: unknown key 'userz'; did you mean 'users'?");
            assertThat(e.problems().get(1)).isEqualTo(file + ":3: heap must be a value or a list of values");
        });
    }

    @Test
    void valuesOfAPlanFileAreNamedByTheirLine() throws IOException {
        Path file = Files.writeString(directory.resolve("plan.yaml"), "product: apim\n\nusers: [1, many]\n");

        assertThatThrownBy(() -> build(PlanFile.read(file)))
                .hasMessage(file + ":3: users must be a whole number from 1 to 100000 but was 'many'");
    }

    @Test
    void brokenYamlIsNamedByItsLine() throws IOException {
        Path file = Files.writeString(directory.resolve("plan.yaml"), "product: apim\nusers: [1, 2\nheap: 1G\n");

        assertThatThrownBy(() -> PlanFile.read(file))
                .hasMessageMatching(
                        "(?s)" + java.util.regex.Pattern.quote(file.toString()) + ":\\d: not valid YAML: .*");
        assertThatThrownBy(() -> PlanFile.read(directory.resolve("none.yaml")))
                .hasMessage("the plan file " + directory.resolve("none.yaml") + " does not exist");
    }

    private static RunPlan build(PlanInput input) {
        return new PlanBuilder(ProductRegistry.load().products()).build(input, new GatewaySource.BuiltIn());
    }

    private static PlanInput input(String... pairs) {
        PlanInput input = new PlanInput();
        for (int i = 0; i < pairs.length; i += 2) {
            String key = pairs[i];
            input.option(
                    List.of(PlanKey.values()).stream()
                            .filter(k -> k.key().equals(key))
                            .findFirst()
                            .orElseThrow(),
                    pairs[i + 1]);
        }
        return input;
    }
}
