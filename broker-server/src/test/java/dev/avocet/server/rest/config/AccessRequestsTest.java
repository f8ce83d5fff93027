package dev.avocet.server.rest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.server.config.JsonTree;
import dev.avocet.server.rest.RestBroker;
import dev.avocet.testkit.turn.InTurn;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What REST says of the rights of clients, beside what real clients may do. */
@InTurn
class AccessRequestsTest {
    private static final String PATH = "/api/v1/service/access";
    private static final String STARTUP = "{\"endpoints\": [{\"name\": \"first\", \"port\": 0}]}";

    @TempDir
    private Path data;

    private RestBroker broker;
    private int port;

    @BeforeEach
    void start() throws Exception {
        broker = RestBroker.start(data, STARTUP);
        broker.configure("{\"TopicPolicy\": {"
                + "\"own\": {\"ClientID\": \"*\", \"Topic\": \"${ClientID}/*\", \"ActionList\": \"Publish,Subscribe\"},"
                + "\"meters\": {\"ClientID\": \"meter-*\", \"Topic\": \"readings\", \"ActionList\": \"Publish\"}},"
                + "\"ConnectionPolicy\": {\"meters\": {\"ClientID\": \"meter-*\", \"Protocol\": \"MQTT\"}}}");
        port = broker.openEndpoint("second", ", \"TopicPolicies\": \"own,meters\"");
        broker.configure("{\"Endpoint\": {\"second\": {\"ConnectionPolicies\": \"meters\"}}}");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @ParameterizedTest
    @CsvSource({
        "meter-1, readings, true, meters",
        "meter-1, meter-1/x, true, own",
        "meter-1, meter-2/x, false,",
        "meter-1, news, false,",
    })
    void shouldAnswerAsTheClientIsAnswered(String clientId, String topic, boolean allowed, String policy)
            throws Exception {
        // when
        Map<String, Object> answer = explained("\"Action\": \"Publish\", \"Name\": \"" + topic + "\", \"ClientID\": \""
                + clientId + "\", \"Endpoint\": \"second\"");

        // then
        assertThat(answer)
                .containsEntry("Allowed", allowed)
                .containsEntry("PolicyType", "TopicPolicy")
                .containsEntry("MayConnect", true);
        assertThat(answer.get("Policy")).isEqualTo(policy);
        MqttClient client = client(clientId);
        client.connect();
        client.publish(topic, new byte[1], 1, true);
        assertThat(broker.get("/api/v1/service/Retained/" + topic.replace("/", "%2F"))
                        .statusCode())
                .isEqualTo(allowed ? 200 : 404);
        client.disconnectForcibly(0, 0, false);
        client.close(true);
    }

    @Test
    void shouldSayWhyAClientMayNotConnect() throws Exception {
        // when
        Map<String, Object> answer =
                explained("\"Action\": \"Connect\", \"ClientID\": \"phone\", \"Protocol\": \"JMS\"");

        // then
        assertThat(answer).containsEntry("Allowed", false).doesNotContainKey("Policy");
        assertThat(answer.get("Message"))
                .isEqualTo("It is not allowed, as no ConnectionPolicy of the endpoint applies.");
        assertThat(answer.get("Tried"))
                .isEqualTo(List.of(Map.of(
                        "Policy",
                        "meters",
                        "Applies",
                        false,
                        "Differences",
                        List.of(
                                Map.of("Filter", "Protocol", "OfPolicy", "MQTT", "OfClient", "JMS"),
                                Map.of("Filter", "ClientID", "OfPolicy", "meter-*", "OfClient", "phone")))));
        assertThatThrownBy(() -> client("phone").connect()).isInstanceOf(MqttException.class);
    }

    @Test
    void shouldSayThatWhatIsAllowedNeedsAConnectionFirst() throws Exception {
        // when
        Map<String, Object> answer =
                explained("\"Action\": \"Publish\", \"ClientID\":" + " \"phone\", \"Name\": \"phone/x\"");

        // then
        assertThat(answer)
                .containsEntry("Allowed", true)
                .containsEntry("MayConnect", false)
                .containsEntry(
                        "Message", "TopicPolicy 'own' allows it. But no ConnectionPolicy lets the client connect.");
        assertThat(answer.get("NotTried")).isEqualTo(List.of("meters"));
    }

    @Test
    void shouldFollowAChangeOfThePoliciesAtOnce() throws Exception {
        // given
        String question = "\"Action\": \"Publish\", \"ClientID\": \"meter-1\","
                + " \"UserID\": \"max\", \"Groups\": [\"staff\"], \"ClientAddress\": \"10.0.0.9\","
                + " \"CommonName\": \"cn\","
                + " \"Claims\": {\"site\": [\"north\", \"south\"]}, \"Name\": \"site/south\"";
        assertThat(explained(question)).containsEntry("Allowed", false);

        // when
        broker.configure("{\"TopicPolicy\": {\"own\": {\"UserID\": \"m*\", \"GroupID\": \"staff\","
                + " \"ClientAddress\": \"10.0.0.1-10.0.0.9\", \"CommonNames\": \"cn\","
                + " \"Topic\": \"site/${Claim.site}\"}}}");

        // then
        assertThat(explained(question)).containsEntry("Allowed", true).containsEntry("Policy", "own");
    }

    @Test
    void shouldSayThatAnEndpointHasNoPolicies() throws Exception {
        assertThat(explained("\"Endpoint\": \"first\", \"Action\": \"QueueSend\", \"Name\": \"q\""))
                .containsEntry("Allowed", true)
                .containsEntry("Message", "The endpoint has no policies, so everything is allowed.");
        assertThat(explained("\"Action\": \"QueueSend\", \"Name\": \"q\""))
                .containsEntry("Allowed", false)
                .containsEntry("Message", "It is not allowed, as the endpoint has no QueuePolicy.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"Action\": \"Connect\", \"Endpoint\": \"none\"|404|there is no endpoint 'none'",
                "\"Endpoint\": \"second\"|400|Action: give one of Connect, Publish, Subscribe,",
                "\"Action\": \"Publish\"|400|Name: give the name",
                "\"Action\": \"Connect\", \"Name\": \"x\"|400|Name: leave it out",
                "\"Action\": \"Subscribe\", \"Name\": \"$share/g/a\"|400|Name: give the topic filter",
                "\"Action\": \"Connect\", \"ClientAddress\": \"a.b\"|400|'a.b' is not an IP address",
                "\"Action\": \"Connect\", \"Groups\": \"a\"|400|Groups: give a list",
                "\"Action\": \"Connect\", \"UserID\": null|400|UserID: give at most",
                "\"Action\": \"Connect\", \"Claims\": {\"a\": 1}|400|Claims: give a list",
                "\"Action\": \"Connect\", \"User\": \"a\"|400|'User' is not known here",
            })
    void shouldSayWhatIsWrongWithAQuestion(String members, int status, String expected) throws Exception {
        HttpResponse<String> answer = ask(members);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).contains(expected);
    }

