/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.engine.LoadModel;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.run.Interruption;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.RunListener;

class GatewayBenchmarkTest {

    @TempDir
    private Path directory;

    @Test
    void collectsEveryProblemUnderTheNameOfItsMethod() {
        GatewayBenchmark.Builder builder = GatewayBenchmark.product("apim")
                .scenarios("passthru")
                .users(0)
                .heaps("2X")
                .duration(Duration.ofSeconds(10))
                .warmUp(Duration.ofSeconds(10));

        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(builder::build)
                .satisfies(e -> assertThat(e.problems())
                        .hasSize(4)
                        .anyMatch(text -> text.contains("unknown scenario 'passthru'; did you mean 'passthrough'"))
                        .anyMatch(text -> text.startsWith("users must be a whole number"))
                        .anyMatch(text -> text.startsWith("heaps '2X'"))
                        .anyMatch(text -> text.startsWith("warm-up (10s) must be shorter")));
    }

    @Test
    void hasAMethodForEachKeyOfAPlan() {
        Set<String> methods = Arrays.stream(GatewayBenchmark.Builder.class.getMethods())
                .map(method -> method.getName().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());

        // What there can be several of is a plural, and the product is named where a description starts.
        assertThat(PlanKey.values()).filteredOn(key -> key != PlanKey.PRODUCT).allSatisfy(key -> {
            String name = key.key().replace("-", "");
            assertThat(methods).containsAnyOf(name, name + "s", name.replaceFirst("y$", "ies"));
        });
    }

    @Test
    void saysWhichJarRentedMachinesAndPodsNeed() {
        Path settings = directory.resolve("settings.yaml");

        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(GatewayBenchmark.product("apim").aws(settings)::run)
                .withMessageContaining("add io.gatebench:gatebench-environment-aws to the class path");
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(GatewayBenchmark.product("apim").kubernetes(settings)::run)
                .withMessageContaining("add io.gatebench:gatebench-environment-kubernetes to the class path");
    }

    @Test
    void takesForPodsWhatPodsAloneCanBe() {
        GatewayBenchmark inPods = GatewayBenchmark.product("apim")
                .scenarios("passthrough")
                .users(4)
                .messageSizes(50)
                .gatewayCpus("0.5")
                .gatewayReplicas(1, 2)
                .kubernetes(directory.resolve("settings.yaml"))
                .build();

        assertThat(inPods.cells()).isEqualTo(2);
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(GatewayBenchmark.product("apim").users(4).gatewayReplicas(2)::build)
                .withMessageContaining("which --environment kubernetes alone starts");
    }

    @Test
    void refusesMachinesThatExcludeEachOtherAndLimitsOfNone() {
        Path settings = directory.resolve("settings.yaml");

        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(GatewayBenchmark.product("apim").aws(settings).kubernetes(settings)::build)
                .withMessageContaining("exclude each other");
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(GatewayBenchmark.product("apim").maxCost(5)::build)
                .withMessageContaining("go with aws(..) alone");
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(GatewayBenchmark.product("apim").aws(settings).split("tiem")::build)
                .withMessageContaining("did you mean 'time'");
    }

    @Test
    void collectsTheOtherProblemsOfAPlanWithAnUnknownProduct() {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(
                        GatewayBenchmark.product("apmi").users(0).repeats(-1).thresholds("p99 <")::build)
                .satisfies(e -> assertThat(e.problems())
                        .hasSize(4)
                        .anyMatch(text -> text.contains("unknown product 'apmi'; did you mean 'apim'"))
                        .anyMatch(text -> text.startsWith("users must be"))
                        .anyMatch(text -> text.startsWith("repeats must be"))
                        .anyMatch(text -> text.startsWith("thresholds")));
    }

    @Test
    void saysHowManyCellsItHasAndHowLongTheyTake() {
        GatewayBenchmark test = GatewayBenchmark.product("apim")
                .scenarios("passthrough", "transformation")
                .users(10, 20)
                .repeats(3)
                .duration(Duration.ofSeconds(60))
                .build();

        assertThat(test.cells()).isEqualTo(12);
        assertThat(test.estimate()).isBetween(Duration.ofMinutes(12), Duration.ofMinutes(20));
    }

