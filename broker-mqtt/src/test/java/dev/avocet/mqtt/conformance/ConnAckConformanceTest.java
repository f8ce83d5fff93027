package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.admission.MqttOptions.Redirect;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CONNACK: what the broker grants and says about itself. */
class ConnAckConformanceTest extends ConformanceTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Proves({"MQTT-3.2.2-1", "MQTT-2.1.3-1"})
    void shouldSetNoReservedFlag(boolean sessionPresent) throws IOException {
        String id = fresh("client");
        if (sessionPresent) {
            leave(persistent(id));
        }
        RawClient client = open();

        client.send(resuming(id).build());

        byte[] start = client.socket().getInputStream().readNBytes(3);
        assertThat(start[0]).isEqualTo((byte) 0x20);
        assertThat(start[2]).isEqualTo((byte) (sessionPresent ? 1 : 0));
    }

    @Test
    @Proves({"MQTT-3.2.2-6", "MQTT-3.2.2-7", "MQTT-3.2.2-8"})
    void shouldSayThatNoSessionIsPresentWhenItRefusesAClientThatHasOne() {
        String id = fresh("client");
        leave(persistent(id));
        RawClient client = open();

        client.send(resuming(id)
                .will(new ConnectWill("$SYS/will", utf8("gone"), AT_MOST_ONCE, false))
                .build());

        expectRefusal(client, ReasonCode.TOPIC_NAME_INVALID);
        resumed(id).expectNothing();
    }

    @Test
    @Proves({"MQTT-3.2.2-9", "MQTT-3.2.2-10"})
    void shouldTakeEveryQualityOfService() {
        RawClient client = open();

        ConnAck answer = client.connect(Connect.builder(fresh("client")).build());
        SubAck granted = client.subscribe(
                new TopicSubscription("a", AT_MOST_ONCE),
                new TopicSubscription("b", AT_LEAST_ONCE),
                new TopicSubscription("c", EXACTLY_ONCE));

        assertThat(answer.maximumQos()).isEqualTo(EXACTLY_ONCE);
        assertThat(granted.reasonCodes())
                .containsExactly(ReasonCode.GRANTED_QOS_0, ReasonCode.GRANTED_QOS_1, ReasonCode.GRANTED_QOS_2);
    }

    @Test
    @Proves({"MQTT-3.2.2-12", "MQTT-3.2.2-13"})
    void shouldTakeARetainedWillAtEachQualityOfService() {
        for (var qos : dev.avocet.core.message.QualityOfService.values()) {
            ConnAck answer = open().connect(Connect.builder(fresh("client"))
                    .will(new ConnectWill("will", utf8("gone"), qos, true))
                    .build());

            assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
            assertThat(answer.retainAvailable()).isTrue();
        }
    }

    @Test
    @Proves("MQTT-3.1.2-28")
    void shouldGiveResponseInformationOnlyWhenAsked() {
        String id = fresh("client");
        ConnAck plain = open().connect(Connect.builder(id).build());
        ConnAck asked = open().connect(
                        Connect.builder(id).requestResponseInformation(true).build());

        assertThat(plain.responseInformation()).isNull();
        assertThat(asked.responseInformation()).isEqualTo("response/" + id);
    }

    @Test
    @Proves({"MQTT-3.2.2-22", "MQTT-3.1.2-21"})
    void shouldSayNothingAboutWhatItTakesAsRequested() {
        ConnAck answer = open().connect(Connect.builder(fresh("client"))
                .keepAliveSeconds(17)
                .sessionExpiryIntervalSeconds(23)
                .build());

        assertThat(answer.serverKeepAliveSeconds()).isEqualTo(ConnAck.AS_REQUESTED);
        assertThat(answer.sessionExpiryIntervalSeconds()).isEqualTo(ConnAck.AS_REQUESTED);
        assertThat(answer.assignedClientIdentifier()).isNull();
        assertThat(answer.reasonString()).isNull();
        assertThat(answer.wildcardSubscriptionAvailable()).isTrue();
        assertThat(answer.sharedSubscriptionAvailable()).isTrue();
        assertThat(answer.subscriptionIdentifiersAvailable()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = ReasonCode.class,
            names = {"USE_ANOTHER_SERVER", "SERVER_MOVED"})
    @Proves({"MQTT-3.2.2-7", "MQTT-4.13.2-1"})
    void shouldSendClientsToAnotherServer(ReasonCode reason) {
        MqttOptions options =
                TestOptions.redirecting(new Redirect("other.example:1883", reason == ReasonCode.SERVER_MOVED));
        try (TestBroker elsewhere =
                        TestBroker.with(MqttTestBroker.mqtt(options)).start();
                RawClient client = new RawClient(elsewhere.port(), ProtocolVersion.V5)) {
            ConnAck answer = client.connect(Connect.builder("client").build());

            assertThat(answer.reasonCode()).isEqualTo(reason);
            assertThat(answer.serverReference()).isEqualTo("other.example:1883");
            client.expectClosed();
        }
    }
}
