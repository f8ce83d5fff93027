package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which topics a filter matches, and which filters are none. */
class TopicMatchingConformanceTest extends ConformanceTest {
    @ParameterizedTest
    @CsvSource({
        "a/b,a/b,true",
        "a/b,a/B,false",
        "a/b,a/b/,false",
        "a/b,/a/b,false",
        "a/#,a,true",
        "a/#,a/b/c,true",
        "a/#,ab,false",
        "#,a/b,true",
        "#,/,true",
        "+,a,true",
        "+,/a,false",
        "+/+,/a,true",
        "/+,/a,true",
        "a/+,a,false",
        "a/+,a/,true",
        "a/+/c,a//c,true",
        "a/+/c,a/b/c,true",
        "a/+/c,a/b/b/c,false",
        "+/b/#,a/b,true",
        "a//b,a/b,false",
        "a/./b,a/b,false",
        "A\u0308,\u00C4,false",
        "a b,a b,true"
    })
    @Proves({"MQTT-3.3.2-3", "MQTT-4.7.1-1", "MQTT-4.7.1-2", "MQTT-4.7.3-4"})
    void shouldMatch(String filter, String topic, boolean matches) {
        RawClient subscriber = client();
        subscriber.subscribe(filter, AT_MOST_ONCE);

        publish(topic, AT_MOST_ONCE, "text");

        if (matches) {
            assertThat(subscriber.receivePublish().topic()).isEqualTo(topic);
        }
        subscriber.expectNothing();
    }

    @ParameterizedTest
    @ValueSource(strings = {"#/", "#/a", "a#", "a/#/b", "a/b#", "##", "a/#b"})
    @Proves("MQTT-4.7.1-1")
    void shouldRefuseAMultiLevelWildcardOutOfPlace(String filter) {
        assertThat(client().subscribe(filter, AT_MOST_ONCE).reasonCodes())
                .containsExactly(ReasonCode.TOPIC_FILTER_INVALID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+", "+a", "a/b+", "a/+b/c", "++", "+#"})
    @Proves("MQTT-4.7.1-2")
    void shouldRefuseASingleLevelWildcardThatIsNoWholeLevel(String filter) {
        assertThat(client().subscribe(filter, AT_MOST_ONCE).reasonCodes())
                .containsExactly(ReasonCode.TOPIC_FILTER_INVALID);
    }

    @Test
    @Proves("MQTT-4.7.3-1")
    void shouldRefuseAnEmptyFilter() {
        assertThat(client().subscribe("", AT_MOST_ONCE).reasonCodes()).containsExactly(ReasonCode.TOPIC_FILTER_INVALID);
    }

    @Test
    @Proves("MQTT-4.7.3-3")
    void shouldTakeNamesOfUpTo65535Bytes() {
        String longest = "x".repeat(65_535);
        RawClient subscriber = client();
        assertThat(subscriber.subscribe(longest, AT_MOST_ONCE).reasonCodes()).containsExactly(ReasonCode.GRANTED_QOS_0);

        publish(longest, AT_MOST_ONCE, "text");

        assertThat(subscriber.receivePublish().topic()).isEqualTo(longest);
        assertThatThrownBy(() -> TopicName.of("x".repeat(65_536))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TopicFilter.of("x".repeat(65_536))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Proves("MQTT-4.7.2-1")
    void shouldNotMatchReservedTopicsByAWildcardAtTheirBeginning() {
        RawClient everything = client();
        everything.subscribe("#", AT_MOST_ONCE);
        RawClient secondLevel = client();
        secondLevel.subscribe("+/state", AT_MOST_ONCE);
        RawClient system = client();
        system.subscribe("$SYS/#", AT_MOST_ONCE);

        publishFromWithin("$SYS/state");

        assertThat(system.receivePublish().topic()).isEqualTo("$SYS/state");
        everything.expectNothing();
        secondLevel.expectNothing();
    }

    /** What no client may: the broker itself publishes to a topic that begins with $. */
    private void publishFromWithin(String topic) {
        Broker core = broker().broker();
        IoLoop loop = core.loops().get(0);
        Message message = new Message(
                TopicName.of(topic),
                AT_MOST_ONCE,
                false,
                utf8("text"),
                MessageProperties.NONE,
                Message.NEVER,
                "the broker");
        loop.execute(() ->
                core.publisher(loop, (token, outcome) -> {}).publish(message, core.route(message.topic(), loop), 0));
        broker().settle();
    }
}
