/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every Java snippet of the documents compiles.
 *
 * <p>A snippet that is no whole class is put into a method; what it takes as given stands in the comment before it: {@code
 * <!-- given: Path directory, TestScenario scenario -->}.
 */
class DocumentedJavaIT {

    private static final Pattern TYPE = Pattern.compile(
            "^(@\\w.*|(public |final |abstract )*(class|interface|record|enum) .*)$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("\\b(?:class|interface|record|enum) (\\w+)");
    private static final String IMPORTS = """
            import static io.gatebench.junit.GatebenchAssertions.assertThat;
            import static us.abstracta.jmeter.javadsl.JmeterDsl.*;
            import static io.gatebench.load.ScenarioSampler.*;
            import io.gatebench.echo.*;
            import io.gatebench.gc.*;
            import io.gatebench.junit.*;
            import io.gatebench.load.*;
            import io.gatebench.load.engine.*;
            import io.gatebench.load.engine.token.*;
            import io.gatebench.model.*;
            import io.gatebench.runner.*;
            import io.gatebench.spi.*;
            import io.gatebench.report.*;
            import io.gatebench.report.options.*;
            import java.net.URI;
            import java.nio.file.*;
            import java.time.*;
            import java.util.*;
            import org.junit.jupiter.api.*;
            import org.junit.jupiter.api.extension.*;
            import us.abstracta.jmeter.javadsl.core.TestPlanStats;
            """;

    @TempDir
    private Path classes;

    @TestFactory
    Stream<DynamicTest> compiles() throws IOException {
        return Documents.all().stream()
                .flatMap(document -> Documents.fences(document).stream()
                        .filter(fence -> fence.language().equals("java"))
                        .map(fence -> DynamicTest.dynamicTest(
                                Documents.name(document) + ":" + fence.line(), () -> compile(fence))));
    }

    private void compile(Fence fence) {
        String text = fence.text();
        boolean whole = TYPE.matcher(text).find();
        java.util.regex.Matcher named = NAME.matcher(text);
        String name = whole && named.find() ? named.group(1) : "Snippet";
        String source = (whole && text.contains("import ") ? "" : IMPORTS)
                + (whole
                        ? text
                        : "class Snippet { void snippet("
                                + fence.comment("given").orElse("") + ") throws Exception {\n" + text + "} }\n");
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        boolean compiled = compiler.getTask(
                        new StringWriter(),
                        null,
                        problems,
                        List.of(
                                "--release",
                                "17",
                                "-proc:none",
                                "-d",
                                classes.toString(),
                                "-cp",
                                System.getProperty("java.class.path")),
                        null,
                        List.of(file))
                .call();
        List<String> errors = problems.getDiagnostics().stream()
                .filter(problem -> problem.getKind() == javax.tools.Diagnostic.Kind.ERROR)
                .map(problem -> problem.getMessage(Locale.ROOT))
                .toList();
        assertThat(errors).as(source).isEmpty();
        assertThat(compiled).isTrue();
    }
}
