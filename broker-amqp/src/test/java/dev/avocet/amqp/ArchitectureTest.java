package dev.avocet.amqp;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the AMQP front end: of this house it sees the core, and of the core not the basement. */
@AnalyzeClasses(packages = "dev.avocet.amqp", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule shouldHaveNoPackageCycles =
            slices().matching("dev.avocet.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldSeeOnlyTheCore = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.avocet.mqtt..", "dev.avocet.ha..", "dev.avocet.server..", "dev.avocet.testkit..")
            .because("front ends never see each other")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldNotReachBehindTheBroker = noClasses()
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "dev.avocet.core.journal..", "dev.avocet.core.endpoint..", "dev.avocet.core.store.."))
            .because(
                    "a front end talks to the broker, its sessions, its queues, its transactions, its routes and its messages")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldWriteNothingToStandardStreams =
            NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldLogThroughSlf4j = NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.allowEmptyShould(true);
}
