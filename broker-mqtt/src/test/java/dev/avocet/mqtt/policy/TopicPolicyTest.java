package dev.avocet.mqtt.policy;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.Acknowledgement;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.PolicyFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Topic and subscription policies: who may publish and subscribe, and what those are told who may not. */
final class TopicPolicyTest extends PolicyTest {
    @Test
    void shouldAcceptAndDropWhatAnMqtt31ClientMayNotPublish() {
        // given
        apply(topics("reading", "*", "Subscribe"));
        RawClient subscriber = connected(ProtocolVersion.V5, "subscriber");
        subscriber.subscribe("t", EXACTLY_ONCE);
        RawClient publisher = connected(ProtocolVersion.V3_1, "publisher");

        // when, then
        publisher.send(publish("t", AT_MOST_ONCE, 0));
        publisher.expectNothing();
        publisher.send(publish("t", AT_LEAST_ONCE, 1));
        assertThat(publisher.receive(PubAck.class).packetId()).isEqualTo(1);
        publisher.send(publish("t", EXACTLY_ONCE, 2));
        assertThat(publisher.receive(PubRec.class).packetId()).isEqualTo(2);
        publisher.send(new PubRel(2));
        assertThat(publisher.receive(PubComp.class).packetId()).isEqualTo(2);
        subscriber.expectNothing();
        assertThat(broker.count(Counter.PUBLISHES_UNAUTHORIZED)).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(QualityOfService.class)
    @Proves("MQTT311-3.3.5-2")
    void shouldDisconnectAnMqtt311ClientThatMayNotPublish(QualityOfService qos) {
        apply(topics("reading", "*", "Subscribe"));
        RawClient publisher = connected(ProtocolVersion.V3_1_1, "publisher");

        publisher.send(publish("t", qos, qos == AT_MOST_ONCE ? 0 : 1));

        publisher.expectClosed();
        assertThat(broker.count(Counter.PUBLISHES_UNAUTHORIZED)).isEqualTo(1);
    }

    /** All of these topics match the same filters, so they have the same route. */
    @ParameterizedTest
    @EnumSource(value = QualityOfService.class, mode = EnumSource.Mode.EXCLUDE, names = "EXACTLY_ONCE")
    void shouldAllowNoTopicBecauseAnotherOneWithTheSameSubscribersIsAllowed(QualityOfService qos) {
        // given
        apply(addTopics(topics("own", "fleet/${ClientID}/*", "Publish"), "reading", "*", "Subscribe"));
        RawClient all = connected(ProtocolVersion.V5, "all");
        all.subscribe("fleet/#", AT_MOST_ONCE);
        RawClient devices = connected(ProtocolVersion.V5, "devices");
        devices.subscribe("fleet/+/#", AT_MOST_ONCE);
        RawClient first = connected(ProtocolVersion.V5, "first");
        RawClient second = connected(ProtocolVersion.V5, "second");

        for (int round = 0; round < 3; round++) { // topics that come again are remembered
            // when each publishes to its own topics and to those of the other
            List<String> expected = new ArrayList<>();
            for (RawClient client : List.of(first, second)) {
                String own = client == first ? "first" : "second";
                List<Publish> publishes = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    String owner = i % 2 == 0 ? "first" : "second";
                    publishes.add(publish("fleet/" + owner + "/" + i, qos, qos == AT_MOST_ONCE ? 0 : i + 1));
                    if (owner.equals(own)) {
                        expected.add("fleet/" + owner + "/" + i);
                    }
                }
                client.send(publishes.toArray(Publish[]::new));
                for (int i = 0; i < 20 && qos != AT_MOST_ONCE; i++) {
                    boolean isOwn = (i % 2 == 0) == (client == first);
                    assertThat(client.receive(PubAck.class).reasonCode())
                            .isEqualTo(isOwn ? ReasonCode.SUCCESS : ReasonCode.NOT_AUTHORIZED);
                }
            }

            // then
            for (RawClient subscriber : List.of(all, devices)) {
                List<String> got = new ArrayList<>();
                for (int i = 0; i < expected.size(); i++) {
                    got.add(subscriber.receivePublish().topic());
                }
                assertThat(got).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
        assertThat(broker.count(Counter.PUBLISHES_UNAUTHORIZED)).isEqualTo(3 * 20);
    }

    @ParameterizedTest
    @EnumSource(value = QualityOfService.class, mode = EnumSource.Mode.EXCLUDE, names = "AT_MOST_ONCE")
    void shouldTellAnMqtt5ClientThatItMayNotPublish(QualityOfService qos) {
        apply(topics("some", "allowed/*", "Publish"));
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");

        publisher.send(publish("forbidden", qos, 1), publish("allowed/1", AT_LEAST_ONCE, 2));

        Acknowledgement answer = (Acknowledgement) publisher.receive();
        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertThat(answer.packetId()).isEqualTo(1);
        assertThat(answer.reasonString()).isNotBlank();
        assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.NO_MATCHING_SUBSCRIBERS);
    }

    @Test
    void shouldDropQos0OfAnMqtt5ClientThatMayNotPublish() {
        apply(topics("reading", "*", "Subscribe"));
        RawClient client = connected(ProtocolVersion.V5, "client");
        client.subscribe("t", AT_MOST_ONCE);

        client.send(publish("t", AT_MOST_ONCE, 0));

        client.expectNothing();
        assertThat(broker.count(Counter.PUBLISHES_UNAUTHORIZED)).isEqualTo(1);
    }

    @Test
    void shouldLeaveTheWindowOpenToThoseWhoMayNotPublish() {
        apply(topics("reading", "*", "Subscribe")
                .connection("low", Map.of("ClientID", "*", "ExpectedMessageRate", "Low")));
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");

        for (int i = 1; i <= 30; i++) {
            publisher.send(publish("t", EXACTLY_ONCE, i));
            assertThat(publisher.receive(PubRec.class).reasonCode()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        }
    }

    @Test
    void shouldRefuseWhatHasToSurviveWhereNothingMay() {
        apply(connections("AllowPersistentMessages", false));
        RawClient client = connected(ProtocolVersion.V5, "client");
        client.subscribe("t", AT_LEAST_ONCE);

        client.send(publish("t", AT_LEAST_ONCE, 1));
        assertThat(client.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        client.send(publish("t", AT_MOST_ONCE, 0));
        assertThat(client.receivePublish().topic()).isEqualTo("t");
    }

    @ParameterizedTest
    @CsvSource({"V3_1, GRANTED_QOS_1", "V3_1_1, UNSPECIFIED_ERROR", "V5, NOT_AUTHORIZED"})
    void shouldAnswerASubscriptionThatIsNotAllowed(ProtocolVersion version, ReasonCode expected) {
        // given
        apply(topics("writing", "*", "Publish"));
        RawClient client = connected(version, "client");

        // when
        SubAck answer = client.subscribe("t", AT_LEAST_ONCE);

        // then
        assertThat(answer.reasonCodes()).containsExactly(expected);
        client.send(publish("t", AT_MOST_ONCE, 0));
        client.expectNothing();
        assertThat(broker.count(Counter.SUBSCRIPTIONS_UNAUTHORIZED)).isEqualTo(1);
        assertThat(broker.count(Counter.SUBSCRIPTIONS)).isZero();
    }

    @Test
    void shouldCompareTheFilterOfAShareWithThePolicies() {
        apply(topics("some", "work/*", "Subscribe"));
        RawClient client = connected(ProtocolVersion.V5, "client");

        assertThat(client.subscribe("$share/group/work/#", AT_LEAST_ONCE).reasonCodes())
                .containsExactly(ReasonCode.GRANTED_QOS_1);
        assertThat(client.subscribe("$share/group/play/#", AT_LEAST_ONCE).reasonCodes())
                .containsExactly(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void shouldAskSubscriptionPoliciesAboutGlobalDurableShares() {
        // given
        PolicyFixture fixture = topics("all", "*", "Publish,Subscribe")
                .with(
                        SubscriptionPolicy.class,
                        "makers",
                        Map.of("ClientID", "maker", "Subscription", "g*", "ActionList", "Receive,Control"))
                .with(
                        SubscriptionPolicy.class,
                        "members",
                        Map.of("ClientID", "member*", "Subscription", "g*", "ActionList", "Receive"))
                .with(
                        SubscriptionPolicy.class,
                        "controllers",
                        Map.of("ClientID", "controller", "Subscription", "g*", "ActionList", "Control"));
        apply(fixture);
        String name = "$SharedSubscription/group/t";
        RawClient member = connected(durable(ProtocolVersion.V5, "member"));

        // then: who may not make it has to wait for somebody who may
        assertThat(member.subscribe(name, AT_LEAST_ONCE).reasonCodes()).containsExactly(ReasonCode.NOT_AUTHORIZED);
        assertGranted(connected(durable(ProtocolVersion.V5, "maker")).subscribe(name, AT_LEAST_ONCE));
        assertGranted(member.subscribe(name, AT_LEAST_ONCE));
        assertThat(connected(durable(ProtocolVersion.V5, "controller"))
                        .subscribe(name, AT_LEAST_ONCE)
                        .reasonCodes())
                .containsExactly(ReasonCode.NOT_AUTHORIZED);

        // then: the kind that is not durable needs a topic policy only
        assertGranted(connected(ProtocolVersion.V5, "member-2").subscribe(name, AT_LEAST_ONCE));
    }

    @ParameterizedTest
    @CsvSource({"-1, 60", "100, 60", "50, 50"})
    void shouldLimitTheLifeOfMessages(long wantedSeconds, long expectedSeconds) {
        apply(topics("all", "*", "Publish,Subscribe", "MaxMessageTimeToLive", 60));
        RawClient client = connected(ProtocolVersion.V5, "client");
        client.subscribe("t", AT_MOST_ONCE);

        client.send(new Publish(
                false, AT_MOST_ONCE, false, "t", 0, 0, wantedSeconds, MessageProperties.NONE, List.of(), new byte[1]));

        assertThat(client.receivePublish().messageExpiryIntervalSeconds()).isEqualTo(expectedSeconds);
    }

    private static void assertGranted(SubAck answer) {
        assertThat(answer.reasonCodes()).containsExactly(ReasonCode.GRANTED_QOS_1);
    }
}
