package dev.avocet.jms;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A client is linked into other people's programs: few dependencies, none of them the broker. */
@AnalyzeClasses(packages = "dev.avocet.jms", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule shouldDependOnLittle = classes()
            .that()
            .resideOutsideOfPackage("dev.avocet.jms.client.protection..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.avocet.jms..",
                    "dev.avocet.amqp.frame..",
                    "java..",
                    "javax.crypto..",
                    "javax.naming..",
                    "javax.net.ssl..",
                    "javax.security.sasl..",
                    "javax.transaction.xa..",
                    "jakarta.jms..",
                    "io.netty..",
                    "org.apache.qpid.protonj2..",
                    "org.slf4j..",
                    "org.jspecify..");

    /** The library that most applications do without. */
    @ArchTest
    static final ArchRule shouldSealInOnePlace = classes()
            .that()
            .resideInAPackage("dev.avocet.jms.client.protection..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "dev.avocet.jms..", "dev.avocet.protection..", "java..", "jakarta.jms..", "org.jspecify..");

    @ArchTest
    static final ArchRule shouldCallOnlyDownwards = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("jndi")
            .definedBy("dev.avocet.jms.jndi..")
            .layer("context")
            .definedBy("dev.avocet.jms.client.context..")
            .layer("session")
            .definedBy("dev.avocet.jms.client.session..")
            .layer("protection")
            .definedBy("dev.avocet.jms.client.protection..")
            .layer("wire")
            .definedBy("dev.avocet.jms.client.wire..")
            .layer("call")
            .definedBy("dev.avocet.jms.client.call..")
            .layer("options")
            .definedBy("dev.avocet.jms.client.options..")
            .layer("message")
            .definedBy("dev.avocet.jms.client.message..")
            .layer("codec")
            .definedBy("dev.avocet.jms.client.codec..")
            .whereLayer("jndi")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("context")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("session")
            .mayOnlyBeAccessedByLayers("context")
            .whereLayer("protection")
            .mayOnlyBeAccessedByLayers("session")
            .whereLayer("wire")
            .mayOnlyBeAccessedByLayers("session", "call")
            .whereLayer("call")
            .mayOnlyBeAccessedByLayers("context", "session")
            .whereLayer("options")
            .mayOnlyBeAccessedByLayers("session", "protection", "wire")
            .whereLayer("message")
            .mayOnlyBeAccessedByLayers("jndi", "context", "session", "protection", "options", "call")
            .whereLayer("codec")
            .mayOnlyBeAccessedByLayers("session", "protection", "wire", "message");

    @ArchTest
    static final ArchRule shouldSpeakAmqpInOnePlace = classes()
            .that()
            .resideInAnyPackage(
                    "dev.avocet.jms",
                    "dev.avocet.jms.jndi..",
                    "dev.avocet.jms.client.message..",
                    "dev.avocet.jms.client.codec..")
            .should()
            .onlyDependOnClassesThat()
            .resideOutsideOfPackages("org.apache.qpid..", "io.netty..");
}
