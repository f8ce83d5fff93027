package dev.avocet.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The test kit sees the core only, so that every module above may use it. */
@AnalyzeClasses(packages = "dev.avocet.testkit", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule shouldHaveNoPackageCycles =
            slices().matching("dev.avocet.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldSeeOnlyTheCore = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.avocet.mqtt..", "dev.avocet.jms..", "dev.avocet.ha..", "dev.avocet.server..")
            .allowEmptyShould(true);
}
