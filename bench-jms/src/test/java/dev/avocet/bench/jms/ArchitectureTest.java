package dev.avocet.bench.jms;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A harness measures any broker with any client, so it knows none. */
@AnalyzeClasses(packages = "dev.avocet.bench.jms", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule shouldDependOnNoBrokerAndNoClient = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.avocet.bench.jms..",
                    "dev.avocet.bench.agent..",
                    "dev.avocet.bench.option..",
                    "dev.avocet.bench.part..",
                    "dev.avocet.bench.run..",
                    "dev.avocet.bench.check..",
                    "dev.avocet.bench.latency..",
                    "dev.avocet.bench.environment..",
                    "dev.avocet.bench.report..",
                    "dev.avocet.bench.workload..",
                    "jakarta.jms..",
                    "java..",
                    "picocli..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule shouldReadNoOptionsBelowTheCommandLine = noClasses()
            .that()
            .resideOutsideOfPackage("dev.avocet.bench.jms.command..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..");

    @ArchTest
    static final ArchRule shouldHaveNoPackageCycles =
            slices().matching("dev.avocet.bench.jms.(**)").should().beFreeOfCycles();
}
