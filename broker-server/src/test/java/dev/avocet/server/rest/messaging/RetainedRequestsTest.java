package dev.avocet.server.rest.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.server.config.JsonTree;
import dev.avocet.server.rest.AdministeredBroker;
import dev.avocet.testkit.turn.InTurn;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Retained messages that a real client has published, and sets of clients, administered by real HTTP requests. */
@InTurn
class RetainedRequestsTest {
    private static final String RETAINED = "/api/v1/service/Retained";
    private static final String CLIENT_SET = "/ima/v1/service/ClientSet";
    private static final String STORED =
            "{\"mode\": \"os\", \"journal\": \"file\", \"directory\": \"kept\", \"segmentBytes\": 4194304}";

    @TempDir
    private Path data;

    private AdministeredBroker broker;
    private MqttClient publisher;

    @BeforeEach
    void start() throws Exception {
        broker = new AdministeredBroker(data, STORED);
        publisher = broker.connect("meter");
    }

    @AfterEach
    void stop() throws Exception {
        publisher.disconnectForcibly(0, 0, false);
        publisher.close(true);
        broker.close();
    }

    @Test
    void shouldListAndShowWithPropertiesAndTheBeginningOfTheBody() throws Exception {
        // given
        MqttMessage message = new MqttMessage("grüße".repeat(100).getBytes(UTF_8), 1, true, properties());
        publisher.publish("plant/1/temperature", message);
        publish("plant/2/temperature", "22");
        publisher.publish("plant/2/raw", new byte[] {0, 1, 2}, 0, true);
        publish("office", "x");

        // when
        List<Map<String, Object>> plant = list("?Filter=" + encoded("plant/+/temperature") + "&BodyBytes=3");

        // then: a character that is cut is left out
        assertThat(plant)
                .extracting(each -> each.get("Topic"), each -> each.get("Body"), each -> each.get("BodyIsCut"))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("plant/1/temperature", "gr", true),
                        org.assertj.core.groups.Tuple.tuple("plant/2/temperature", "22", false));
        assertThat(plant.get(0))
                .containsEntry("QoS", 1L)
                .containsEntry("BodyBytes", 700L)
                .containsEntry("Publisher", "meter")
                .containsEntry("ContentType", "text/plain")
                .containsEntry("ReplyTo", "answers")
                .containsEntry("Properties", Map.of("unit", "C", "room", List.of("a", "b")))
                .containsKey("Expires");

