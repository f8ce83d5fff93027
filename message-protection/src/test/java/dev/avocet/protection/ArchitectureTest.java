package dev.avocet.protection;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A device that seals messages needs no broker, and no protocol. */
@AnalyzeClasses(packages = "dev.avocet", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule shouldNeedTheLibraryOfCmsAlone = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.avocet.protection..",
                    "java..",
                    "javax.crypto..",
                    "javax.security.auth.x500..",
                    "org.bouncycastle..",
                    "org.jspecify..");
}
