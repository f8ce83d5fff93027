package dev.avocet.mqtt.policy;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.LiveUse.Use;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.AdminSubscription;
import dev.avocet.core.config.object.messaging.DurableNamespaceAdminSub;
import dev.avocet.core.config.object.messaging.NonpersistentAdminSub;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.packet.ConnectBuilder;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.PolicyFixture;
import dev.avocet.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shared subscriptions that administrators make. */
final class AdministeredSubscriptionTest extends PolicyTest {
    @Override
    TestBroker newBroker() {
        return TestBroker.with(MqttTestBroker.mqtt()).loops(2).start();
    }

    @ParameterizedTest
    @EnumSource
    void shouldFillBeforeAnybodyConsumes(Kind kind) {
        // given
        apply(with(kind));
        publish(3);

        // when
        RawClient consumer = connected(kind.session("consumer"));
        assertThat(consumer.subscribe(kind.filter, AT_LEAST_ONCE).reasonCodes())
                .containsExactly(ReasonCode.GRANTED_QOS_1);

        // then
        for (int i = 1; i <= 3; i++) {
            acknowledgeNext(consumer, String.valueOf(i));
        }
        consumer.expectNothing();
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayWhenItsLastClientUnsubscribes(Kind kind) {
        // given
        apply(with(kind));
        RawClient consumer = connected(kind.session("consumer"));
        consumer.subscribe(kind.filter, AT_LEAST_ONCE);

        // when
        consumer.send(new Unsubscribe(2, kind.filter));
        assertThat(consumer.receive(UnsubAck.class).reasonCodes()).containsExactly(ReasonCode.SUCCESS);
        consumer.close();
        broker.awaitCount(Counter.SESSIONS_CONNECTED, 0);
        publish(1);

        // then
        RawClient other = connected(kind.session("other"));
        other.subscribe(kind.filter, AT_LEAST_ONCE);
        acknowledgeNext(other, "1");
    }

    @ParameterizedTest
    @EnumSource
    void shouldFollowTheLimitsOfItsPolicy(Kind kind) {
        // given
        apply(with(kind, "MaxMessages", 2));
        publish(2);
        RawClient publisher = connected(ProtocolVersion.V5, "publisher-2");
        publisher.send(publish("t", AT_LEAST_ONCE, 3));
        assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);

        // when
        apply(with(kind, "MaxMessages", 3));

        // then
        publisher.send(publish("t", AT_LEAST_ONCE, 4));
        assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(broker.broker().subscriptions().policies().count(kind.policy(false)))
                .isEqualTo(1);
    }

    @Test
    void shouldGoUnderAnotherPolicyWhenItIsToldSo() {
        // given
        Kind kind = Kind.MIXED;
        PolicyFixture fixture = with(kind, "MaxMessages", 1);
        apply(fixture);

        // when
        PolicyFixture changed = base("MaxMessages", 2)
                .with(SubscriptionPolicy.class, "more", subscriptionPolicy(3))
                .with(kind.type, kind.name, kind.properties("SubscriptionPolicy", "more"));
        apply(changed);

        // then
        publish(3);
        assertThat(broker.broker().subscriptions().policies().counts()).containsOnlyKeys(kind.policy(true));
    }