    @Test
    void setsTheLoadAsTheOptionsDo() throws IOException {
        Path payload = Files.writeString(directory.resolve("order.json"), "{}");
        GatewayBenchmark.Builder open = GatewayBenchmark.product("apim")
                .scenarios("passthrough")
                .rate(50)
                .payloadFile(payload);
        GatewayBenchmark.Builder closed = GatewayBenchmark.product("apim")
                .scenarios("passthrough")
                .userLevels(LoadModel.staircase(5, 5, 2, Duration.ofSeconds(2)))
                .thinkTime(Duration.ofMillis(20))
                .pacing(Duration.ofMillis(100))
                .payloadVariants(3)
                .probeEvery(100);

        assertThat(open.build().cells()).isEqualTo(1);
        assertThat(closed.build().cells()).isEqualTo(1);
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(closed.rates(LoadModel.spike(1, 5, Duration.ofSeconds(1), Duration.ofSeconds(1)))::build)
                .withMessageContaining("exclude each other");
    }

    @Test
    void isNotChangedByItsBuilderAnyMore() {
        GatewayBenchmark.Builder builder =
                GatewayBenchmark.product("apim").scenarios("passthrough").users(10);
        GatewayBenchmark test = builder.build();

        builder.users(10, 20, 30);

        assertThat(test.cells()).isEqualTo(1);
    }

    @Test
    void takesAnyUrlAndRefusesWhatIsNone() {
        assertThat(GatewayBenchmark.url(URI.create("http://127.0.0.1:9090/orders/it's?a=1"))
                        .users(5)
                        .build()
                        .cells())
                .isEqualTo(1);
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> GatewayBenchmark.url(URI.create("ftp://127.0.0.1/x")));
    }

    @Test
    void takesPlanFilesAndLetsMethodsWinOverThem() throws Exception {
        Path file = Files.writeString(
                directory.resolve("plan.yaml"), "product: apim\nscenario: passthrough\nusers: [1, 2]\n");

        assertThat(GatewayBenchmark.plan(file).build().cells()).isEqualTo(2);
        assertThat(GatewayBenchmark.plan(file)
                        .option(PlanKey.USERS, "7")
                        .build()
                        .cells())
                .isEqualTo(1);
    }

    @Test
    void resumesOnlyWhatWasMeasuredInTheSameWay() throws Exception {
        Files.writeString(directory.resolve("plan.yaml"), "product: apim\nscenario: passthrough\nusers: [1, 2]\n");

        assertThat(GatewayBenchmark.resume(directory).build().cells()).isEqualTo(2);
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(GatewayBenchmark.resume(directory).rate(20)::build)
                .withMessageContaining("rate: was the default, is [20");
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(GatewayBenchmark.resume(directory).option(PlanKey.HTTP_CLIENT, "jmeter")::build)
                .withMessageContaining("http-client: was the default, is [jmeter]");
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(GatewayBenchmark.resume(directory.resolve("none"))::build)
                .withMessageContaining("there is no results directory");
        Files.delete(directory.resolve("plan.yaml"));
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(GatewayBenchmark.resume(directory)::build)
                .withMessageContaining("has no plan.yaml");
    }

    @Test
    void turnsAnInterruptOfTheThreadIntoTheEndOfTheRunAndKeepsItForLater() {
        Interruption interruption = new Interruption();
        List<String> steps = new ArrayList<>();
        InterruptWatch watch = new InterruptWatch(
                new RunListener() {
                    @Override
                    public void step(String what) {
                        steps.add(what);
                    }
                },
                interruption);

        watch.step("load");
        assertThat(interruption.isRequested()).isFalse();
        Thread.currentThread().interrupt();
        watch.step("collecting logs");

        assertThat(interruption.isRequested()).isTrue();
        assertThat(steps).containsExactly("load", "collecting logs");
        // Not yet: the results must be written first.
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        watch.restore();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void tellsTheListenerOfTheCallerEverything() throws ReflectiveOperationException {
        List<String> told = new ArrayList<>();
        RunListener caller = (RunListener) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RunListener.class}, (proxy, method, arguments) -> {
                    told.add(method.getName());
                    return null;
                });
        InterruptWatch watch = new InterruptWatch(caller, new Interruption());

        List<String> expected = new ArrayList<>();
        for (Method method : RunListener.class.getMethods()) {
            expected.add(method.getName());
            method.invoke(
                    watch,
                    Arrays.stream(method.getParameterTypes())
                            .map(type -> type == int.class ? (Object) 1 : null)
                            .toArray());
        }

        assertThat(told).isEqualTo(expected).contains("windowBegins", "second");
    }
}
