package dev.avocet.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The server wires the parts together; it sees every part, and no part of the tests. */
@AnalyzeClasses(packages = "dev.avocet.server", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    /**
     * Packages that have rooms, ground floor first: a room uses only those before it, and what stands in the package
     * itself puts its rooms together.
     */
    private static final Map<String, List<String>> ROOMS = Map.of(
            "broker", List.of("content", "options", "store", "endpoint"),
            "monitor", List.of("table"),
            "rest", List.of("request", "login", "config", "messaging", "service"));

    @ArchTest
    static final ArchRule shouldHaveNoPackageCycles =
            slices().matching("dev.avocet.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldNotShipTheTestKit = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.avocet.testkit..")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldLogThroughSlf4j = NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.allowEmptyShould(true);

    @ArchTest
    static void shouldUseOnlyLowerRooms(final JavaClasses server) {
        ROOMS.keySet().forEach(house -> {
            final String[] rooms = roomsOf(house);
            for (int room = 0; room < rooms.length - 1; room++) {
                noClasses()
                        .that()
                        .resideInAPackage(rooms[room])
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(Arrays.copyOfRange(rooms, room + 1, rooms.length))
                        .check(server);
            }
        });
    }

    @ArchTest
    static void shouldLiveInARoom(final JavaClasses server) {
        ROOMS.keySet()
                .forEach(house -> classes()
                        .that()
                        .resideInAPackage("dev.avocet.server." + house + "..")
                        .should()
                        .resideInAnyPackage(roomsOf(house))
                        .because("a new room is entered in the table of rooms")
                        .check(server));
    }

    private static String[] roomsOf(final String house) {
        return Stream.concat(
                        ROOMS.get(house).stream().map(room -> "dev.avocet.server." + house + "." + room + ".."),
                        Stream.of("dev.avocet.server." + house))
                .toArray(String[]::new);
    }
}
