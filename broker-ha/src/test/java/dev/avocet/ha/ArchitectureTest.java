package dev.avocet.ha;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of the pair: it sees the core, and a library for coordination only where it is used. */
@AnalyzeClasses(packages = "dev.avocet.ha", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule shouldHaveNoPackageCycles =
            slices().matching("dev.avocet.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule shouldSeeOnlyTheCore = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.avocet.mqtt..", "dev.avocet.amqp..", "dev.avocet.server..", "dev.avocet.testkit..")
            .because("what is replicated is the journal, whatever protocol has written it");

    @ArchTest
    static final ArchRule shouldKeepRatisInItsPackage = noClasses()
            .that()
            .resideOutsideOfPackage("dev.avocet.ha.coordination.ratis..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.ratis..")
            .because("its classes are loaded when a pair uses it, and not before");

    @ArchTest
    static final ArchRule shouldKeepZooKeeperInItsPackage = noClasses()
            .that()
            .resideOutsideOfPackage("dev.avocet.ha.coordination.zookeeper..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..")
            .because("its classes are loaded when a pair uses it, and not before");

    @ArchTest
    static final ArchRule shouldLookAtNoProvider = noClasses()
            .that()
            .resideInAPackage("dev.avocet.ha.coordination")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.avocet.ha.coordination.*..");

    @ArchTest
    static final ArchRule shouldWriteNothingToStandardStreams = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

    @ArchTest
    static final ArchRule shouldLogThroughSlf4j = NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
}
