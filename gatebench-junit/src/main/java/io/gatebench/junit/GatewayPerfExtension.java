/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.commons.support.AnnotationSupport;

import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.CaseResult;
import io.gatebench.runner.EchoBackend;
import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.runner.StartedGateway;

/**
 * Gives test methods what {@link GatewayPerfTest} promises.
 *
 * <p>That annotation brings it. Where the gateway is known in Java alone, such as the port of a container, a test registers it
 * in a static field:
 *
 * <pre>{@code
 * @RegisterExtension
 * static GatewayPerfExtension gateway =
 *         GatewayPerfExtension.of(() -> GatewayBenchmark.gateway(backend -> start(backend)));
 * }</pre>
 *
 * <p>Tests that run in parallel are refused unless the class runs alone, as with {@link GatewayPerfTest} or {@link Isolated} on
 * it: a measurement needs the machine to itself. A test fails whose measurement has not one test case that can be used,
 * even if it asserts nothing.
 *
 * @since 0.1
 */
public final class GatewayPerfExtension
        implements BeforeEachCallback, ParameterResolver, AfterEachCallback, AfterAllCallback {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(GatewayPerfExtension.class);
    private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";

    private final Optional<Supplier<GatewayBenchmark.Builder>> described;

    /** Creates the extension of the annotation. */
    GatewayPerfExtension() {
        this(Optional.empty());
    }

    private GatewayPerfExtension(Optional<Supplier<GatewayBenchmark.Builder>> described) {
        this.described = described;
    }

    /**
     * Returns an extension for a gateway that is described in Java.
     *
     * @param described returns a new description, asked for each test method that needs one
     */
    public static GatewayPerfExtension of(Supplier<GatewayBenchmark.Builder> described) {
        return new GatewayPerfExtension(Optional.of(described));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        boolean parallel = context.getConfigurationParameter(PARALLEL)
                .map(Boolean::parseBoolean)
                .orElse(false);
        if (parallel && inner(context, Isolated.class).isEmpty()) {
            throw new ExtensionConfigurationException(
                    "tests run in parallel here, but a measurement needs the machine to"
                            + " itself; put @GatewayPerfTest or @Isolated on "
                            + context.getRequiredTestClass().getName() + ", or set " + PARALLEL + "=false");
        }
    }

    /** Returns an annotation of the test class or of one that it is nested in. */
    private static <A extends Annotation> Optional<A> inner(ExtensionContext context, Class<A> type) {
        for (Class<?> at = context.getRequiredTestClass(); at != null; at = at.getEnclosingClass()) {
            Optional<A> found = AnnotationSupport.findAnnotation(at, type);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == GatewayBenchmark.Builder.class
                || type == EchoBackend.class
                || type == StartedGateway.class
                || type == TokenPool.class
                || type == Path.class && parameter.isAnnotated(ResultsPath.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Fixture fixture = fixture(context);
        Class<?> type = parameter.getParameter().getType();
        if (type == GatewayBenchmark.Builder.class) {
            return fixture.test();
        }
        if (type == EchoBackend.class) {
            return fixture.echo();
        }
        if (type == StartedGateway.class) {
            return fixture.gateway();
        }
        if (type == TokenPool.class) {
            StartedGateway gateway = fixture.gateway();
            return gateway.tokens()
                    .orElseThrow(() -> new ParameterResolutionException("the scenario "
                            + gateway.scenario().name() + " takes no tokens; choose one that does with scenarios()"));
        }
        return fixture.results();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Fixture fixture = context.getStore(NAMESPACE).get(Fixture.class, Fixture.class);
        close(context);
        if (fixture != null && context.getExecutionException().isEmpty()) {
            requireFigures(fixture.directory());
        }
    }

    /** A test that asserts nothing must not pass with nothing measured. */
    private static void requireFigures(Path directory) {
        for (Path run : runs(directory)) {
            if (Files.exists(run.resolve("run.json"))) {
                BenchmarkResult result = BenchmarkResult.read(run);
                if (result.cells().stream().noneMatch(CaseResult::isUsable)) {
                    throw new AssertionError("nothing was measured that can be used:\n  "
                            + String.join("\n  ", result.problems()) + "\nReport: "
                            + result.report().toAbsolutePath());
                }
            }
        }
    }

    private static List<Path> runs(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> runs = Files.list(directory)) {
            return runs.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory, e);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close(context);
    }

    private Fixture fixture(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        Fixture fixture = store.get(Fixture.class, Fixture.class);
        if (fixture == null) {
            fixture = create(context);
            store.put(Fixture.class, fixture);
        }
        return fixture;
    }

    private Fixture create(ExtensionContext context) {
        Supplier<GatewayBenchmark.Builder> builder = described.orElseGet(() -> {
            GatewayPerfTest annotation = context.getTestMethod()
                    .flatMap(method -> AnnotationSupport.findAnnotation(method, GatewayPerfTest.class))
                    .or(() -> inner(context, GatewayPerfTest.class))
                    .orElseThrow(() -> new ParameterResolutionException(
                            context.getRequiredTestClass() + " needs the annotation @GatewayPerfTest"));
            return () -> Fixture.described(annotation);
        });
        Path root = Path.of(context.getConfigurationParameter(GatewayPerfTest.RESULTS_PROPERTY)
                .orElse("target/gatebench"));
        String testClass = context.getRequiredTestClass().getName();
        String method =
                context.getTestMethod().map(m -> m.getName() + number(context)).orElse("all");
        return new Fixture(builder, root.resolve(testClass).resolve(method));
    }

    /** Returns what keeps the executions of a parameterized or repeated test apart. */
    private static String number(ExtensionContext context) {
        String id = context.getUniqueId();
        int hash = id.lastIndexOf(":#");
        return hash < 0 ? "" : "-" + id.substring(hash + 2).replaceAll("\\D.*", "");
    }

    private static void close(ExtensionContext context) {
        Fixture fixture = context.getStore(NAMESPACE).remove(Fixture.class, Fixture.class);
        if (fixture != null) {
            fixture.close();
            reports(fixture.directory(), context);
        }
    }

    private static void reports(Path directory, ExtensionContext context) {
        for (Path run : runs(directory)) {
            Path report = run.resolve("index.html");
            if (Files.exists(report)) {
                context.publishReportEntry("gatebench report", report.toString());
            }
            Path gate = run.resolve(BenchmarkResultAssert.GATE_FILE);
            if (Files.exists(gate)) {
                try {
                    context.publishReportEntry("gatebench gate", Files.readString(gate));
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot read " + gate, e);
                }
            }
        }
    }
}
