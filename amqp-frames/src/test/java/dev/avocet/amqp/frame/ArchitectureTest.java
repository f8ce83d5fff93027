package dev.avocet.amqp.frame;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Frames are linked into the broker and into other people's programs: they know nothing of either. */
@AnalyzeClasses(packages = "dev.avocet", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule shouldNeedBuffersAndTypesAlone = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.avocet.amqp.frame..",
                    "java..",
                    "io.netty.buffer..",
                    "org.apache.qpid.protonj2.buffer..",
                    "org.apache.qpid.protonj2.types..",
                    "org.jspecify..");
}
