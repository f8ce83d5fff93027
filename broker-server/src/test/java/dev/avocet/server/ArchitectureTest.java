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
import java.util.stream.Stream;

/** The server wires the parts together; it sees every part, and no part of the tests. */
@AnalyzeClasses(packages = "dev.avocet.server", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    /** The rooms of the administration over HTTP, ground floor first; what stands in its package puts them together. */
    private static final List<String> REST_ROOMS = List.of("request", "login", "config", "messaging", "service");

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
        final String[] rooms = roomsOfRest();
        for (int room = 0; room < rooms.length - 1; room++) {
            noClasses()
                    .that()
                    .resideInAPackage(rooms[room])
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(Arrays.copyOfRange(rooms, room + 1, rooms.length))
                    .check(server);
        }
    }

    @ArchTest
    static void shouldLiveInARoom(final JavaClasses server) {
        classes()
                .that()
                .resideInAPackage("dev.avocet.server.rest..")
                .should()
                .resideInAnyPackage(roomsOfRest())
                .because("a new room is entered in the list of rooms")
                .check(server);
    }

    private static String[] roomsOfRest() {
        return Stream.concat(
                        REST_ROOMS.stream().map(room -> "dev.avocet.server.rest." + room + ".."),
                        Stream.of("dev.avocet.server.rest"))
                .toArray(String[]::new);
    }
}
