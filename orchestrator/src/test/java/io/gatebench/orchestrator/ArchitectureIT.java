/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/** Seals the arrows of docs/ARCHITECTURE.md. */
class ArchitectureIT {

    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.gatebench");

    /** Which modules the classes of a module may use, by the second part of the package. */
    private static final Map<String, Set<String>> ARROWS = new TreeMap<>(Map.ofEntries(
            Map.entry("model", Set.of()),
            Map.entry("certificate", Set.of()),
            Map.entry("settings", Set.of("model")),
            Map.entry("jtl", Set.of("model")),
            Map.entry("echo", Set.of("certificate")),
            Map.entry("load", Set.of("model", "jtl", "certificate")),
            Map.entry("gc", Set.of("model")),
            Map.entry("report", Set.of("model", "jtl")),
            Map.entry("spi", Set.of("model", "settings", "certificate", "load", "gc")),
            Map.entry("hosts", Set.of("model", "settings", "load", "gc", "spi")),
            Map.entry("gateways", Set.of("model", "settings", "load", "gc", "spi")),
            Map.entry(
                    "runner",
                    Set.of(
                            "model",
                            "settings",
                            "certificate",
                            "jtl",
                            "load",
                            "gc",
                            "report",
                            "spi",
                            "hosts",
                            "gateways"))));

    private static final Pattern SLEEP = Pattern.compile("\\bsleep\\s*\\(|::\\s*sleep\\b");

    /** The pause of the program, those of processes that do not know it, and the end of late requests. */
    private static final List<Path> SLEEPERS = sources(
            "spi/host/Pause",
            "aws/Pause",
            "load/LoadGeneratorMain",
            "load/jmeter/DistributedLoad",
            "load/engine/http/ResponseDeadlines",
            "synapse/ReadinessProbe");

    private static final Pattern EXIT = Pattern.compile("System\\.exit\\(|getRuntime\\(\\)\\.(exit|halt)\\(");

    /** The program's main class and its endings by signals, and the main classes of the other processes. */
    private static final List<Path> ENDINGS = sources(
            "orchestrator/cli/Main",
            "orchestrator/cli/Ending",
            "orchestrator/cli/ForcedEnd",
            "load/LoadControllerMain",
            "load/LoadGeneratorMain",
            "load/LoadWindowsMain",
            "echo/EchoServerMain",
            "gateway/ReferenceGateway",
            "synapse/Main");

    private static List<Path> sources(String... names) {
        return Stream.of(names)
                .map(name -> Path.of("io", "gatebench", name + ".java"))
                .toList();
    }

    @Test
    void theModelImportsNothingButTheJdk() {
        noClasses()
                .that()
                .resideInAPackage("io.gatebench.model..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("io.gatebench.model..", "java..")
                .check(OURS);
    }

    @Test
    void modulesUseOnlyWhatTheirArrowsPointAt() {
        ARROWS.forEach((module, uses) -> {
            List<String> others = new ArrayList<>(
                    List.of("io.gatebench.orchestrator..", "io.gatebench.junit..", "io.gatebench.maven.."));
            ARROWS.keySet().stream()
                    .filter(other -> !other.equals(module) && !uses.contains(other))
                    .forEach(other -> others.add("io.gatebench." + other + ".."));
            noClasses()
                    .that()
                    .resideInAPackage("io.gatebench." + module + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(others.toArray(new String[0]))
                    .allowEmptyShould(true)
                    .check(OURS);
        });
    }

    @Test
    void packagesFormNoCycles() {
        SliceAssignment packages = new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return SliceIdentifier.of(type.getPackageName());
            }

            @Override
            public String getDescription() {
                return "packages";
            }
        };
        slices().assignedFrom(packages).should().beFreeOfCycles().check(OURS);
    }

    @Test
    void theEngineOfTheLoadKnowsNoJMeter() {
        noClasses()
                .that()
                .resideInAPackage("io.gatebench.load.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.jmeter..",
                        "org.apache.jorphan..",
                        "us.abstracta..",
                        "io.gatebench.load",
                        "io.gatebench.load.jmeter..")
                .check(OURS);
    }

    @Test
    void whatIsInternalIsUsedInItsModuleAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.gatebench.gc..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.gatebench.gc.internal..")
                .check(OURS);
    }

    @Test
    void onlyTheCommandLineKnowsPicocli() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.gatebench.orchestrator.cli..", "io.gatebench.echo..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .check(OURS);
    }

    @Test
    void onlyHostsKnowTheSshLibrary() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.gatebench.hosts..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.sshd..")
                .check(OURS);
    }

    @Test
    void onlyNamedClassesEndTheJvm() throws IOException {
        assertThat(holding(EXIT)).containsExactlyInAnyOrderElementsOf(ENDINGS);
    }

    @Test
    void onlyNamedClassesLetAThreadSleep() throws IOException {
        assertThat(holding(SLEEP)).containsExactlyInAnyOrderElementsOf(SLEEPERS);
    }

    /** Looks at the sources of all modules: the classes of a plug-in or a gateway are not among those of the program. */
    private static List<Path> holding(Pattern pattern) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(Path.of(".."), "[a-z]*")) {
            for (Path module : modules) {
                Path sources = module.resolve(Path.of("src", "main", "java"));
                if (Files.isDirectory(sources)) {
                    try (Stream<Path> files = Files.walk(sources)) {
                        for (Path file : files.filter(Files::isRegularFile).toList()) {
                            if (pattern.matcher(Files.readString(file)).find()) {
                                found.add(sources.relativize(file));
                            }
                        }
                    }
                }
            }
        }
        return found;
    }

    @Test
    void runsTakeTheTimeFromTheClockThatTheyAreGiven() {
        noClasses()
                .that()
                .resideInAnyPackage("io.gatebench.spi..", "io.gatebench.gateways..", "io.gatebench.runner..")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(Clock.class, "systemDefaultZone")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(OURS);
    }

    @Test
    void librariesLeaveTheStandardStreamsAlone() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.gatebench.model..",
                        "io.gatebench.settings..",
                        "io.gatebench.jtl..",
                        "io.gatebench.gc..",
                        "io.gatebench.report..",
                        "io.gatebench.spi..",
                        "io.gatebench.hosts..",
                        "io.gatebench.gateways..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(OURS);
    }

    @Test
    void nobodyThrowsGenericExceptions() {
        GeneralCodingRules.NO_CLASSES_SHOULD_THROW_GENERIC_EXCEPTIONS.check(OURS);
    }
}
