package dev.avocet.admin;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What stands between the administrator and the broker is HTTP, so that either may be of another version. */
@AnalyzeClasses(packages = "dev.avocet", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule shouldDependOnNoModuleOfTheBroker = classes()
            .that()
            .resideInAPackage("dev.avocet.admin..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.avocet.admin..",
                    "dev.avocet.protection..",
                    "dev.avocet.names..",
                    "java..",
                    "javax.net.ssl..",
                    "picocli..",
                    "com.fasterxml.jackson.core..",
                    "com.fasterxml.jackson.dataformat.yaml..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule shouldHaveNoPackageCycles =
            slices().matching("dev.avocet.admin.(*)..").should().beFreeOfCycles();
}
