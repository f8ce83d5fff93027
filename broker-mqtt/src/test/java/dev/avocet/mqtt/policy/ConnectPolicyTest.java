package dev.avocet.mqtt.policy;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.PolicyFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Connection policies: who may connect, and as how big a client. */
final class ConnectPolicyTest extends PolicyTest {
    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    @Proves({"MQTT-3.1.4-2", "MQTT-3.2.2-7"})
    void shouldRefuseWhomNoPolicyLetsIn(ProtocolVersion version) {
        apply(new PolicyFixture().connection("devices", Map.of("ClientID", "device-*")));

        RawClient stranger = open(version);
        assertRefused(stranger, connect(version, "stranger").build());
        connected(version, "device-1");
        assertThat(broker.count(Counter.CONNECTIONS_UNAUTHORIZED)).isEqualTo(1);
    }

    @Test
    void shouldAskForTheAddress() {
        apply(new PolicyFixture().connection("elsewhere", Map.of("ClientAddress", "10.0.0.1-10.255.255.255,[::1]")));
        assertRefused(open(ProtocolVersion.V5), Connect.builder("client").build());

        apply(new PolicyFixture().connection("here", Map.of("ClientAddress", "127.0.0.0-127.0.0.9")));
        connected(ProtocolVersion.V5, "client");
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void shouldRefuseSessionsThatOutliveTheConnection(ProtocolVersion version) {
        apply(connections("AllowDurable", false));

        assertRefused(open(version), durable(version, "client").build());
        connected(version, "client");
    }

    @Test
    void shouldLetAnMqtt5ClientResumeASessionThatDoesNotOutliveItsConnection() {
        apply(connections("AllowDurable", false));

        connected(connect(ProtocolVersion.V5, "client").cleanStart(false));
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void shouldRefuseWillsThatMayNotBePublished(ProtocolVersion version) {
        apply(topics("own", "will/${ClientID}", "Publish"));

        assertRefused(open(version), withWill(version, "client", "will/other", 0));
        connected(connect(version, "client").will(new ConnectWill("will/client", new byte[1], AT_LEAST_ONCE, false)));
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void shouldRefuseWillsThatHaveToSurviveWhereNothingMay(ProtocolVersion version) {
        apply(connections("AllowPersistentMessages", false));

        assertRefused(open(version), withWill(version, "client", "will", 1));
        connected(connect(version, "client").will(new ConnectWill("will", new byte[1], AT_MOST_ONCE, false)));
    }

    @Test
    void shouldPublishAWillThoughItsPolicyHasGoneMeanwhile() {
        // given
        apply(topics("all", "*", "Publish,Subscribe"));
        RawClient subscriber = connected(ProtocolVersion.V5, "subscriber");
        subscriber.subscribe("will", AT_MOST_ONCE);
        RawClient dying = connected(
                connect(ProtocolVersion.V5, "dying").will(new ConnectWill("will", new byte[1], AT_MOST_ONCE, false)));

        // when
        apply(topics("none", "other", "Publish,Subscribe"));
        dying.drop();

        // then
        assertThat(subscriber.receivePublish().topic()).isEqualTo("will");
    }

    @ParameterizedTest
    @CsvSource({"-1, 60", "100, 60", "50, 50"})
    void shouldLimitTheLifeOfAWill(long wantedSeconds, long expectedSeconds) {
        // given
        apply(topics("all", "*", "Publish,Subscribe", "MaxMessageTimeToLive", 60));
        RawClient subscriber = connected(ProtocolVersion.V5, "subscriber");
        subscriber.subscribe("will", AT_MOST_ONCE);

        // when
        ConnectWill will = new ConnectWill("will", new byte[1], AT_MOST_ONCE, false)
                .withMessageExpiryIntervalSeconds(wantedSeconds);
        connected(connect(ProtocolVersion.V5, "dying").will(will)).drop();

        // then
        assertThat(subscriber.receivePublish().messageExpiryIntervalSeconds()).isEqualTo(expectedSeconds);
    }

    @Test
    void shouldTellWhenASessionIsKeptLessLong() {
        apply(connections("MaxSessionExpiryInterval", 100));

        ConnAck answer = open(ProtocolVersion.V5)
                .connect(Connect.builder("client")
                        .sessionExpiryIntervalSeconds(101)
                        .build());
        assertThat(answer.sessionExpiryIntervalSeconds()).isEqualTo(100);
        ConnAck other = open(ProtocolVersion.V5)
                .connect(Connect.builder("other")
                        .sessionExpiryIntervalSeconds(99)
                        .build());
        assertThat(other.sessionExpiryIntervalSeconds()).isNotEqualTo(100);
    }

    @Test
    void shouldLimitTheExpiryThatDisconnectAsksFor() {
        // given
        apply(connections("MaxSessionExpiryInterval", 100));
        RawClient client = connected(Connect.builder("client").sessionExpiryIntervalSeconds(50));

        // when
        client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION, 1_000, null, List.of(), null));
        client.expectClosed();
        broker.awaitCount(Counter.SESSIONS_CONNECTED, 0);

        // then
        broker.advance(Duration.ofSeconds(101));
        broker.awaitCount(Counter.SESSIONS, 0);
    }

    @ParameterizedTest
    @EnumSource(value = ProtocolVersion.class, mode = EnumSource.Mode.EXCLUDE, names = "V5")
    void shouldKeepOlderSessionsForAsLongAsThePolicySays(ProtocolVersion version) {
        // given
        apply(connections("MaxSessionExpiryInterval", 100));
        connected(durable(version, "client")).drop();
        broker.awaitCount(Counter.SESSIONS_CONNECTED, 0);

        // when, then
        broker.advance(Duration.ofSeconds(99));
        assertThat(broker.count(Counter.SESSIONS)).isEqualTo(1);
        broker.advance(Duration.ofSeconds(2));
        broker.awaitCount(Counter.SESSIONS, 0);
    }

    @ParameterizedTest
    @CsvSource({"Low, 10, 10", "Default, 256, 1000", "High, 2048, 2048", "Max, 65535, 3000"})
    void shouldSizeTheWindows(String rate, int receiveMaximum, int inFlight) {
        // given
        apply(connections("ExpectedMessageRate", rate));
        RawClient client = open(ProtocolVersion.V5);
        assertThat(client.connect(Connect.builder("client").build()).receiveMaximum())
                .isEqualTo(receiveMaximum);
        client.subscribe("t", AT_LEAST_ONCE);

        // when
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        int count = Math.min(3_000, inFlight + 5);
        for (int i = 0; i < count; i++) {
            publisher.send(publish("t", AT_LEAST_ONCE, 1));
            publisher.receive(PubAck.class);
        }

        // then
        for (int i = 0; i < inFlight; i++) {
            assertThat(client.receive()).isInstanceOf(Publish.class);
        }
        client.expectNothing();
    }

    @Test
    void shouldCloseWhenMoreIsInFlightThanTheRateAllows() {
        // given
        apply(connections("ExpectedMessageRate", "Low"));
        RawClient client = connected(ProtocolVersion.V5, "client");

        // when
        for (int i = 1; i <= 11; i++) {
            client.send(publish("t", EXACTLY_ONCE, i));
        }

        // then
        Packet last = client.receive();
        while (!(last instanceof Disconnect)) {
            last = client.receive();
        }
        assertThat(((Disconnect) last).reasonCode()).isEqualTo(ReasonCode.RECEIVE_MAXIMUM_EXCEEDED);
    }

    private static Connect withWill(ProtocolVersion version, String clientId, String topic, int qos) {
        return connect(version, clientId)
                .will(new ConnectWill(topic, new byte[1], qos == 0 ? AT_MOST_ONCE : AT_LEAST_ONCE, false))
                .build();
    }

    private static void assertRefused(RawClient client, Connect connect) {
        ConnAck answer = client.connect(connect);
        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        if (connect.version() == ProtocolVersion.V5) {
            assertThat(answer.reasonString()).isNotBlank();
        }
        client.expectClosed();
    }
}
