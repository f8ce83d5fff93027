package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DISCONNECT, in both directions. */
class DisconnectConformanceTest extends ConformanceTest {
    @ParameterizedTest
    @ValueSource(ints = {0xE1, 0xE2, 0xE4, 0xE8})
    @Proves({"MQTT-3.14.1-1", "MQTT-2.1.3-1"})
    void shouldRefuseReservedFlags(int header) {
        RawClient client = client();

        client.sendBytes(header, 0);

        expectDisconnect(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x01, 0x03, 0x10, 0x84, 0xFF})
    @Proves("MQTT-3.14.2-1")
    void shouldRefuseAReasonThatDisconnectDoesNotHave(int reason) {
        RawClient client = client();

        client.sendBytes(0xE0, 1, reason);

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves({"MQTT-3.14.4-1", "MQTT-3.14.4-2"})
    void shouldCloseWhenTheClientHasSaidGoodBye() {
        RawClient client = client();

        client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION), PingReq.INSTANCE);

        client.expectClosed();
    }

    @Test
    @Proves({"MQTT-3.14.4-1", "MQTT-3.14.4-2", "MQTT-3.14.2-1", "MQTT-4.13.2-1"})
    void shouldSendNothingBehindItsDisconnect() {
        RawClient client = client();
        String topic = fresh("topic");
        client.subscribe(topic, AT_MOST_ONCE);

        client.send(Connect.builder("second").build(), PingReq.INSTANCE, message(topic, AT_MOST_ONCE, "unheard"));

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-3.14.2-2")
    void shouldSendNoSessionExpiryInterval() {
        RawClient client = persistent(fresh("client"));

        client.send(Connect.builder("second").build());

        assertThat(client.receive(Disconnect.class).sessionExpiryIntervalSeconds())
                .isEqualTo(Disconnect.SAME_EXPIRY);
    }

    @Test
    @Proves("MQTT-3.14.4-1")
    void shouldIgnoreWhatComesBehindTheClientsDisconnect() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_MOST_ONCE);
        RawClient client = client();

        client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION), message(topic, AT_MOST_ONCE, "too late"));

        client.expectClosed();
        subscriber.expectNothing();
    }
}
