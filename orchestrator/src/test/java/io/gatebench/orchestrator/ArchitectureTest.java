/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import java.util.Arrays;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

/** Seals the arrows of docs/ARCHITECTURE.md. */
class ArchitectureTest {

    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.gatebench");

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
    void driverAnalyzerAndReportNeverImportEachOtherNorTheOrchestrator() {
        noModuleImports("io.gatebench.load..", "io.gatebench.gc..", "io.gatebench.report..");
        noModuleImports("io.gatebench.gc..", "io.gatebench.load..", "io.gatebench.report..");
        noModuleImports("io.gatebench.report..", "io.gatebench.load..", "io.gatebench.gc..");
    }

    private static void noModuleImports(String module, String... others) {
        noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("io.gatebench.orchestrator..", "io.gatebench.echo..")
                .check(OURS);
    }

    @Test
    void theEchoBackEndImportsNothingOfOurs() {
        noClasses()
                .that()
                .resideInAPackage("io.gatebench.echo..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.gatebench.model..",
                        "io.gatebench.load..",
                        "io.gatebench.gc..",
                        "io.gatebench.report..",
                        "io.gatebench.orchestrator..")
                .check(OURS);
    }

    @Test
    void onlyMainEndsTheJvm() {
        noClasses()
                .that()
                .haveNameNotMatching(
                        "io\\.gatebench\\.(orchestrator\\.cli\\.(Main|RunCommand|Ending|ForcedEnd)|.*Main)")
                .should()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "exit", int.class)
                .orShould()
                .callMethod(Runtime.class, "halt", int.class)
                .check(OURS);
    }

    @Test
    void librariesLeaveTheStandardStreamsAlone() {
        noClasses()
                .that()
                .resideInAnyPackage("io.gatebench.model..", "io.gatebench.gc..", "io.gatebench.report..")
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

    @Test
    void modulesFormNoCycles() {
        slices().matching("io.gatebench.(*)..").should().beFreeOfCycles().check(OURS);
    }

    /** A package that is roof and foundation at once closes a cycle with what stands between. */
    @Test
    void packagesFormNoCycles() {
        slices().assignedFrom(new PackagesOf("model", "load", "gc", "report"))
                .should()
                .beFreeOfCycles()
                .check(OURS);
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

    /** Each package of some modules is a slice, their root packages too, which a pattern of slices leaves out. */
    private record PackagesOf(String... modules) implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return Arrays.stream(modules)
                            .map("io.gatebench."::concat)
                            .anyMatch(module -> (type.getPackageName() + ".").startsWith(module + "."))
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of " + String.join(", ", modules);
        }
    }
}