        // and: binary bodies are in Base64, one message comes whole, and pages follow one another
        assertThat(list("/" + encoded("plant/2/raw")))
                .singleElement()
                .satisfies(each ->
                        assertThat(each).containsEntry("BodyEncoding", "base64").containsEntry("Body", "AAEC"));
        assertThat(list("/" + encoded("plant/1/temperature")))
                .singleElement()
                .satisfies(each -> assertThat(each).containsEntry("Body", "grüße".repeat(100)));
        assertThat(list("?ResultCount=2"))
                .extracting(each -> each.get("Topic"))
                .containsExactly("office", "plant/1/temperature");
        assertThat(list("?ResultCount=2&After=" + encoded("plant/1/temperature")))
                .extracting(each -> each.get("Topic"))
                .containsExactly("plant/2/raw", "plant/2/temperature");
        assertThat(broker.get(RETAINED + "?ResultCount=1").body()).contains("\"Total\" : 4");
        assertThat(broker.get(RETAINED + "/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldDeleteByTopicAndByFilterForGood() throws Exception {
        // given
        for (int i = 0; i < 1_200; i++) {
            publisher.publish("many/" + i, "x".getBytes(UTF_8), 0, true);
        }
        publish("a/b", "1");
        publish("a/c", "2");
        publish("keep", "3");

        // when
        HttpResponse<String> one = broker.delete(RETAINED + "/" + encoded("a/b"));
        HttpResponse<String> several = broker.delete(RETAINED + "?Filter=" + encoded("many/#"));

        // then
        assertThat(one.statusCode()).isEqualTo(200);
        assertThat(several.body()).contains("1200 retained messages are gone.", "\"Messages\" : 1200");
        assertThat(broker.delete(RETAINED + "/" + encoded("a/b")).statusCode()).isEqualTo(404);
        restart();
        assertThat(list("")).extracting(each -> each.get("Topic")).containsExactly("a/c", "keep");
    }

    @ParameterizedTest
    @CsvSource({
        "?Filter=a%2F%23%2Fb, Filter",
        "?BodyBytes=x, BodyBytes is 0 to 1048576",
        "?BodyBytes=1000000&ResultCount=1000, ask for a smaller BodyBytes or ResultCount",
        "?ResultCount=0, ResultCount is 1 to 10000",
        "/a%2F%2B, ''"
    })
    void shouldSayWhatIsWrongWithARequest(String query, String message) throws Exception {
        HttpResponse<String> answer = broker.get(RETAINED + query);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(message);
    }

    @Test
    void shouldDeleteNothingWithoutAFilter() throws Exception {
        publish("a", "1");
        assertThat(broker.delete(RETAINED).body()).contains("give Filter");
        assertThat(broker.delete(CLIENT_SET).body()).contains("give ClientID or Retain");
        assertThat(list("")).hasSize(1);
    }

    @Test
    void shouldShowContentOnlyToThoseWhoManage() throws Exception {
        // given
        publish("secret", "1");
        broker.post("/api/v1/configuration", "{\"AdminUserID\": \"admin\", \"AdminUserPassword\": \"top-secret\"}");
        broker.post("/api/v1/service/user", "{}");

        // then
        assertThat(broker.get(RETAINED).statusCode()).isEqualTo(401);
        broker.login("admin:top-secret");
        assertThat(broker.get(RETAINED).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldDeleteSetsOfClients() throws Exception {
        // given
        broker.leaveBehind("plant-1", "a/#");
        broker.leaveBehind("plant-2", "a/#");
        broker.leaveBehind("office", "a/#");
        publish("plants/1", "x");
        publish("offices/1", "y");

        // when
        HttpResponse<String> answer = broker.delete(
                CLIENT_SET + "?ClientID=" + encoded("^(plant-[12]|meter)$") + "&Retain=" + encoded("^plants/"));

        // then: who is connected stays
        assertThat(JsonTree.parse("answer", answer.body()).toString())
                .contains("Sessions=2", "Retained=1", "Connected=1", "ConnectedClientID=[meter]", "Complete=true");
        assertThat(clients()).containsExactly("meter", "office");
        assertThat(list("")).extracting(each -> each.get("Topic")).containsExactly("offices/1");

        // when
        HttpResponse<String> forced = broker.delete(CLIENT_SET + "?ClientID=meter&Force=true");

        // then
        assertThat(forced.body()).contains("\"Sessions\" : 1");
        restart();
        assertThat(clients()).containsExactly("meter", "office"); // the one connects anew with the restart
    }

    @ParameterizedTest
    @CsvSource({"ClientID=(, not a regular expression", "ClientID=a&Wait=x, Wait is 0 to 3600 seconds"})
    void shouldSayWhatIsWrongWithASetOfClients(String query, String message) throws Exception {
        HttpResponse<String> answer = broker.delete(CLIENT_SET + "?" + query.replace("(", "%28"));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(message);
    }

    @Test
    void shouldGiveUpARegularExpressionThatTakesForEver() throws Exception {
        broker.leaveBehind("a".repeat(60) + "!", "a/#");
        HttpResponse<String> answer =
                broker.delete(CLIENT_SET + "?ClientID=" + encoded("(a*)(a*)(a*)(a*)(a*)(a*)(a*)(a*)\\1b"));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("takes longer than a second");
    }

    private static MqttProperties properties() {
        MqttProperties properties = new MqttProperties();
        properties.setContentType("text/plain");
        properties.setResponseTopic("answers");
        properties.setMessageExpiryInterval(1_000L);
        properties.setUserProperties(
                List.of(new UserProperty("unit", "C"), new UserProperty("room", "a"), new UserProperty("room", "b")));
        return properties;
    }

    private void publish(String topic, String payload) throws Exception {
        publisher.publish(topic, payload.getBytes(UTF_8), 1, true);
    }

    private List<Map<String, Object>> list(String query) throws Exception {
        return broker.list(RETAINED + query, "Retained");
    }

    private List<Object> clients() throws Exception {
        return broker.list("/api/v1/service/MQTTClient", "MQTTClient").stream()
                .map(each -> each.get("ClientID"))
                .toList();
    }

    private void restart() throws Exception {
        stop();
        start();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
