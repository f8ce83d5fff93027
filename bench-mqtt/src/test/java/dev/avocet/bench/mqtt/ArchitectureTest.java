package dev.avocet.bench.mqtt;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A harness measures any broker, so it knows none. */
@AnalyzeClasses(packages = "dev.avocet.bench.mqtt", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule shouldDependOnNoModuleOfTheBroker = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.avocet.bench..",
                    "java..",
                    "javax.crypto..",
                    "javax.net..",
                    "jdk.jfr..",
                    "io.netty..",
                    "org.bouncycastle..",
                    "org.HdrHistogram..",
                    "picocli..",
                    "com.fasterxml.jackson..",
                    "org.slf4j..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule shouldHaveNoPackageCycles =
            slices().matching("dev.avocet.bench.mqtt.(**)").should().beFreeOfCycles();

    /** The rooms of the engine, ground floor first; what stands in its package puts them together. */
    @ArchTest
    static final ArchRule shouldLetPlansKnowNoFlow = noClasses()
            .that()
            .resideInAPackage("dev.avocet.bench.mqtt.engine.plan..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.avocet.bench.mqtt.engine.flow..", "dev.avocet.bench.mqtt.engine");

    @ArchTest
    static final ArchRule shouldLetFlowsKnowNoLane = noClasses()
            .that()
            .resideInAPackage("dev.avocet.bench.mqtt.engine.flow..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.avocet.bench.mqtt.engine");
}
