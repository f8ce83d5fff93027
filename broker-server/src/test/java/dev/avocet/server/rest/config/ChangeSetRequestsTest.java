package dev.avocet.server.rest.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.server.rest.RestBroker;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several objects created, updated and deleted by one request. */
class ChangeSetRequestsTest {
    private static final String CHECK = "/api/v1/configuration/check";
    private static final String CHANGES = "/api/v1/configuration/changes";
    private static final String SET =
            "{\"Changes\": {\"Queue\": {\"new\": {\"MaxMessages\": 7}, \"orders\": {\"MaxMessages\": 9}},"
                    + " \"AdminUserPassword\": \"pencil\"},"
                    + " \"Deletions\": [{\"Type\": \"Queue\", \"Name\": \"old\"}]}";

    @TempDir
    private Path data;

    private RestBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = RestBroker.start(data, "{}");
        broker.configure("{\"Queue\": {\"orders\": {\"MaxMessages\": 5}, \"old\": {}}}");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldSayWhatAChangeSetWouldMakeDifferentAndChangeNothing() throws Exception {
        // given
        long version = version();

        // when
        HttpResponse<String> answer = broker.send("POST", CHECK, SET);

        // then
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(differences(answer))
                .containsExactlyInAnyOrder(
                        "created Queue new {MaxMessages: null -> 7}",
                        "changed Queue orders {MaxMessages: 5 -> 9}",
                        "deleted Queue old {}",
                        "changed Singletons  {AdminUserPassword:  -> ********}");
        assertThat(RestBroker.json(answer).get("ConfigurationVersion")).hasToString(Long.toString(version));
        assertThat(answer.body()).doesNotContain("pencil");
        assertThat(version()).isEqualTo(version);
    }

    @Test
    void shouldMakeAllOfItAsOneVersionWithALineForEachObjectInTheLog() throws Exception {
        // given
        long version = version();

        // when
        HttpResponse<String> answer = broker.send("POST", CHANGES, SET, "If-Match", "\"" + version + "\"");

        // then
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("ETag")).contains("\"" + (version + 1) + "\"");
        assertThat(version()).isEqualTo(version + 1);
        assertThat(broker.objects().current().all(Queue.class))
                .extracting(queue -> queue.name() + " " + queue.maxMessages())
                .containsExactly("new 7", "orders 9");
        assertThat(broker.adminLog())
                .anyMatch(line -> line.contains("created Queue 'new'"))
                .anyMatch(line -> line.contains("changed Queue 'orders'") && line.contains("MaxMessages 5 -> 9"))
                .anyMatch(line -> line.contains("deleted Queue 'old'"))
                .noneMatch(line -> line.contains("pencil"));
    }

    @Test
    void shouldRefuseTheWholeWithEachProblemAtItsObjectAndProperty() throws Exception {
        // given
        long version = version();
        String body = "{\"Changes\": {\"Queue\": {\"new\": {}, \"orders\": {\"MaxMessages\": 0}}},"
                + " \"Deletions\": [{\"Type\": \"MessageHub\", \"Name\": \"DemoHub\"}]}";

        // when
        HttpResponse<String> refused = broker.send("POST", CHANGES, body);

        // then
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(RestBroker.json(refused).get("Problems"))
                .asString()
                .contains("Object=Queue 'orders', Property=MaxMessages", "Object=MessageHub 'DemoHub', Property=,");
        assertThat(version()).isEqualTo(version);
        assertThat(broker.send("POST", CHECK, body).statusCode()).isEqualTo(400);
    }

    @Test
    void shouldChangeNothingThatAnotherAdministratorHasChangedSinceAndLetTheDifferenceBeSeen() throws Exception {
        // given
        long seen = version();
        broker.configure("{\"Queue\": {\"orders\": {\"MaxMessages\": 6}}}");

        // when
        HttpResponse<String> stale = broker.send("POST", CHANGES, SET, "If-Match", "\"" + seen + "\"");
        HttpResponse<String> checked = broker.send("POST", CHECK, SET, "If-Match", "\"" + seen + "\"");

        // then
        assertThat(stale.statusCode()).isEqualTo(412);
        assertThat(checked.statusCode()).isEqualTo(412);
        assertThat(broker.objects().current().find(Queue.class, "new")).isEmpty();
        assertThat(differences(broker.get("/api/v1/configuration/versions/" + seen + "/diff")))
                .containsExactly("changed Queue orders {MaxMessages: 5 -> 6}");
    }

    @Test
    void shouldLetOnlyThoseChangeWhoMayConfigure() throws Exception {
        // given
        broker.configure("{\"ConfigurationPolicy\": {\"viewers\": {\"UserID\": \"vera\", \"ActionList\": \"View\"}},"
                + " \"AdminEndpoint\": {\"ConfigurationPolicies\": \"viewers\"}}");
        broker.send("PUT", "/api/v1/user/vera", "{\"Password\": \"view\"}");
        broker.configure("{\"AdminUserPassword\": \"pencil\"}");

        // when
        broker.login("vera:view");

        // then
        assertThat(broker.send("POST", CHANGES, SET).statusCode()).isEqualTo(403);
        assertThat(broker.send("POST", CHECK, SET).statusCode()).isEqualTo(403);
        assertThat(broker.get("/api/v1/configuration/versions").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldRefuseWhatItDoesNotUnderstand() throws Exception {
        assertThat(broker.send("POST", CHANGES, "[]").statusCode()).isEqualTo(400);
        assertThat(broker.send("POST", CHANGES, "{\"Deletion\": []}").body()).contains("give Changes and Deletions");
        assertThat(broker.send("POST", CHANGES, "{\"Deletions\": [{\"Type\": \"Queue\"}]}")
                        .body())
                .contains("give each with Type and Name");
    }

    private long version() {
        return broker.objects().current().version();
    }

    /** Each in a line. */
    static List<String> differences(HttpResponse<String> answer) throws Exception {
        return ((List<?>) RestBroker.json(answer).get("Differences"))
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .map(each -> each.get("Change") + " " + each.get("Type") + " " + each.get("Name") + " "
                                + ((List<?>) each.get("Properties"))
                                        .stream()
                                                .map(property -> (Map<?, ?>) property)
                                                .map(property -> property.get("Property") + ": "
                                                        + property.get("Before") + " -> " + property.get("After"))
                                                .toList()
                                                .toString()
                                                .replace('[', '{')
                                                .replace(']', '}'))
                        .toList();
    }
}