    @Test
    void shouldTellThoseAloneWhoMaySeeThePolicies() throws Exception {
        // given
        broker.configure("{\"ConfigurationPolicy\": {\"looking\": {\"UserID\": \"vera\", \"ActionList\": \"View\"},"
                + " \"managing\": {\"UserID\": \"max\", \"ActionList\": \"Manage,Monitor\"}},"
                + " \"AdminEndpoint\": {\"ConfigurationPolicies\": \"looking,managing,AdminDefaultConfigPolicy\"}}");
        for (String name : new String[] {"vera", "max"}) {
            broker.send("PUT", "/api/v1/user/" + name, "{\"Password\": \"pencil\"}");
        }
        broker.configure("{\"AdminUserPassword\": \"pencil\"}");
        String question = "{\"Endpoint\": \"second\", \"Action\": \"Connect\"}";

        // when, then
        broker.login("vera:pencil");
        assertThat(broker.send("POST", PATH, question).statusCode()).isEqualTo(200);
        broker.login("max:pencil");
        assertThat(broker.send("POST", PATH, question).statusCode()).isEqualTo(403);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> explained(String members) throws Exception {
        HttpResponse<String> answer = ask(members);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return (Map<String, Object>) JsonTree.parse("answer", answer.body());
    }

    /** About the endpoint "second" where it names none. */
    private HttpResponse<String> ask(String members) throws Exception {
        String endpoint = members.contains("\"Endpoint\"") ? "" : "\"Endpoint\": \"second\", ";
        return broker.send("POST", PATH, "{" + endpoint + members + "}");
    }

    private MqttClient client(String clientId) throws MqttException {
        return new MqttClient("tcp://127.0.0.1:" + port, clientId, new MemoryPersistence());
    }
}
