package dev.avocet.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the load generators share knows no broker and no load generator. */
@AnalyzeClasses(packages = "dev.avocet.bench", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule shouldDependOnNoModuleOfTheBroker = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.avocet.bench..",
                    "dev.avocet.names..",
                    "java..",
                    "javax.net..",
                    "javax.crypto..",
                    "javax.management..",
                    "com.sun.management..",
                    "jdk.jfr..",
                    "io.netty..",
                    "org.HdrHistogram..",
                    "picocli..",
                    "com.fasterxml.jackson..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule shouldLeaveCommandLinesAndNettyToAgentsAndOptions = noClasses()
            .that()
            .resideOutsideOfPackages("dev.avocet.bench.agent..", "dev.avocet.bench.option..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "picocli..");

    @ArchTest
    static final ArchRule shouldHaveNoPackageCycles =
            slices().matching("dev.avocet.bench.(**)").should().beFreeOfCycles();
}
