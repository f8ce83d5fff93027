package dev.avocet.server.rest.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.rest.RestBroker;
import dev.avocet.testkit.FreePort;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running broker that gets its first configuration. */
class SetupRequestsTest {
    private static final String SETUP = "/api/v1/service/setup";

    @TempDir
    private Path data;

    private RestBroker broker;
    private int port;

    @BeforeEach
    void start() throws Exception {
        broker = RestBroker.start(data, "{}");
        port = FreePort.next();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldSayWhetherAnAdministratorHasConfiguredAnything() throws Exception {
        // given: the broker itself has disabled a sample
        assertThat(RestBroker.json(broker.get(SETUP))).containsEntry("Configured", false);

        // when
        broker.configure("{\"Queue\": {\"orders\": {}}}");

        // then
        assertThat(RestBroker.json(broker.get(SETUP))).containsEntry("Configured", true);
    }

    @Test
    void shouldShowWhatItWouldDoAndDoNothing() throws Exception {
        // given
        long version = broker.objects().current().version();

        // when
        HttpResponse<String> answer = broker.send("POST", SETUP + "/check", wishes("pencil-pencil", ""));

        // then
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(ChangeSetRequestsTest.differences(answer))
                .anyMatch(line -> line.startsWith("created Endpoint Main ") && line.contains("Port: null -> " + port))
                .anyMatch(line -> line.startsWith("created TopicPolicy OwnTopics "))
                .anyMatch(line -> line.startsWith("created Queue orders "))
                .anyMatch(line -> line.startsWith("changed Singletons ") && line.contains("********"));
        assertThat(answer.body())
                .contains("The user 'anna' is created.", "server.pem and server.key are made")
                .doesNotContain("pencil");
        assertThat(broker.objects().current().version()).isEqualTo(version);
        assertThat(data.resolve("files/server.pem")).doesNotExist();
        assertThat(broker.broker().users().directory().users()).isEmpty();
    }

    @Test
    void shouldMakeEndpointUserFilesAndPoliciesAsOneVersion() throws Exception {
        // given
        long version = broker.objects().current().version();

        // when
        HttpResponse<String> answer =
                broker.send("POST", SETUP, wishes("pencil-pencil", ""), "If-Match", "\"" + version + "\"");

        // then
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(broker.objects().current().version()).isEqualTo(version + 1);
        assertThat(data.resolve("files/server.pem")).exists();
        assertThat(broker.broker().users().directory().users())
                .extracting(user -> user.name())
                .containsExactly("anna");
        assertThat(broker.get("/api/v1/configuration").statusCode())
                .as("it asks for the password now")
                .isEqualTo(401);
        broker.login("admin:pencil-pencil");
        assertThat(RestBroker.json(broker.get("/api/v1/monitor/Endpoint?Name=Main"))
                        .toString())
                .contains("Port=" + port)
                .doesNotContain("ErrorMessage=port");
        assertThat(broker.adminLog()).anyMatch(line -> line.contains("created user 'anna', made file 'server.pem'"));
    }

    @Test
    void shouldTellEachMistakeAtItsMemberAndLeaveNothingBehind() throws Exception {
        // when
        HttpResponse<String> refused = broker.send("POST", SETUP, wishes("short", ", \"Certificate\": \"a.pem\""));

        // then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body())
                .contains("Setup: AdminPassword: has 5 characters", "Setup: HostName: give either")
                .doesNotContain("\"short\"");

        // when: the port is no whole number
        refused = broker.send("POST", SETUP, wishes("pencil-pencil", "").replace(port + ",", port + ".5,"));

        // then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("Setup: Port: must be a whole number from 1 to 65535");

        // when: the objects are refused
        refused = broker.send("POST", SETUP, wishes("pencil-pencil", "").replace("\"127.0.0.1\"", "\"no address\""));

        // then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("Endpoint 'Main': Interface: ");
        assertThat(data.resolve("files/server.pem")).doesNotExist();
        assertThat(broker.broker().users().directory().users()).isEmpty();
    }

    @Test
    void shouldReplaceNoFileAndNoUserThatIsThere() throws Exception {
        // given
        Files.createDirectories(data.resolve("files"));
        Files.writeString(data.resolve("files/server.key"), "mine", UTF_8);

        // when
        HttpResponse<String> answer = broker.send("POST", SETUP, wishes("pencil-pencil", ""));

        // then
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(data.resolve("files/server.key")).hasContent("mine");
        assertThat(data.resolve("files/server-2.key")).exists();

        // when
        broker.login("admin:pencil-pencil");
        HttpResponse<String> again = broker.send("POST", SETUP, wishes("pencil-pencil", ""));

        // then
        assertThat(again.statusCode()).isEqualTo(400);
        assertThat(again.body()).contains("'anna' is a user already");
    }

    private String wishes(String adminPassword, String more) {
        return "{\"Address\": \"127.0.0.1\", \"Port\": " + port + ", \"HostName\": \"localhost\","
                + " \"AdminPassword\": \"" + adminPassword + "\", \"User\": \"anna\","
                + " \"UserPassword\": \"rubber-rubber\", \"Queues\": [\"orders\"]" + more + "}";
    }
}
