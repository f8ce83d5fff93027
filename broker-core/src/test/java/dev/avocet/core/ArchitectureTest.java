package dev.avocet.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The walls inside the core. A rule that bites is discussed before it is changed. */
@AnalyzeClasses(packages = "dev.avocet", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    /** Ground floor first; a package uses only packages that stand before it. */
    private static final List<String> FLOORS = List.of(
            "time",
            "metrics",
            "loop",
            "message",
            "selector",
            "config",
            "security",
            "tls",
            "policy",
            "trace",
            "journal",
            "queue",
            "topic",
            "destination",
            "transaction",
            "session",
            "store",
            "publish",
            "frontend",
            "broker",
            "endpoint");

    /** The same inside packages that have rooms; what stands in the package itself puts its rooms together. */
    private static final Map<String, List<String>> ROOMS = Map.of(
            "config.object", List.of("field", "security", "policy", "messaging", "server"),
            "broker", List.of("retained"),
            "queue", List.of("transit", "reference", "room", "line", "ranked", "receiver"),
            "security", List.of("login", "user", "scram", "throttle", "provider", "admission"),
            "store",
                    List.of(
                            "entry",
                            "place",
                            "write",
                            "replay",
                            "checkpoint",
                            "image",
                            "reclaim",
                            "transfer",
                            "inspect"),
            "topic", List.of("level"),
            "tls", List.of("key", "client", "ticket", "psk", "status"));

    @ArchTest
    static final ArchRule shouldHaveNoPackageCycles =
            slices().matching("dev.avocet.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldNameNoProtocol = noClasses()
            .should()
            .haveSimpleNameContaining("Mqtt")
            .orShould()
            .haveSimpleNameContaining("Amqp")
            .orShould()
            .haveSimpleNameContaining("Jms")
            .because("the core serves every front end alike")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldSeeNoOtherModule = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.avocet.mqtt..", "dev.avocet.amqp..", "dev.avocet.ha..", "dev.avocet.server..")
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("dev.avocet.testkit..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldSeeNoProtocolCodec = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty.handler.codec.mqtt..", "org.apache.qpid..", "jakarta.jms..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldWriteNothingToStandardStreams =
            NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldLogThroughSlf4j = NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldLiveOnAFloor = classes()
            .that()
            .resideOutsideOfPackages("dev.avocet.protection..", "dev.avocet.names..")
            .should()
            .resideInAnyPackage(FLOORS.stream().map(ArchitectureTest::packageOf).toArray(String[]::new))
            .because("a new package of the core is entered in the table of floors")
            .allowEmptyShould(true);

    @ArchTest
    static void shouldUseOnlyLowerFloors(final JavaClasses core) {
        expectOnlyLower(FLOORS.stream().map(ArchitectureTest::packageOf).toList(), core);
    }

    @ArchTest
    static void shouldUseOnlyLowerRooms(final JavaClasses core) {
        ROOMS.forEach((house, rooms) -> {
            final List<String> floors = new ArrayList<>();
            rooms.forEach(room -> floors.add(packageOf(house + "." + room)));
            floors.add("dev.avocet.core." + house);
            expectOnlyLower(floors, core);
        });
    }

    @ArchTest
    static void shouldLiveInARoom(final JavaClasses core) {
        ROOMS.forEach((house, rooms) -> {
            final List<String> packages = new ArrayList<>();
            rooms.forEach(room -> packages.add(packageOf(house + "." + room)));
            packages.add("dev.avocet.core." + house);
            classes()
                    .that()
                    .resideInAPackage(packageOf(house))
                    .should()
                    .resideInAnyPackage(packages.toArray(String[]::new))
                    .because("a new room is entered in the table of rooms")
                    .check(core);
        });
    }

    private static void expectOnlyLower(final List<String> floors, final JavaClasses core) {
        for (int floor = 0; floor < floors.size() - 1; floor++) {
            noClasses()
                    .that()
                    .resideInAPackage(floors.get(floor))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(floors.subList(floor + 1, floors.size()).toArray(String[]::new))
                    .allowEmptyShould(true)
                    .check(core);
        }
    }

    private static String packageOf(final String floor) {
        return "dev.avocet.core." + floor + "..";
    }
}