    @ParameterizedTest
    @EnumSource
    void shouldDeliverAtItsHighestQualityOfServiceAndNoMore(Kind kind) {
        // given
        apply(with(kind));
        RawClient consumer = connected(kind.session("consumer"));

        // then: the default is 1
        assertThat(consumer.subscribe(kind.filter, EXACTLY_ONCE).reasonCodes())
                .containsExactly(ReasonCode.GRANTED_QOS_1);

        // when
        apply(base().with(kind.type, kind.name, kind.properties("MaxQualityOfService", 0)));

        // then
        assertThat(consumer.subscribe(kind.filter, EXACTLY_ONCE).reasonCodes())
                .containsExactly(ReasonCode.GRANTED_QOS_0);
        publish(1);
        assertThat(consumer.receivePublish().qos()).isEqualTo(AT_MOST_ONCE);
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeginWithTheRetainedMessagesUnlessToldOtherwise(Kind kind) {
        // given
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        publisher.send(new Publish("t", AT_LEAST_ONCE, true, 1, "retained".getBytes(StandardCharsets.UTF_8)));
        publisher.receive(PubAck.class);

        // when
        apply(with(kind));

        // then
        RawClient consumer = connected(kind.session("consumer"));
        consumer.subscribe(kind.filter, AT_LEAST_ONCE);
        Publish first = consumer.receivePublish();
        assertThat(first.retain()).isTrue();
        consumer.send(new PubAck(first.packetId(), ReasonCode.SUCCESS));
        consumer.send(new Unsubscribe(2, kind.filter));
        consumer.receive(UnsubAck.class);

        // when
        apply(base());
        apply(base().with(kind.type, kind.name, kind.properties("AddRetainedMsgs", false)));

        // then
        consumer.subscribe(kind.filter, AT_LEAST_ONCE);
        consumer.expectNothing();
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeOnlyOneClassOfQualityOfService(Kind kind) {
        // given
        apply(base().with(kind.type, kind.name, kind.properties("QualityOfServiceFilter", "QoS=0")));
        RawClient consumer = connected(kind.session("consumer"));
        consumer.subscribe(kind.filter, AT_LEAST_ONCE);

        // when
        publish(1);
        RawClient publisher = connected(ProtocolVersion.V5, "publisher-2");
        publisher.send(publish("t", AT_MOST_ONCE, 0));

        // then
        assertThat(consumer.receivePublish().qos()).isEqualTo(AT_MOST_ONCE);
        consumer.expectNothing();
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeDeletedWithItsMessages(Kind kind) {
        // given
        apply(with(kind));
        publish(1);
        broker.awaitCount(Counter.BUFFERED_MESSAGES, 1);

        // when
        apply(base());

        // then
        assertThat(broker.broker().sessions().all()).allMatch(session -> !session.isKeeper());
        assertThat(broker.broker().subscriptions().sharedQueues()).isEmpty();
        broker.settle();
        assertThat(broker.count(Counter.BUFFERED_MESSAGES)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void shouldLoseItsSharersOnlyWhenTheAdministratorSaysSo(Kind kind) throws Exception {
        // given
        Configuration configuration = with(kind).configuration();
        apply(with(kind));
        RawClient consumer = connected(kind.session("consumer"));
        consumer.subscribe(kind.filter, AT_LEAST_ONCE);
        RawClient neighbour = connected(kind.session("neighbour"));
        neighbour.subscribe(kind.filter, AT_LEAST_ONCE);
        neighbour.subscribe("t", AT_LEAST_ONCE);

        // then
        assertThat(broker.broker().administered().of(kind.key())).isEqualTo(Use.SHARERS);

        // when
        Configuration deleted = configuration.changed(
                List.of(new ConfigurationChange.Delete(kind.key(), Set.of(DeleteOption.DISCARD_SHARERS))),
                broker.broker().administered(),
                UnaryOperator.identity());
        assertThat(deleted.pendingDeletes()).containsExactly(kind.key());
        broker.broker().administered().apply(deleted);

        // then
        assertThat(broker.broker().administered().of(kind.key())).isEqualTo(Use.FREE);
        publish(1);
        consumer.expectNothing();
        acknowledgeNext(neighbour, "1");
        neighbour.expectNothing();
        consumer.send(new Unsubscribe(2, kind.filter));
        assertThat(consumer.receive(UnsubAck.class).reasonCodes()).containsExactly(ReasonCode.NO_SUBSCRIPTION_EXISTED);

        // then: they may share a subscription by that name that is their own
        consumer.subscribe(kind.filter, AT_LEAST_ONCE);
        assertThat(broker.broker().subscriptions().policies().counts().values().stream()
                        .mapToInt(count -> count)
                        .sum())
                .isEqualTo(2);
    }

    @Test
    void shouldTakeOverWhatClientsShareAlready() {
        // given
        Kind kind = Kind.MIXED;
        apply(base());
        RawClient consumer = connected(kind.session("consumer"));
        consumer.subscribe(kind.filter, AT_LEAST_ONCE);

        // when
        apply(with(kind));
        consumer.send(new Unsubscribe(2, kind.filter));
        consumer.receive(UnsubAck.class);

        // then
        publish(1);
        consumer.subscribe(kind.filter, AT_LEAST_ONCE);
        acknowledgeNext(consumer, "1");
    }

    @Test
    void shouldWaitWhileClientsShareSomethingElseUnderItsName() {
        // given
        Kind kind = Kind.NOT_DURABLE;
        apply(base());
        RawClient consumer = connected(kind.session("consumer"));
        consumer.subscribe("$SharedSubscription/group/other", AT_LEAST_ONCE);

        // when
        apply(with(kind));

        // then
        assertThat(broker.broker().sessions().all()).allMatch(session -> !session.isKeeper());
        consumer.send(new Unsubscribe(2, "$SharedSubscription/group/other"));
        consumer.receive(UnsubAck.class);

        // when
        apply(with(kind));

        // then
        publish(1);
        consumer.subscribe(kind.filter, AT_LEAST_ONCE);
        acknowledgeNext(consumer, "1");
    }

    @Test
    void shouldLetMembersInThatMayOnlyReceive() {
        // given
        Kind kind = Kind.DURABLE;
        Map<String, Object> receiving = new HashMap<>(subscriptionPolicy(10));
        receiving.put("ActionList", "Receive");
        PolicyFixture fixture = topics("policy", "*", "Publish,Subscribe")
                .with(SubscriptionPolicy.class, "policy", receiving)
                .with(kind.type, kind.name, kind.properties());
        apply(fixture);
        RawClient member = connected(durable(ProtocolVersion.V5, "member"));

        // then
        assertThat(member.subscribe("$SharedSubscription/group/t", AT_LEAST_ONCE)
                        .reasonCodes())
                .containsExactly(ReasonCode.GRANTED_QOS_1);
        assertThat(member.subscribe("$SharedSubscription/group/other", AT_LEAST_ONCE)
                        .reasonCodes())
                .containsExactly(ReasonCode.TOPIC_FILTER_INVALID);
        assertThat(member.subscribe("$SharedSubscription/nobodys/t", AT_LEAST_ONCE)
                        .reasonCodes())
                .containsExactly(ReasonCode.NOT_AUTHORIZED);
    }

    private static PolicyFixture base(Object... limits) {
        Map<String, Object> shares = new HashMap<>(subscriptionPolicy(10));
        Object[] more = limits.length == 0 ? new Object[] {"MaxMessages", 10} : limits;
        shares.put((String) more[0], more[1]);
        return topics("policy", "*", "Publish,Subscribe", more).with(SubscriptionPolicy.class, "policy", shares);
    }

    private static PolicyFixture with(Kind kind, Object... limits) {
        return base(limits).with(kind.type, kind.name, kind.properties());
    }

    private static Map<String, Object> subscriptionPolicy(int maxMessages) {
        return Map.of(
                "ClientID", "*", "Subscription", "*", "ActionList", "Receive,Control", "MaxMessages", maxMessages);
    }

    /** Messages that say which of them they are, and that somebody takes. */
    private void publish(int count) {
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        for (int i = 1; i <= count; i++) {
            publisher.send(
                    new Publish("t", AT_LEAST_ONCE, false, i, String.valueOf(i).getBytes(StandardCharsets.UTF_8)));
            assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        }
    }

    private static void acknowledgeNext(RawClient consumer, String payload) {
        Publish next = consumer.receivePublish();
        assertThat(new String(next.payload(), StandardCharsets.UTF_8)).isEqualTo(payload);
        consumer.send(new PubAck(next.packetId(), ReasonCode.SUCCESS));
    }

    /** The three types of objects, and how clients get at what they make. */
    enum Kind {
        MIXED(AdminSubscription.class, "/group/t", "$share/group/t"),
        DURABLE(DurableNamespaceAdminSub.class, "group", "$SharedSubscription/group/t"),
        NOT_DURABLE(NonpersistentAdminSub.class, "group", "$SharedSubscription/group/t");

        final Class<? extends ConfigurationObject> type;
        final String name;
        final String filter;

        Kind(Class<? extends ConfigurationObject> type, String name, String filter) {
            this.type = type;
            this.name = name;
            this.filter = filter;
        }

        ObjectKey key() {
            return ObjectTypes.of(type).keyOf(name);
        }

        /** Under which its messages wait. */
        ObjectKey policy(boolean other) {
            return this == NOT_DURABLE
                    ? ObjectTypes.named("TopicPolicy").orElseThrow().keyOf("policy")
                    : ObjectTypes.of(SubscriptionPolicy.class).keyOf(other ? "more" : "policy");
        }

        Map<String, Object> properties(Object... more) {
            Map<String, Object> properties = new HashMap<>();
            properties.put(this == NOT_DURABLE ? "TopicPolicy" : "SubscriptionPolicy", "policy");
            if (this != MIXED) {
                properties.put("TopicFilter", "t");
            }
            for (int i = 0; i < more.length; i += 2) {
                properties.put((String) more[i], more[i + 1]);
            }
            return properties;
        }

        ConnectBuilder session(String clientId) {
            return this == NOT_DURABLE
                    ? connect(ProtocolVersion.V5, clientId)
                    : PolicyTest.durable(ProtocolVersion.V5, clientId);
        }
    }
}
