package dev.avocet.server.rest.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.server.rest.AdministeredBroker;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions and subscriptions of real clients, administered by real HTTP requests. */
class ClientRequestsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String CLIENTS = "/api/v1/service/MQTTClient";
    private static final String SUBSCRIPTIONS = "/ima/v1/service/Subscription";

    @TempDir
    private Path data;

    private AdministeredBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new AdministeredBroker(data, "{\"mode\": \"memory\"}");
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    @Test
    void shouldListThoseWhoAreThereAndThoseWhoAreAway() throws Exception {
        // given
        MqttClient here = broker.connect("plant-1");
        broker.leaveBehind("plant-2", "a/#");
        broker.leaveBehind("office", "a/#");
        here.publish("a/b", "x".getBytes(StandardCharsets.UTF_8), 1, false);

        // then
        assertThat(names(CLIENTS + "?ClientID=plant*")).containsExactly("plant-1", "plant-2");
        assertThat(names(CLIENTS + "?ConnectionState=connected")).containsExactly("plant-1");
        assertThat(names(CLIENTS + "?ConnectionState=Disconnected")).containsExactly("office", "plant-2");
        assertThat(names(CLIENTS + "?Endpoint=plain")).containsExactly("plant-1");
        assertThat(names(CLIENTS + "?ClientAddress=127.*&UserID=")).containsExactly("plant-1");
        assertThat(names(CLIENTS + "?UserID=anna")).isEmpty();
        assertThat(broker.list(CLIENTS + "/plant-2", "MQTTClient"))
                .singleElement()
                .satisfies(session -> assertThat(session)
                        .containsEntry("IsConnected", false)
                        .containsEntry("BufferedMsgs", 1L)
                        .containsEntry("ExpirySeconds", 3600L)
                        .containsEntry("Subscriptions", 1L)
                        .satisfies(facts -> assertThat(facts.get("LastConnectedTime"))
                                .asString()
                                .startsWith("20"))
                        .satisfies(facts ->
                                assertThat(facts.get("Subscription")).asString().contains("SubName=a/#")));
        here.disconnect();
        here.close();
    }

    @Test
    void shouldListPageByPage() throws Exception {
        // given
        for (String name : List.of("e", "b", "d", "a", "c")) {
            broker.leaveBehind(name, "t/" + name);
        }

        // then
        assertThat(names(CLIENTS + "?ResultCount=2")).containsExactly("a", "b");
        assertThat(names(CLIENTS + "?ResultCount=2&After=b")).containsExactly("c", "d");
        assertThat(names(CLIENTS + "?ResultCount=2&After=d")).containsExactly("e");
        assertThat(broker.get(CLIENTS + "?ResultCount=2").body()).contains("\"Total\" : 5");
        assertThat(broker.list(SUBSCRIPTIONS + "?ResultCount=2&After=b&AfterName=t/b", "Subscription"))
                .extracting(each -> each.get("SubName"))
                .containsExactly("t/c", "t/d");
    }

    @ParameterizedTest
    @CsvSource({"ResultCount=0", "ResultCount=10001", "ResultCount=many", "ConnectionState=Asleep"})
    void shouldRefuseAListThatMakesNoSense(String query) throws Exception {
        assertThat(broker.get(CLIENTS + "?" + query).statusCode()).isEqualTo(400);
    }

    @Test
    void shouldDeleteTheSessionOfWhoIsAway() throws Exception {
        // given
        broker.leaveBehind("plant/2 %x", "a/#");

        // when
        HttpResponse<String> deleted = broker.delete(CLIENTS + "/" + encoded("plant/2 %x"));

        // then
        assertThat(deleted.body()).contains("CWLNA6011");
        assertThat(names(CLIENTS)).isEmpty();
        assertThat(broker.list(SUBSCRIPTIONS, "Subscription")).isEmpty();
        assertThat(broker.delete(CLIENTS + "/" + encoded("plant/2 %x")).statusCode())
                .isEqualTo(404);
        assertThat(broker.auditLog())
                .contains("an administrator from 127.0.0.1 deleted the session of client 'plant/2 %x'");
    }

    @Test
    void shouldDisconnectOnlyByForceWhoIsToBeDeleted() throws Exception {
        // given
        MqttClient here = broker.connect("plant-1");

        // then
        assertThat(broker.delete(CLIENTS + "/plant-1").statusCode()).isEqualTo(409);
        assertThat(here.isConnected()).isTrue();
        assertThat(broker.delete(CLIENTS + "/plant-1?Force=true").statusCode()).isEqualTo(200);
        await().atMost(PATIENCE).until(() -> !here.isConnected());
        assertThat(names(CLIENTS)).isEmpty();
        here.close();
    }

    @Test
    void shouldDeleteOneSubscriptionAndLeaveTheOthers() throws Exception {
        // given
        broker.leaveBehind("plant", "a/+");
        broker.leaveBehind("plant", "b/#");

        // when
        HttpResponse<String> deleted = broker.delete(SUBSCRIPTIONS + "/plant/" + encoded("a/+"));

        // then
        assertThat(deleted.statusCode()).isEqualTo(200);
        assertThat(broker.list(SUBSCRIPTIONS + "?ClientID=plant", "Subscription"))
                .extracting(each -> each.get("SubName"))
                .containsExactly("b/#");
        assertThat(broker.list(SUBSCRIPTIONS + "/plant/" + encoded("b/#"), "Subscription"))
                .singleElement()
                .satisfies(each -> assertThat(each).containsEntry("QoS", 1L).containsEntry("IsShared", false));
        assertThat(broker.get(SUBSCRIPTIONS + "/plant/" + encoded("a/+")).statusCode())
                .isEqualTo(404);
        assertThat(broker.auditLog()).anyMatch(line -> line.contains("deleted subscription 'a/+' of client 'plant'"));
    }

    @Test
    void shouldDeleteASharedSubscriptionOfAllItsMembers() throws Exception {
        // given
        String name = "$share/team/a/#";
        broker.leaveBehind("one", name);
        MqttClient two = broker.connect("two");
        two.subscribe(name, 1);
        assertThat(broker.list(SUBSCRIPTIONS + "?SubType=Shared", "Subscription"))
                .singleElement()
                .satisfies(each -> assertThat(each)
                        .containsEntry("ClientID", "__SharedM")
                        .containsEntry("SubName", "/team/a/#")
                        .containsEntry("Members", 2L));

        // then
        String path = SUBSCRIPTIONS + "/__SharedM/" + encoded("/team/a/#");
        assertThat(broker.delete(path).statusCode()).isEqualTo(409);
        assertThat(broker.delete(path + "?DiscardSharers=true").statusCode()).isEqualTo(200);
        await().atMost(PATIENCE).until(() -> !two.isConnected());
        assertThat(broker.list(SUBSCRIPTIONS, "Subscription")).isEmpty();
        assertThat(names(CLIENTS)).containsExactly("one", "two");
        two.close();
    }

    @Test
    void shouldNotFindADeletedSessionAfterARestart() throws Exception {
        // given
        String store = "{\"mode\": \"os\", \"journal\": \"file\", \"directory\": \"kept\", \"segmentBytes\": 4194304}";
        try (AdministeredBroker first = new AdministeredBroker(data.resolve("first"), store)) {
            first.leaveBehind("gone", "a/#");
            first.leaveBehind("kept", "a/#");
            first.leaveBehind("kept", "b/#");

            // when
            assertThat(first.delete(CLIENTS + "/gone").statusCode()).isEqualTo(200);
            assertThat(first.delete(SUBSCRIPTIONS + "/kept/" + encoded("a/#")).statusCode())
                    .isEqualTo(200);
        }

        // then
        try (AdministeredBroker second = new AdministeredBroker(data.resolve("first"), store)) {
            assertThat(second.list(SUBSCRIPTIONS, "Subscription"))
                    .extracting(each -> each.get("ClientID") + " " + each.get("SubName"))
                    .containsExactly("kept b/#");
        }
    }

    @Test
    void shouldLetSomebodyWhoMayOnlyLookOnlyLook() throws Exception {
        // given
        broker.leaveBehind("plant", "a");

        // then: nobody by that name is known here, so not even that
        broker.post("/api/v1/configuration", "{\"AdminUserPassword\": \"pencil\"}");
        assertThat(broker.get(CLIENTS).statusCode()).isEqualTo(401);
        assertThat(broker.delete(CLIENTS + "/plant").statusCode()).isEqualTo(401);
        broker.login("admin:pencil");
        assertThat(names(CLIENTS)).containsExactly("plant");
    }

    private List<Object> names(String path) throws Exception {
        List<Map<String, Object>> sessions = broker.list(path, "MQTTClient");
        return sessions.stream().map(session -> session.get("ClientID")).toList();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
