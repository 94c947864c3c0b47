/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

import io.gatebench.load.token.TokenPool;
import io.gatebench.orchestrator.EchoBackend;
import io.gatebench.orchestrator.GatewayBenchmark;
import io.gatebench.orchestrator.StandingGateway;

/** Gives test methods what {@link GatewayPerfTest} promises. */
final class GatewayPerfExtension implements ParameterResolver, AfterEachCallback, AfterAllCallback {

    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(GatewayPerfExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == GatewayBenchmark.Builder.class
                || type == EchoBackend.class
                || type == StandingGateway.class
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
        if (type == StandingGateway.class) {
            return fixture.gateway();
        }
        if (type == TokenPool.class) {
            StandingGateway gateway = fixture.gateway();
            return gateway.tokens()
                    .orElseThrow(() -> new ParameterResolutionException("the scenario "
                            + gateway.scenario().name() + " takes no tokens; choose one that does with scenarios()"));
        }
        return fixture.results();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close(context);
    }

    private static Fixture fixture(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        Fixture fixture = store.get(Fixture.class, Fixture.class);
        if (fixture == null) {
            fixture = create(context);
            store.put(Fixture.class, fixture);
        }
        return fixture;
    }

    private static Fixture create(ExtensionContext context) {
        GatewayPerfTest annotation = AnnotationSupport.findAnnotation(
                        context.getRequiredTestClass(), GatewayPerfTest.class)
                .orElseThrow(() -> new ParameterResolutionException(
                        context.getRequiredTestClass() + " needs the annotation @GatewayPerfTest"));
        Path root = Path.of(context.getConfigurationParameter(GatewayPerfTest.RESULTS_PROPERTY)
                .orElse("target/gatebench"));
        String testClass = context.getRequiredTestClass().getName();
        String method =
                context.getTestMethod().map(m -> m.getName() + number(context)).orElse("all");
        return new Fixture(annotation, root.resolve(testClass).resolve(method));
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
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> runs = Files.list(directory)) {
            runs.map(run -> run.resolve("index.html"))
                    .filter(Files::exists)
                    .sorted()
                    .forEach(report -> context.publishReportEntry("gatebench report", report.toString()));
        } catch (IOException e) {
            context.publishReportEntry("gatebench report", "cannot list " + directory + ": " + e);
        }
    }
}
