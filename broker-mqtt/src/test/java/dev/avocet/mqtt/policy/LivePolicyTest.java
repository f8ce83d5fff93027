package dev.avocet.mqtt.policy;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.LiveUse.Use;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.session.PolicyUse;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.PolicyFixture;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Limits of subscriptions, which come from the policy under which they were made, and policies that change while they
 * are in use.
 */
final class LivePolicyTest extends PolicyTest {
    private static final ObjectKey SMALL = ObjectTypes.of(TopicPolicy.class).keyOf("small");

    @ParameterizedTest
    @EnumSource(value = ProtocolVersion.class)
    void shouldRefuseAPublishThatAFullSubscriberRejects(ProtocolVersion version) {
        // given
        apply(topics("small", "*", "Publish,Subscribe", "MaxMessages", 2));
        awaySubscriber("away");
        RawClient publisher = connected(version, "publisher");
        fill(publisher, 2);

        // when
        publisher.send(publish("t", AT_LEAST_ONCE, 3));

        // then
        if (version == ProtocolVersion.V5) {
            assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        } else {
            publisher.expectClosed();
        }
    }

    @Test
    void shouldPassOverFullSubscribersThatConcernNobodyElse() {
        // given
        PolicyFixture fixture = new PolicyFixture()
                .topic(
                        "small",
                        Map.of(
                                "ClientID", "away*",
                                "Topic", "*",
                                "ActionList", "Subscribe",
                                "MaxMessages", 2,
                                "RejectScope", "FullSubscriber"));
        apply(addTopics(fixture, "large", "*", "Publish,Subscribe"));
        awaySubscriber("away-1");
        RawClient between = connected(ProtocolVersion.V5, "between");
        between.subscribe("t", AT_LEAST_ONCE);
        awaySubscriber("away-2");
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");

        // when
        fill(publisher, 5);

        // then
        for (int i = 0; i < 5; i++) {
            between.receivePublish();
        }
        assertThat(broker.count(Counter.MESSAGES_REJECTED)).isEqualTo(6);
        assertThat(broker.count(Counter.PUBLISHES_REFUSED)).isZero();
        assertThat(countFor(resumed("away-1"))).isEqualTo(2);
        between.send(new Unsubscribe(9, "t"));
        between.receive(UnsubAck.class);
        resumedEnds("away-2");
    }

    @Test
    void shouldNotSayThatNobodySubscribedWhenEverybodyIsFull() {
        // given
        apply(topics("small", "*", "Publish,Subscribe", "MaxMessages", 1, "RejectScope", "FullSubscriber"));
        awaySubscriber("away");
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");

        // when, then
        fill(publisher, 3);
        assertThat(broker.count(Counter.MESSAGES_WITHOUT_SUBSCRIBER)).isZero();
    }

    @Test
    void shouldMakeRoomAsSoonAsThePolicyGivesIt() {
        // given
        apply(topics("small", "*", "Publish,Subscribe", "MaxMessages", 2));
        awaySubscriber("away");
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        fill(publisher, 2);
        publisher.send(publish("t", AT_LEAST_ONCE, 3));
        assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);

        // when
        apply(topics("small", "*", "Publish,Subscribe", "MaxMessages", 4));
        fill(publisher, 2);
        apply(topics("small", "*", "Publish,Subscribe", "MaxMessages", 4, "MaxMessagesBehavior", "DiscardOldMessages"));
        fill(publisher, 10);

