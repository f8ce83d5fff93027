package dev.avocet.mqtt.policy;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.mqtt.codec.field.MqttMessageProperties;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.PolicyFixture;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Subscriptions that get only what the selector of their policy selects. */
final class DefaultSelectionTest extends PolicyTest {
    private static final String RULE = "DefaultSelectionRule";
    private static final String RED = "colour = 'red'";

    @Test
    void shouldDeliverWhatThePolicySelects() {
        // given
        apply(topics("red", "*", "Publish,Subscribe", RULE, RED));
        RawClient subscriber = connected(ProtocolVersion.V5, "subscriber");
        subscriber.subscribe("t", AT_LEAST_ONCE);
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");

        // when
        send(publisher, "blue", false);
        send(publisher, "red", false);
        publisher.send(publish("t", AT_LEAST_ONCE, 7));
        publisher.receive(PubAck.class);

        // then
        assertThat(text(subscriber.receivePublish())).isEqualTo("red");
        subscriber.expectNothing();
    }

    @Test
    void shouldSelectAmongRetainedMessages() {
        // given
        apply(topics("red", "*", "Publish,Subscribe", RULE, RED));
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");
        send(publisher, "blue", true);

        // when
        RawClient first = connected(ProtocolVersion.V5, "first");
        first.subscribe("t", AT_LEAST_ONCE);
        first.expectNothing();
        send(publisher, "red", true);
        RawClient second = connected(ProtocolVersion.V5, "second");
        second.subscribe("t", AT_LEAST_ONCE);

        // then
        assertThat(text(second.receivePublish())).isEqualTo("red");
    }

    @Test
    void shouldFollowThePolicyWhenTheClientSubscribesAgain() {
        // given
        apply(topics("one", "*", "Publish,Subscribe", RULE, RED));
        RawClient subscriber = connected(ProtocolVersion.V5, "subscriber");
        subscriber.subscribe("t", AT_LEAST_ONCE);
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");

        // when
        apply(topics("one", "*", "Publish,Subscribe", RULE, "colour = 'blue'"));
        assertThat(subscriber.subscribe("t", AT_LEAST_ONCE).reasonCodes()).containsExactly(ReasonCode.GRANTED_QOS_1);
        send(publisher, "red", false);
        send(publisher, "blue", false);

        // then
        assertThat(text(subscriber.receivePublish())).isEqualTo("blue");

        // when
        apply(topics("one", "*", "Publish,Subscribe"));
        subscriber.subscribe("t", AT_LEAST_ONCE);
        send(publisher, "red", false);

        // then
        assertThat(text(subscriber.receivePublish())).isEqualTo("red");
        subscriber.expectNothing();
    }

    @Test
    void shouldSelectForWhoeverSharesByThePolicyOfTheSubscription() {
        // given
        apply(topics("all", "*", "Publish,Subscribe")
                .with(
                        SubscriptionPolicy.class,
                        "shares",
                        Map.of("ClientID", "*", "Subscription", "group", "ActionList", "Receive,Control", RULE, RED)));
        RawClient member = connected(durable(ProtocolVersion.V5, "member")); // the others go by their topic policy
        member.subscribe("$SharedSubscription/group/t", AT_LEAST_ONCE);
        RawClient alone = connected(ProtocolVersion.V5, "alone");
        alone.subscribe("t", AT_LEAST_ONCE);
        RawClient publisher = connected(ProtocolVersion.V5, "publisher");

        // when
        send(publisher, "blue", false);
        send(publisher, "red", false);

        // then
        assertThat(text(member.receivePublish())).isEqualTo("red");
        member.expectNothing();
        assertThat(List.of(text(alone.receivePublish()), text(alone.receivePublish())))
                .containsExactly("blue", "red");
    }

    @Test
    void shouldRefuseAPolicyWhoseRuleIsNoSelector() {
        PolicyFixture wrong = topics("wrong", "*", "Subscribe", RULE, "colour =");

        assertThatThrownBy(wrong::configuration)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(RULE);
    }

    private static void send(RawClient publisher, String colour, boolean retain) {
        publisher.send(new Publish(
                false,
                AT_LEAST_ONCE,
                retain,
                "t",
                1,
                0,
                Publish.NO_EXPIRY,
                MqttMessageProperties.builder().userProperty("colour", colour).build(),
                List.of(),
                colour.getBytes(StandardCharsets.UTF_8)));
        publisher.receive(PubAck.class);
    }

    private static String text(Publish publish) {
        return new String(publish.payload(), StandardCharsets.UTF_8);
    }
}
