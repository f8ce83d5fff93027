package dev.avocet.mqtt.conformance.v311;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Publisher;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.TopicName;
import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 4.7: topic names and topic filters. */
class TopicTest extends V311Test {
    private static final int LONGEST = 65_535;

    @ParameterizedTest
    @ValueSource(strings = {"#", "+", "a/#", "a/+/b", "a#"})
    @Proves({"MQTT311-3.3.2-2", "MQTT311-4.7.1-1", "MQTT311-4.8.0-1"})
    void shouldCloseOnWildcardsInATopicName(String topic) {
        RawClient publisher = connected("publisher");

        publisher.send(publish(topic, AT_LEAST_ONCE, 1, "x"));

        publisher.expectClosed();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/#/b", "a#", "#a", "a/b#", "##", "a/##"})
    @Proves("MQTT311-4.7.1-2")
    void shouldRefuseAHashThatIsNotTheLastLevel(String filter) {
        expectRefused(filter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a+", "+a", "a/b+/c", "++", "a/+b"})
    @Proves("MQTT311-4.7.1-3")
    void shouldRefuseAPlusThatDoesNotFillItsLevel(String filter) {
        expectRefused(filter);
    }

    @Test
    @Proves({"MQTT311-4.7.1-2", "MQTT311-4.7.1-3"})
    void shouldMatchWildcardsByLevels() {
        expectMatches("sport/#", "sport", "sport/", "sport/tennis", "sport/tennis/player1");
        expectMatches("sport/+", "sport/", "sport/tennis");
        expectMatches("+/tennis/#", "/tennis", "sport/tennis", "sport/tennis/player1");
        expectMatches("+/+", "/finance", "/tennis", "sport/", "sport/tennis");
        expectMatches("/+", "/finance", "/tennis");
        expectMatches("+", "finance", "sport");
    }

    /** Publishes to a range of topics; the subscription gets those, in this order. */
    private void expectMatches(String filter, String... expected) {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe(filter, AT_MOST_ONCE);
        for (String topic : new String[] {
            "finance", "/finance", "/tennis", "sport", "sport/", "sport/tennis", "sport/tennis/player1"
        }) {
            publishSafely(topic, "x");
        }
        List<String> received = new ArrayList<>();
        for (int i = 0; i < expected.length; i++) {
            received.add(subscriber.receivePublish().topic());
        }
        assertThat(received).containsExactlyInAnyOrder(expected);
        subscriber.expectNothing();
    }

    @Test
    @Proves("MQTT311-4.7.2-1")
    void shouldNotMatchTheBrokersOwnTopicsWithALeadingWildcard() {
        RawClient wild = connected("wild");
        wild.subscribe(
                new TopicSubscription("#", AT_MOST_ONCE),
                new TopicSubscription("+/clients", AT_MOST_ONCE),
                new TopicSubscription("+/#", AT_MOST_ONCE));
        RawClient exact = connected("exact");
        exact.subscribe("$SYS/#", AT_MOST_ONCE);

        publishFromWithin("$SYS/clients");

        assertThat(exact.receivePublish().topic()).isEqualTo("$SYS/clients");
        wild.expectNothing();
    }

    private void publishFromWithin(String topic) {
        IoLoop loop = broker.broker().loops().get(0);
        loop.execute(() -> {
            Publisher publisher = broker.broker().publisher(loop, (token, outcome) -> {});
            TopicName name = TopicName.of(topic);
            Message message =
                    new Message(name, AT_MOST_ONCE, false, utf8("7"), MessageProperties.NONE, Message.NEVER, "broker");
            publisher.publish(message, broker.broker().route(name, loop), 0);
        });
    }

    @Test
    @Proves({"MQTT311-4.7.3-1", "MQTT311-4.8.0-1"})
    void shouldNotAcceptEmptyNamesAndFilters() {
        RawClient subscriber = connected("subscriber");
        subscriber.sendBytes(0x82, 5, 0, 1, 0, 0, 0);
        subscriber.expectClosed();
        RawClient unsubscriber = connected("unsubscriber");
        unsubscriber.sendBytes(0xA2, 4, 0, 1, 0, 0);
        unsubscriber.expectClosed();
        RawClient publisher = connected("publisher");
        publisher.sendBytes(0x32, 5, 0, 0, 0, 1, 'x');
        publisher.expectClosed();
    }

    @Test
    @Proves("MQTT311-4.7.3-3")
    void shouldTakeNamesAndFiltersUpToTheGreatestLength() {
        String longest = "t".repeat(LONGEST);
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe(longest, AT_MOST_ONCE);

        publishSafely(longest, "x");
        publishSafely(longest.substring(1), "x");

        assertThat(subscriber.receivePublish().topic()).isEqualTo(longest);
        subscriber.expectNothing();
    }

    @Test
    @Proves({"MQTT311-4.7.3-4", "MQTT311-3.3.2-3"})
    void shouldCompareLevelsWithoutNormalisation() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("Caf\u00e9/a b", AT_MOST_ONCE);

        publishSafely("caf\u00e9/a b", "lower case");
        publishSafely("Cafe\u0301/a b", "decomposed");
        publishSafely("Caf\u00e9/a b/", "a level more");
        publishSafely("/Caf\u00e9/a b", "a level more");
        publishSafely("Caf\u00e9//a b", "a level more");
        publishSafely("Caf\u00e9/a b", "the same");

        assertThat(text(subscriber.receivePublish())).isEqualTo("the same");
        subscriber.expectNothing();
    }

    private void expectRefused(String filter) {
        RawClient client = connected("client");
        assertThat(client.subscribe(filter, AT_MOST_ONCE).reasonCodes())
                .singleElement()
                .matches(ReasonCode::isError);
    }
}
