package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The versions of the configuration: what the command asks, and what it makes of the answers. */
class ConfigCommandTest {
    private static final String VERSIONS = "{\"ConfigurationVersion\":3,\"ConfigurationVersions\":[2,3],\"History\":["
            + "{\"ConfigurationVersion\":3,\"Time\":\"2026-11-22T10:00:00Z\",\"User\":\"anna\",\"ClientAddress\":\"192.0.2.7\","
            + "\"Action\":\"change\",\"Changes\":[\"deleted Queue 'orders'\"],\"MoreChanges\":0},"
            + "{\"ConfigurationVersion\":2,\"Action\":\"not known\",\"Changes\":[]}]}";
    private static final String DIFF = "{\"From\":3,\"To\":2,\"Differences\":["
            + "{\"Change\":\"created\",\"Type\":\"Queue\",\"Name\":\"orders\",\"Properties\":["
            + "{\"Property\":\"MaxMessages\",\"Before\":null,\"After\":7}]},"
            + "{\"Change\":\"changed\",\"Type\":\"Singletons\",\"Name\":\"\",\"Properties\":["
            + "{\"Property\":\"ServerName\",\"Before\":\"\",\"After\":\"b\"}]},"
            + "{\"Change\":\"deleted\",\"Type\":\"Queue\",\"Name\":\"bills\",\"Properties\":[]}]}";

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
    void shouldListWhoChangedWhat() {
        assertThat(broker.answers(VERSIONS).run("config", "history")).isZero();
        assertThat(broker.requests()).containsExactly("GET /api/v1/configuration/versions");
        assertThat(broker.out().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "ConfigurationVersion Time User ClientAddress Action Changes",
                        "3 2026-11-22T10:00:00Z anna 192.0.2.7 change deleted Queue 'orders'",
                        "2 not known");
    }

    @Test
    void shouldShowWhatTheLastChangeHasMadeDifferent() {
        assertThat(broker.answers(VERSIONS).answers(DIFF).run("config", "diff")).isZero();
        assertThat(broker.requests()).last().isEqualTo("GET /api/v1/configuration/versions/2/diff");
        assertThat(broker.out().lines())
                .containsExactly(
                        "version 3 -> 2",
                        "+ Queue orders",
                        "    MaxMessages: 7",
                        "~ Singletons",
                        "    ServerName: (none) -> b",
                        "- Queue bills");
    }

    @Test
    void shouldShowWhatIsDifferentBetweenTwoVersions() {
        assertThat(broker.answers(DIFF).run("config", "diff", "3", "2", "-o", "json"))
                .isZero();
        assertThat(broker.requests()).containsExactly("GET /api/v1/configuration/versions/3/diff?To=2");
        assertThat(broker.out()).contains("\"MaxMessages\"");
    }

    @Test
    void shouldGoBackToTheVersionThatWasLookedAt() {
        assertThat(broker.answers(VERSIONS)
                        .answers(DIFF)
                        .answers("{\"Code\":\"CWLNA6011\",\"ConfigurationVersion\":4}")
                        .run("config", "rollback", "2", "--discard-messages"))
                .isZero();
        assertThat(broker.requests())
                .last()
                .isEqualTo("POST /api/v1/configuration/versions/2/rollback?DiscardMessages=true");
        assertThat(broker.out())
                .contains("+ Queue orders")
                .endsWith(String.format("rolled back to version 2; the present version is 4%n"));
    }

    @Test
    void shouldOnlyShowWhatGoingBackWouldChange() {
        assertThat(broker.answers(VERSIONS).answers(DIFF).run("config", "rollback", "2", "--dry-run"))
                .isZero();
        assertThat(broker.requests()).hasSize(2).allMatch(request -> request.startsWith("GET"));
    }

    @Test
    void shouldNameTheOptionThatIsMissing() {
        String refusal = "{\"Code\":\"CWLNA0376\",\"Message\":\"Queue 'bills': still holds messages; delete it with"
                + " DiscardMessages=true to lose them\"}";
        assertThat(broker.answers(VERSIONS).answers(DIFF).answers(409, refusal).run("config", "rollback", "2"))
                .isEqualTo(ExitCode.CONFLICT);
        assertThat(broker.err()).contains("delete it with --discard-messages to lose them");
        assertThat(broker.answers(409, refusal).run("queue", "delete", "bills")).isEqualTo(ExitCode.CONFLICT);
        assertThat(broker.err().lines()).last().asString().contains("delete it with --discard-messages to lose them");
    }
}
