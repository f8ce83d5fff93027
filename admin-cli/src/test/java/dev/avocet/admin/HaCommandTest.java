package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HaCommandTest {
    private static final String STATUS =
            "{\"Version\":\"v1\",\"HighAvailability\":{\"Status\":\"Active\",\"Node\":\"a\","
                    + "\"Role\":\"standby in-sync\",\"Epoch\":7,\"ActiveNode\":\"b\",\"InSync\":[\"a\",\"b\"]}}";

    private FakeService broker;

    @BeforeEach
    void start() throws IOException {
        broker = new FakeService();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldTellOfThePair() {
        // when
        int exitCode = broker.answers(STATUS).run("ha", "status");

        // then
        assertThat(exitCode).isZero();
        assertThat(broker.requests()).containsExactly("GET /api/v1/service/ha");
        assertThat(broker.out().lines().map(line -> line.replaceAll(" +", " ")))
                .contains("Role standby in-sync", "Epoch 7", "ActiveNode b")
                .noneMatch(line -> line.startsWith("Version"));
    }

    @Test
    void shouldHandTheRoleOver() {
        // when
        int exitCode = broker.answers(202, "{\"Code\":\"AVCT0202\",\"Message\":\"The other node takes over.\"}")
                .run("ha", "switch");

        // then
        assertThat(exitCode).isZero();
        assertThat(broker.requests()).containsExactly("POST /api/v1/service/ha/switch {}");
        assertThat(broker.out().strip()).isEqualTo("The other node takes over.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume"})
    void shouldHaveTheStandbyPauseAndResume(String verb) {
        // when
        int exitCode = broker.answers(202, "{\"Code\":\"AVCT0202\",\"Message\":\"So it is.\"}")
                .run("ha", verb);

        // then
        assertThat(exitCode).isZero();
        assertThat(broker.requests()).containsExactly("POST /api/v1/service/ha/" + verb + " {}");
        assertThat(broker.out().strip()).isEqualTo("So it is.");
    }

    @Test
    void shouldHaveAStandbyResyncOnlyWhenThatIsMeant() {
        // when
        int exitCode = broker.answers(202, "{\"Code\":\"AVCT0202\",\"Message\":\"So it is.\"}")
                .run("ha", "resync");

        // then
        assertThat(exitCode).isNotZero();
        assertThat(broker.requests()).isEmpty();
        assertThat(broker.err()).contains("The standby puts its store aside", "--yes");

        // when
        assertThat(broker.run("ha", "resync", "--yes")).isZero();

        // then
        assertThat(broker.requests()).containsExactly("POST /api/v1/service/ha/resync {}");
    }

    @Test
    void shouldPromoteOnlyWhenThatIsMeant() {
        // when
        int exitCode = broker.answers(202, "{\"Code\":\"AVCT0202\",\"Message\":\"So it is.\"}")
                .run("ha", "promote");

        // then
        assertThat(exitCode).isNotZero();
        assertThat(broker.requests()).isEmpty();
        assertThat(broker.err()).contains("are lost that the other node has acknowledged", "--force");

        // when
        assertThat(broker.run("ha", "promote", "--force")).isZero();

        // then
        assertThat(broker.requests()).containsExactly("POST /api/v1/service/ha/promote {\"Force\":true}");
    }

    @Test
    void shouldSayWhyTheRoleCannotBeHandedOver() {
        // when
        int exitCode = broker.answers(503, "{\"Code\":\"AVCT0503\",\"Message\":\"ask the active node\"}")
                .run("ha", "switch");

        // then
        assertThat(exitCode).isNotZero();
        assertThat(broker.err()).contains("ask the active node");
    }
}
