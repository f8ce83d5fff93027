package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.session.ClientSession;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.PingResp;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CONNECT: what is taken, what is refused, and which session it leads to. */
class ConnectConformanceTest extends ConformanceTest {
    private static final int CLEAN_START = 0b10;
    private static final int WILL = 0b100;
    private static final int WILL_RETAIN = 0b10_0000;
    private static final int PASSWORD = 0b100_0000;
    private static final int USER_NAME = 0b1000_0000;

    @Test
    @Proves("MQTT-3.1.0-1")
    void shouldCloseWhenTheFirstPacketIsNoConnect() {
        RawClient client = open();

        client.send(PingReq.INSTANCE);

        client.expectClosed();
    }

    @Test
    @Proves({"MQTT-3.1.0-2", "MQTT-3.2.0-2"})
    void shouldTreatASecondConnectAsProtocolError() {
        RawClient client = client();

        client.send(Connect.builder(fresh("client")).build());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    @Proves("MQTT-3.1.0-2")
    void shouldTreatASecondConnectOfAnyVersionAsProtocolError(ProtocolVersion second) {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x10)
                .utf8(second.protocolName())
                .bytes(second.level(), 2, 0, 0)
                .toBytes());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-3.1.0-2")
    void shouldTreatASecondConnectOfAnUnknownVersionAsProtocolError() {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x10).utf8("MQTT").bytes(9, 2, 0, 0).toBytes());

        expectDisconnect(client, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-3.1.2-1")
    void shouldCloseWhenTheProtocolNameIsAnother() {
        RawClient client = open();

        client.sendBytes(RawPacket.of(0x10)
                .utf8("MQTX")
                .bytes(5, CLEAN_START, 0, 0, 0)
                .utf8("id")
                .toBytes());

        client.expectClosed();
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 7, 127})
    @Proves({"MQTT-3.1.2-2", "MQTT-3.2.2-8", "MQTT-3.2.2-7"})
    void shouldSayThatALaterVersionIsUnsupportedAndClose(int level) {
        RawClient client = open();

        client.sendBytes(RawPacket.of(0x10)
                .utf8("MQTT")
                .bytes(level, CLEAN_START, 0, 0, 0)
                .utf8("id")
                .toBytes());

        expectRefusal(client, ReasonCode.UNSUPPORTED_PROTOCOL_VERSION);
    }

    @Test
    @Proves({"MQTT-3.1.2-3", "MQTT-2.1.3-1"})
    void shouldRefuseTheReservedFlag() {
        RawClient client = open();

        client.sendBytes(RawPacket.connect(CLEAN_START | 1).bytes(0).utf8("id").toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves({"MQTT-3.1.2-4", "MQTT-3.1.4-4", "MQTT-3.2.2-2"})
    void shouldDiscardTheSessionOnACleanStart() {
        // given a session with a subscription and an unfinished delivery
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, AT_LEAST_ONCE);
        publish(topic, AT_LEAST_ONCE, "unfinished");
        before.receivePublish();
        lose(before);

        // when
        RawClient after = open();
        ConnAck answer = after.connect(
                Connect.builder(id).sessionExpiryIntervalSeconds(60).build());

        // then
        assertThat(answer.sessionPresent()).isFalse();
        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        publish(topic, AT_LEAST_ONCE, "unwanted");
        after.expectNothing();
    }

    @Test
    @Proves({"MQTT-3.1.2-5", "MQTT-3.2.2-3", "MQTT-3.1.2-23", "MQTT-4.5.0-1"})
    void shouldResumeTheSessionWithoutACleanStart() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, AT_LEAST_ONCE);
        leave(before);
        publish(topic, AT_LEAST_ONCE, "meanwhile");

        RawClient after = resumed(id);

        assertThat(text(after.receivePublish())).isEqualTo("meanwhile");
    }

    @Test
    @Proves({"MQTT-3.1.2-6", "MQTT-3.2.2-3"})
    void shouldCreateASessionWhereThereIsNone() {
        String id = fresh("client");
        RawClient client = open();

        ConnAck answer = client.connect(resuming(id).build());

        assertThat(answer.sessionPresent()).isFalse();
        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        leave(client);
        resumed(id).expectNothing();
    }

    @Test
    @Proves("MQTT-3.1.2-9")
    void shouldRefuseAWillFlagWithoutAWill() {
        RawClient client = open();

        client.sendBytes(
                RawPacket.connect(CLEAN_START | WILL).bytes(0).utf8("id").toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Proves("MQTT-3.1.2-11")
    void shouldRefuseAWillQosWithoutAWill(int qos) {
        RawClient client = open();

        client.sendBytes(
                RawPacket.connect(CLEAN_START | qos << 3).bytes(0).utf8("id").toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-3.1.2-12")
    void shouldRefuseWillQosThree() {
        RawClient client = open();

        client.sendBytes(RawPacket.connect(CLEAN_START | WILL | 3 << 3)
                .bytes(0)
                .utf8("id")
                .bytes(0)
                .utf8("will")
                .utf8("gone")
                .toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-3.1.2-13")
    void shouldRefuseWillRetainWithoutAWill() {
        RawClient client = open();

        client.sendBytes(
                RawPacket.connect(CLEAN_START | WILL_RETAIN).bytes(0).utf8("id").toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves({"MQTT-3.1.2-16", "MQTT-3.1.2-18"})
    void shouldRefuseCredentialsThatNoFlagAnnounces() {
        RawClient client = open();

        client.sendBytes(RawPacket.connect(CLEAN_START)
                .bytes(0)
                .utf8("id")
                .utf8("name or password")
                .toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @ValueSource(ints = {USER_NAME, PASSWORD})
    @Proves({"MQTT-3.1.2-17", "MQTT-3.1.2-19"})
    void shouldRefuseMissingCredentialsThatAFlagAnnounces(int flag) {
        RawClient client = open();

        client.sendBytes(
                RawPacket.connect(CLEAN_START | flag).bytes(0).utf8("id").toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-3.1.3-2")
    void shouldKeepSessionsApartByClientIdentifier() {
        String one = fresh("client");
        String topic = fresh("topic");
        RawClient first = persistent(one);
        first.subscribe(topic, AT_LEAST_ONCE);
        leave(first);

        RawClient other = open();
        ConnAck answer = other.connect(resuming(one.toUpperCase(Locale.ROOT)).build());

        assertThat(answer.sessionPresent()).isFalse();
        publish(topic, AT_LEAST_ONCE, "for the first");
        other.expectNothing();
        assertThat(text(resumed(one).receivePublish())).isEqualTo("for the first");
    }

    @Test
    @Proves("MQTT-3.1.3-3")
    void shouldRefuseAConnectWithoutAClientIdentifier() {
        RawClient client = open();

        client.sendBytes(RawPacket.connect(CLEAN_START).bytes(0).toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-3.1.3-4")
    void shouldRefuseAClientIdentifierThatIsNotUtf8() {
        RawClient client = open();

        client.sendBytes(RawPacket.connect(CLEAN_START).bytes(0).illFormedText().toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0123456789abcdefghijklm", "nopqrstuvwxyzABCDEFGHIJ", "KLMNOPQRSTUVWXYZ"})
    @Proves({"MQTT-3.1.3-5", "MQTT-3.1.4-5"})
    void shouldTakeTheClientIdentifiersThatEveryServerTakes(String id) {
        RawClient client = open();

        ConnAck answer = client.connect(Connect.builder(id).build());

        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(answer.assignedClientIdentifier()).isNull();
    }

    @Test
    @Proves({"MQTT-3.1.3-6", "MQTT-3.2.2-16"})
    void shouldAssignAUniqueClientIdentifier() {
        String first = open().connect(Connect.builder("").build()).assignedClientIdentifier();
        String second = open().connect(Connect.builder("").build()).assignedClientIdentifier();

        assertThat(first).isNotEmpty();
        assertThat(second).isNotEmpty().isNotEqualTo(first);
    }

    @Test
    @Proves({"MQTT-3.1.3-6", "MQTT-3.2.2-16"})
    void shouldServeAnAssignedClientIdentifierLikeOneThatTheClientChose() {
        RawClient before = open();
        String id = before.connect(
                        Connect.builder("").sessionExpiryIntervalSeconds(60).build())
                .assignedClientIdentifier();
        leave(before);

        resumed(id).expectNothing();
    }

    /** One of 64 that chance makes would begin so after an underscore. */
    @Test
    void shouldAssignNoClientIdentifierThatItReserves() {
        for (int i = 0; i < 500; i++) {
            RawClient client = open();
            String id = client.connect(Connect.builder("").build()).assignedClientIdentifier();
            leave(client);

            assertThat(id).doesNotStartWith(ClientSession.RESERVED_PREFIX);
        }
    }

    @Test
    @Proves({"MQTT-3.1.3-8", "MQTT-3.2.2-7"})
    void shouldRefuseAClientIdentifierThatItReserves() {
        RawClient client = open();

        client.send(Connect.builder("__broker").build());

        expectRefusal(client, ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
    }

    @Test
    @Proves("MQTT-3.1.3-11")
    void shouldRefuseAWillTopicThatIsNotUtf8() {
        RawClient client = open();

        client.sendBytes(RawPacket.connect(CLEAN_START | WILL)
                .bytes(0)
                .utf8("id")
                .bytes(0)
                .illFormedText()
                .utf8("gone")
                .toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves("MQTT-3.1.3-12")
    void shouldRefuseAUserNameThatIsNotUtf8() {
        RawClient client = open();

        client.sendBytes(RawPacket.connect(CLEAN_START | USER_NAME)
                .bytes(0)
                .utf8("id")
                .illFormedText()
                .toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves({"MQTT-3.1.4-1", "MQTT-3.2.2-7", "MQTT-4.13.1-1"})
    void shouldCloseOnAConnectThatEndsTooEarly() {
        RawClient client = open();

        client.sendBytes(RawPacket.of(0x10).utf8("MQTT").bytes(5).toBytes());

        expectRefusal(client, ReasonCode.MALFORMED_PACKET);
    }

    @Test
    @Proves({"MQTT-3.1.4-3", "MQTT-3.14.4-2", "MQTT-4.13.2-1"})
    void shouldCloseTheOldConnectionOfAClientThatConnectsAgain() {
        String id = fresh("client");
        RawClient old = persistent(id);

        RawClient current = resumed(id);

        expectDisconnect(old, ReasonCode.SESSION_TAKEN_OVER);
        current.expectNothing();
    }

    @Test
    @Proves("MQTT-3.1.4-6")
    void shouldProcessNothingBehindARefusedConnect() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_MOST_ONCE);
        RawClient refused = open();

        refused.send(Connect.builder("__broker").build(), message(topic, AT_MOST_ONCE, "unheard"));

        expectRefusal(refused, ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        subscriber.expectNothing();
    }

    @Test
    @Proves({"MQTT-3.2.0-1", "MQTT-3.1.4-5"})
    void shouldAnswerConnectBeforeWhatCameBehindIt() {
        RawClient client = open();

        client.send(Connect.builder(fresh("client")).build(), PingReq.INSTANCE, PingReq.INSTANCE);

        client.receive(ConnAck.class);
        client.receive(PingResp.class);
        client.receive(PingResp.class);
    }

    @Test
    @Proves("MQTT-3.2.0-1")
    void shouldAnswerConnectBeforeItResends() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.subscribe(topic, EXACTLY_ONCE);
        lose(before);
        publish(topic, EXACTLY_ONCE, "waiting");
        RawClient after = open();

        after.send(resuming(id).build());

        assertThat(after.receive()).isInstanceOf(ConnAck.class);
        assertThat(text(after.receivePublish())).isEqualTo("waiting");
    }

    @Test
    @Proves("MQTT-3.14.0-1")
    void shouldSendNoDisconnectWhenItRefusesAConnect() {
        RawClient client = open();

        client.sendBytes(RawPacket.connect(CLEAN_START)
                .bytes(0)
                .utf8("id")
                .bytes(1, 2, 3)
                .toBytes());

        assertThat(client.receive()).isInstanceOf(ConnAck.class);
        client.expectClosed();
    }
}
