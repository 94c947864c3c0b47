/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.PayloadOptions;
import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.GatewayRestart;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.settings.PlanException;

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
        assertThat(plan.plan().timing())
                .isEqualTo(
                        new TestTiming(Duration.ofSeconds(135), Duration.ofSeconds(120), Duration.ofSeconds(2), true));
        assertThat(plan.plan().restart()).isEqualTo(GatewayRestart.NEVER);
        for (String product : List.of("apim", "microgateway", "mi")) {
            assertThat(build(input("product", product)).estimate())
                    .as(product)
                    .isLessThanOrEqualTo(Duration.ofMinutes(4));
        }
    }

    @Test
    void waitsForASteadyLoadWhereThatIsSaidAndAGivenTimeAllowsIt() {
        assertThat(timing("warm-up", "auto:90s")).isEqualTo(timing(105, 90, true));
        assertThat(timing("warm-up", "auto", "duration", "60s")).isEqualTo(timing(60, 20, true));
        assertThat(timing("warm-up", "auto", "profile", "release").warmUp()).isEqualTo(Duration.ofSeconds(120));
        assertThat(timing("warm-up", "auto", "profile", "release").measurement())
                .isEqualTo(timing("profile", "release").measurement());
        assertThat(timing("warm-up", "40s")).isEqualTo(timing(55, 40, false));
        assertThat(timing("duration", "60s")).isEqualTo(timing(60, 20, false));
        assertThat(timing("rate", "50,100@25s")).isEqualTo(timing(35, 20, false));
        assertThat(timing("profile", "release").untilSteady()).isFalse();
        assertThatThrownBy(() -> timing("warm-up", "auto:120s", "duration", "60s"))
                .hasMessageStartingWith("warm-up (120s) must be shorter than the duration (60s)");
        assertThatThrownBy(() -> timing("warm-up", "auto", "rate", "50,100@25s"))
                .hasMessageStartingWith("--warm-up auto waits for a steady load, but this one changes by plan: open, ")
                .hasMessageEndingWith("give the warm-up a length");
        assertThatThrownBy(() -> timing("warm-up", "automatic")).hasMessageContaining("'automatic'");
    }

    private TestTiming timing(String... words) {
        List<String> all = new ArrayList<>(List.of("product", "apim"));
        all.addAll(List.of(words));
        return build(input(all.toArray(String[]::new))).plan().timing();
    }

    private static TestTiming timing(int duration, int warmUp, boolean untilSteady) {
        return new TestTiming(
                Duration.ofSeconds(duration), Duration.ofSeconds(warmUp), Duration.ofSeconds(2), untilSteady);
    }

    @Test
    void startsTheGatewayAnewWhenThePlanSaysSo() {
        assertThat(build(input("product", "mi", "restart", "scenario")).plan().restart())
                .isEqualTo(GatewayRestart.SCENARIO);
        assertThat(build(input("product", "mi", "profile", "release", "exclude-scenario", "*XSLT*"))
                        .plan()
                        .restart())
                .isEqualTo(GatewayRestart.CASE);
        assertThatThrownBy(() -> build(input("product", "mi", "restart", "always")))
                .hasMessage("--restart must be one of case, scenario, never but was 'always'");
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
    void saysHowOftenProbesGoAlong() {
        assertThat(build(input("product", "apim")).probeEvery()).isEqualTo(1000);
        assertThat(build(input("product", "apim", "probe-every", "0")).probeEvery())
                .isZero();
        assertThatThrownBy(() -> build(input("product", "apim", "probe-every", "-1")))
                .hasMessageContaining("--probe-every must be a whole number from 0 to 1000000000 but was '-1'");
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
    void givesTheGatewayProcessorsOfItsOwn() {
        assertThat(build(input("product", "apim")).plan().matrix().gatewayCpus())
                .containsExactly(GatewayCpus.AUTO);
        List<TestCase> cases =
                build(input("product", "apim", "gateway-cpus", "1,4")).plan().testCases();
        assertThat(cases).extracting(TestCase::gatewayCpus).containsOnly(GatewayCpus.of(1), GatewayCpus.of(4));
        // Each number needs a gateway of its own: its test cases follow each other.
        assertThat(cases.subList(0, cases.size() / 2))
                .allMatch(cell -> cell.id().endsWith("ms_sleep/1_cpus"));
        assertThatThrownBy(() -> build(input("product", "apim", "gateway-cpus", "half,0")))
                .isInstanceOfSatisfying(
                        PlanException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "--gateway-cpus must be auto, all or a number of processors, e.g. 2, but was"
                                                + " 'half'",
                                        "--gateway-cpus must be auto, all or a number of processors, e.g. 2, but was"
                                                + " '0'"));
    }

    @Test
    void limitsTheMemoryOfWhatItStartsAlone() {
        assertThatThrownBy(() -> build(
                        input("product", "apim", "gateway-memory", "512M,1M", "gateway-url", "https://localhost:8243")))
                .isInstanceOfSatisfying(
                        PlanException.class,
                        e -> assertThat(e.problems())
                                .containsExactlyInAnyOrder(
                                        "--gateway-memory must be at least 6M, below which nothing starts, but was"
                                                + " '1M'; give a unit, e.g. 512M",
                                        "--gateway-memory is a limit that WSO2 API Manager does not take: it runs"
                                                + " already, or its product knows of none; drop it"));
        PlanInput built = input("product", "apim", "gateway-memory", "512M");
        assertThat(build(built).plan().testCases())
                .allMatch(testCase -> testCase.id().endsWith("/512M_memory"));
        assertThatThrownBy(() -> new PlanBuilder(ProductRegistry.load().products())
                        .limited()
                        .build(built))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("here the gateway has the memory of its pod");
    }

    @Test
    void startsSeveralGatewaysInACluster() {
        PlanInput four = input("product", "apim", "gateway-replicas", "1,2,4", "users", "8,100");
        assertThatThrownBy(() -> build(four))
                .isInstanceOfSatisfying(
                        PlanException.class,
                        e -> assertThat(e.problems())
                                .containsExactly("--gateway-replicas has more than one gateway, which --environment"
                                        + " kubernetes alone starts; drop it, or run there"));
        RunPlan plan = inCluster(four);
        assertThat(plan.plan().matrix().gatewayReplicas()).containsExactly(1, 2, 4);
        assertThat(plan.demands().gatewayReplicas()).containsExactly(1, 2, 4);
        assertThat(plan.plan().testCases())
                .extracting(TestCase::gatewayReplicas)
                .contains(1, 2, 4);
        assertThat(build(input("product", "apim", "gateway-replicas", "1"))
                        .plan()
                        .testCases())
                .allMatch(cell -> cell.limits().isEmpty());
        assertThatThrownBy(() -> inCluster(input("product", "apim", "gateway-replicas", "1,4", "users", "6")))
                .hasMessageContaining(
                        "--gateway-replicas shares users out evenly, which cannot be done with 6 users over"
                                + " 4 replicas; give multiples");
        assertThatThrownBy(() -> inCluster(input(
                        "product",
                        "apim",
                        "gateway-replicas",
                        "2",
                        "users",
                        "4",
                        "gateway-url",
                        "https://localhost:8243")))
                .hasMessageContaining("--gateway-replicas starts gateways, but this one runs already; drop it");
    }

    @Test
    void startsNoReplicasThatWouldMakeTheSameTables() throws IOException {
        Path pack = directory.resolve("wso2am.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(pack))) {
            zip.putNextEntry(new ZipEntry("wso2am/bin/api-manager.sh"));
        }
        Files.writeString(directory.resolve("connector.jar"), "");
        Path settings = Files.writeString(directory.resolve("apim.yaml"), "database: {connector: connector.jar}\n");
        PlanInput input = input(
                "product",
                "apim",
                "users",
                "4",
                "gateway-home",
                pack.toString(),
                "gateway-config",
                settings.toString());
        assertThat(inCluster(input).plan().product()).isEqualTo("apim");
        input.option(PlanKey.GATEWAY_REPLICAS, "2");
        assertThatThrownBy(() -> inCluster(input))
                .isInstanceOfSatisfying(
                        PlanException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "--gateway-replicas starts gateways that have nothing in common, but the"
                                                + " settings name a database, in which each would make the same tables; drop it"
                                                + " there, or the replicas"));
    }

    private static RunPlan inCluster(PlanInput input) {
        return new PlanBuilder(ProductRegistry.load().products()).limited().build(input);
    }

    @Test
    void givesAPartOfAProcessorToAContainerAlone() {
        assertThatThrownBy(() -> build(input("product", "apim", "gateway-cpus", "0.5,2")))
                .isInstanceOfSatisfying(
                        PlanException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "--gateway-cpus must be a whole number of processors, which the gateway gets for"
                                                + " itself, but was '0.5'; a part of one is a limit, which a gateway in a"
                                                + " container or a pod can have, and with --cpus 0.5 one from a pack"));
        PlanInput parts = input("product", "apim", "gateway-cpus", "0.5,2");
        assertThat(new PlanBuilder(ProductRegistry.load().products())
                        .limited()
                        .build(parts)
                        .plan()
                        .matrix()
                        .gatewayCpus())
                .containsExactly(GatewayCpus.of(0.5), GatewayCpus.of(2));
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
    void leavesOutOfTheDefaultMatrixWhatTheBuiltInGatewayCannotServe() {
        RunPlan plan = build(input("product", "mi", "profile", "release"));

        assertThat(plan.plan().scenarios())
                .extracting(TestScenario::name)
                .contains("DirectProxy")
                .doesNotContain("XSLTEnhancedProxy");
        assertThat(plan.notes())
                .anyMatch(
                        note -> note.startsWith("Scenario XSLTEnhancedProxy was left out, because Apache Synapse (mi"));
        assertThat(build(input("product", "mi", "scenario", "DirectProxy")).notes())
                .isEmpty();
    }

    @Test
    void saysWhyTheBuiltInGatewayCannotServeAScenario() {
        assertThatThrownBy(() -> build(input("product", "mi", "scenario", "SecureProxy")))
                .hasMessageContaining("scenario SecureProxy cannot be served by Apache Synapse (mi scenarios): ")
                .hasMessageContaining("the scenario uses; leave it out: --exclude-scenario SecureProxy");
    }

    @Test
    void shrinksTheDefaultWarmUpToFitAShorterDuration() {
        RunPlan plan = build(input("product", "apim", "duration", "3s"));

        assertThat(plan.plan().timing().warmUp()).isEqualTo(Duration.ofSeconds(1));
        assertThat(plan.plan().timing().rampUp()).isEqualTo(Duration.ofMillis(500));
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

    @Test
    void anOpenModelHasUsersForAnswersOfOneSecondUnlessTheUserSays() {
        assertThat(build(input("product", "apim")).load()).isEqualTo(LoadModel.closed());

        RunPlan constant = build(input("product", "apim", "rate", "300"));
        assertThat(constant.load()).isEqualTo(LoadModel.constantRate(300));
        assertThat(constant.plan().matrix().users()).containsExactly(300);

        assertThat(build(input("product", "apim", "rate", "7.5"))
                        .plan()
                        .matrix()
                        .users())
                .containsExactly(50);
        assertThat(build(input("product", "apim", "rate", "9000", "users", "20"))
                        .plan()
                        .matrix()
                        .users())
                .containsExactly(20);
    }

    @Test
    void readsLevelsAndShapes() {
        Duration minute = Duration.ofMinutes(1);
        assertThat(load("rate", "100, 300@1m+10s, 100@2m"))
                .isEqualTo(LoadModel.steppedRate(List.of(
                        LoadModel.Level.of(Duration.ZERO, 100),
                        new LoadModel.Level(minute, 300, Duration.ofSeconds(10)),
                        LoadModel.Level.of(minute.multipliedBy(2), 100))));
        assertThat(load("rate", "staircase 100 +50 x3 every 60s"))
                .isEqualTo(LoadModel.steppedRate(LoadModel.staircase(100, 50, 3, minute)));
        assertThat(load("user-levels", "spike 10 to 80 at 1m for 500ms"))
                .isEqualTo(LoadModel.steppedUsers(LoadModel.spike(10, 80, minute, Duration.ofMillis(500))));
        assertThat(load("think-time", "200", "pacing", "1s"))
                .isEqualTo(
                        LoadModel.closed().withThinkTime(Duration.ofMillis(200)).withPacing(Duration.ofSeconds(1)));
        assertThat(build(input("product", "apim", "duration", "5m", "user-levels", "10,80@1m"))
                        .plan()
                        .matrix()
                        .users())
                .containsExactly(80);
    }

    private static LoadModel load(String... pairs) {
        return build(input(pairs).over(input("product", "apim", "duration", "5m")))
                .load();
    }

    @Test
    void writesLevelsAsItReadsThem() {
        List<LoadModel.Level> levels = List.of(
                LoadModel.Level.of(Duration.ZERO, 0.5),
                new LoadModel.Level(Duration.ofMillis(1500), 100_000, Duration.ofMillis(250)));

        assertThat(LoadLevels.texts(levels)).containsExactly("0.5@0ms", "100000@1500ms+250ms");
        assertThat(LoadLevels.parse(LoadLevels.texts(levels))).isEqualTo(levels);
    }

    @Test
    void refusesLoadsThatMakeNoSense() {
        refuses("--rate must be a number, levels such as 100,300@1m,100@2m+10s, or one shape", "rate", "fast");
        refuses("--rate must be a number, levels such as", "rate", "100,200");
        refuses("--rate needs a level above 0", "rate", "0");
        refuses("--rate must be at most 1000000 but holds 1.0E7", "rate", "10000000");
        refuses(
                "--rate has a level from 400000 ms on, but the test ends after 300000 ms; lengthen --duration",
                "rate",
                "1,2@400s");
        refuses("load level 2 begins at PT10S but must begin when the one before is reached", "rate", "1@0+20s,2@10s");
        refuses("--user-levels must be whole numbers up to 100000 but holds 1.5", "user-levels", "1.5");
        refuses("--rate (an open model) and --user-levels (a closed one) exclude", "rate", "1", "user-levels", "1");
        refuses("think time and pacing belong to the closed model", "rate", "1", "think-time", "1s");
        refuses("--users has no effect beside --user-levels", "users", "5", "user-levels", "1");
        refuses(
                "--backend-delay must be at most 1h, which is the longest that the back end waits",
                "backend-delay",
                "61m");
    }

    private static void refuses(String problem, String... pairs) {
        assertThatThrownBy(() -> load(pairs))
                .isInstanceOfSatisfying(
                        PlanException.class,
                        e -> assertThat(e.problems()).singleElement().asString().startsWith(problem));
    }

    @Test
    void sendsAFileAndChecksWhatItsAnswerCanHold() throws IOException {
        Path file = Files.writeString(directory.resolve("order.xml"), "<order/>");
        RunPlan plan = build(
                input("product", "apim", "scenario", "passthrough,transformation", "payload-file", file.toString()));

        assertThat(plan.payload()).isEqualTo(new PayloadOptions(false, Optional.of(file), 1));
        assertThat(plan.plan().matrix().messageSizes()).containsExactly(8);
        assertThat(plan.plan().scenarios())
                .allSatisfy(scenario -> assertThat(scenario.check().contains()).isEmpty());
        assertThat(plan.plan().scenarios().get(0).check().sameLengthAsRequest()).isTrue();

        assertThatThrownBy(() -> build(input(
                        "product",
                        "apim",
                        "scenario",
                        "starwars",
                        "payload-file",
                        file.toString(),
                        "message-size",
                        "99",
                        "payload-variants",
                        "2")))
                .isInstanceOfSatisfying(
                        PlanException.class,
                        e -> assertThat(e.problems())
                                .containsExactlyInAnyOrder(
                                        "scenario starwars is measured by its queries or elements, so it cannot send "
                                                + file + "; leave it out: --exclude-scenario starwars",
                                        "--payload-variants has no effect on the payload of a file; drop it, or the payload"
                                                + " file",
                                        "--message-size has no effect on the payload of a file; drop it, or the payload file"));
        assertThatThrownBy(() -> build(input("product", "apim", "payload-file", "none.json")))
                .hasMessageContaining("--payload-file must be a file that can be read but was 'none.json'");
    }

    @Test
    void aPlanThatIsReadAgainSendsTheSameLoad() throws IOException {
        Path file = Files.writeString(directory.resolve("order.xml"), "<order/>");
        PlanInput input = input("product", "apim", "rate", "5,10@1s", "payload-file", file.toString());
        Path plan = directory.resolve("plan.yaml");
        PlanFile.write(plan, input);

        assertThat(PlanFile.read(plan).get(PlanKey.RATE).orElseThrow().values()).containsExactly("5", "10@1s");
        assertThat(PlanDifference.measurementSettings(PlanFile.read(plan), input))
                .isEmpty();
        assertThat(PlanDifference.measurementSettings(PlanFile.read(plan), input("rate", "6")))
                .containsExactly("rate: was [5, 10@1s], is [6]");
    }

    @Test
    void aPlanThatIsReadElsewhereFindsItsPack() {
        Path plan = directory.resolve("plan.yaml");
        PlanFile.write(plan, input("product", "mi", "gateway-home", "wso2mi.zip"));

        assertThat(PlanFile.read(plan).get(PlanKey.GATEWAY_HOME).orElseThrow().values())
                .containsExactly(Path.of("wso2mi.zip").toAbsolutePath().toString());

        PlanFile.write(plan, input("product", "mi", "gateway-home", "s3://packs/wso2mi.zip"));

        assertThat(PlanFile.read(plan).get(PlanKey.GATEWAY_HOME).orElseThrow().values())
                .containsExactly("s3://packs/wso2mi.zip");
    }

    @Test
    void refusesASecondProductOrFileInsteadOfDroppingIt() {
        assertThatThrownBy(() -> build(input("product", "apim,mi"))).hasMessage("--product takes one value but has 2");
        assertThatThrownBy(() -> build(input("product", "http", "gateway-config", "a.yaml,b.yaml")))
                .hasMessage("--gateway-config takes one value but has 2");
    }

    private static RunPlan build(PlanInput input) {
        return new PlanBuilder(ProductRegistry.load().products()).build(input);
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