        // then
        assertThat(broker.count(Counter.MESSAGES_DISCARDED)).isPositive();
        assertThat(countFor(resumed("away"))).isBetween(3, 4);
    }

    @Test
    void shouldLetPublishersThatWaitGoOnWhenThePolicyChanges() {
        // given
        apply(topics("small", "*", "Publish,Subscribe", "MaxMessages", 2, "MaxMessagesBehavior", "Backpressure"));
        awaySubscriber("away");
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        fill(publisher, 2);
        publisher.send(publish("t", AT_LEAST_ONCE, 3));
        publisher.expectNothing();

        // when
        apply(topics("small", "*", "Publish,Subscribe", "MaxMessages", 3, "MaxMessagesBehavior", "Backpressure"));

        // then
        assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void shouldChangeTheLimitsOfSharedSubscriptions() {
        // given
        apply(shares(2));
        RawClient member = connected(durable(ProtocolVersion.V5, "member"));
        member.subscribe("$SharedSubscription/group/t", AT_LEAST_ONCE);
        member.drop();
        broker.awaitCount(Counter.SESSIONS_CONNECTED, 0);
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        fill(publisher, 2);
        publisher.send(publish("t", AT_LEAST_ONCE, 3));
        assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);

        // when
        apply(shares(3));

        // then
        fill(publisher, 1);
        assertThat(policies().count(ObjectTypes.of(SubscriptionPolicy.class).keyOf("shares")))
                .isEqualTo(1);
    }

    @Test
    void shouldLimitTheLifeOfWhatIsPublishedFromNowOn() {
        // given
        apply(topics("all", "*", "Publish,Subscribe", "MaxMessageTimeToLive", 60));
        RawClient client = connected(ProtocolVersion.V5, "client");
        client.subscribe("t", AT_MOST_ONCE);
        client.send(publish("t", AT_MOST_ONCE, 0));
        assertThat(client.receivePublish().messageExpiryIntervalSeconds()).isEqualTo(60);

        // when
        apply(topics("all", "*", "Publish,Subscribe", "MaxMessageTimeToLive", 30));

        // then
        client.send(publish("t", AT_MOST_ONCE, 0));
        assertThat(client.receivePublish().messageExpiryIntervalSeconds()).isEqualTo(30);
    }

    @Test
    void shouldTakeARightAwayAtOnce() {
        // given
        apply(topics("all", "*", "Publish"));
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        publisher.send(publish("t", AT_LEAST_ONCE, 1));
        assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.NO_MATCHING_SUBSCRIBERS);

        // when
        apply(topics("all", "other", "Publish"));

        // then
        publisher.send(publish("t", AT_LEAST_ONCE, 2));
        assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void shouldGoOnUnderThePolicyThatMatchesWhenTheClientComesBack() {
        // given
        apply(topics("small", "*", "Publish,Subscribe", "MaxMessages", 2));
        awaySubscriber("away");
        assertThat(policies().of(SMALL)).isEqualTo(Use.SUBSCRIPTIONS);
        List<ObjectKey> released = new CopyOnWriteArrayList<>();
        policies().onReleased(released::add);

        // when
        apply(topics("other", "*", "Publish,Subscribe", "MaxMessages", 3));
        RawClient back = resumed("away");
        back.expectNothing();
        back.drop();
        broker.awaitCount(Counter.SESSIONS_CONNECTED, 0);

        // then
        assertThat(policies().of(SMALL)).isEqualTo(Use.FREE);
        assertThat(released).containsExactly(SMALL);
        fill(connected(ProtocolVersion.V5, "publisher"), 3);
    }

    @Test
    void shouldSendNothingToWhoMayNotSubscribeAnyMore() {
        // given
        apply(topics("small", "*", "Publish,Subscribe"));
        awaySubscriber("away");
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        fill(publisher, 1);

        // when
        apply(topics("writing", "*", "Publish"));
        RawClient back = resumed("away");
        fill(publisher, 1);

        // then
        back.expectNothing();
        back.drop();
        broker.awaitCount(Counter.SESSIONS_CONNECTED, 1);
        apply(topics("small", "*", "Publish,Subscribe"));
        assertThat(countFor(resumed("away"))).isEqualTo(2);
    }

    @Test
    void shouldCountTheSubscriptionsUnderAPolicy() {
        // given
        apply(topics("small", "*", "Publish,Subscribe"));
        RawClient client = connected(ProtocolVersion.V5, "client");
        client.subscribe("a", AT_MOST_ONCE);
        client.subscribe("b", AT_MOST_ONCE);
        client.subscribe("$share/group/c", AT_MOST_ONCE);
        RawClient other = connected(ProtocolVersion.V5, "other");
        other.subscribe("$share/group/c", AT_MOST_ONCE);

        // then
        assertThat(policies().counts()).isEqualTo(Map.of(SMALL, 3));
        client.send(new Unsubscribe(9, "a"));
        client.receive(UnsubAck.class);
        assertThat(policies().count(SMALL)).isEqualTo(2);
        client.close();
        broker.awaitCount(Counter.SESSIONS, 1);
        assertThat(policies().count(SMALL)).isEqualTo(1);
        other.close();
        broker.awaitCount(Counter.SESSIONS, 0);
        assertThat(policies().of(SMALL)).isEqualTo(Use.FREE);
    }

    private static PolicyFixture shares(int maxMessages) {
        return topics("all", "*", "Publish,Subscribe")
                .with(
                        SubscriptionPolicy.class,
                        "shares",
                        Map.of(
                                "ClientID", "*",
                                "Subscription", "group",
                                "ActionList", "Receive,Control",
                                "MaxMessages", maxMessages));
    }

    private PolicyUse policies() {
        return broker.broker().subscriptions().policies();
    }

    /** Somebody for whom messages wait. */
    private void awaySubscriber(String clientId) {
        long connected = broker.count(Counter.SESSIONS_CONNECTED);
        RawClient away = connected(durable(ProtocolVersion.V5, clientId));
        assertThat(away.subscribe("t", AT_LEAST_ONCE).reasonCodes()).containsExactly(ReasonCode.GRANTED_QOS_1);
        away.drop();
        broker.awaitCount(Counter.SESSIONS_CONNECTED, connected);
    }

    private RawClient resumed(String clientId) {
        return connected(durable(ProtocolVersion.V5, clientId));
    }

    private void resumedEnds(String clientId) {
        assertThat(countFor(resumed(clientId))).isEqualTo(2);
    }

    /** Messages that come at once. */
    private static int countFor(RawClient client) {
        client.send(PingReq.INSTANCE);
        int count = 0;
        while (client.receive() instanceof Publish) {
            count++;
        }
        return count;
    }

    private static void fill(RawClient publisher, int count) {
        for (int i = 1; i <= count; i++) {
            publisher.send(publish("t", AT_LEAST_ONCE, i));
            assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        }
    }
}
