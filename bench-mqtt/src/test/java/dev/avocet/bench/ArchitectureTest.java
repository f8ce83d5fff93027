package dev.avocet.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A harness measures any broker, so it knows none. */
@AnalyzeClasses(packages = "dev.avocet.bench", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final String[] SHARED = {
        "dev.avocet.bench.run..",
        "dev.avocet.bench.check..",
        "dev.avocet.bench.latency..",
        "dev.avocet.bench.environment..",
        "dev.avocet.bench.report..",
        "dev.avocet.bench.workload..",
        "dev.avocet.bench.brokerside..",
        "dev.avocet.bench.prompt.."
    };

    @ArchTest
    static final ArchRule shouldDependOnNoModuleOfTheBroker = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.avocet.bench..",
                    "java..",
                    "javax.crypto..",
                    "javax.net..",
                    "javax.management..",
                    "com.sun.management..",
                    "jdk.jfr..",
                    "io.netty..",
                    "org.bouncycastle..",
                    "org.HdrHistogram..",
                    "picocli..",
                    "com.fasterxml.jackson..",
                    "org.slf4j..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule shouldShareNothingThatKnowsMqttOrNetty = noClasses()
            .that()
            .resideInAnyPackage(SHARED)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "picocli..", "dev.avocet.bench.mqtt..");

    @ArchTest
    static final ArchRule shouldHaveNoPackageCycles =
            slices().matching("dev.avocet.bench.(**)").should().beFreeOfCycles();
}
