package dev.avocet.mqtt.connection;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.RetainHandling;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.testkit.ManualLoops;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Messages that come in one piece and go to several subscribers together: each of them gets what it would get one by
 * one.
 */
class PublishRunTest {
    private static final int MANY = 1_000;

    private final ManualLoops loops = new ManualLoops(2);
    private final List<ChannelClient> clients = new ArrayList<>();
    private ChannelClients network = new ChannelClients(loops, new Broker(BrokerOptions.DEFAULT, loops.all()));

    @AfterEach
    void releaseWhatWasSent() {
        loops.settle();
        clients.forEach(ChannelClient::release);
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void shouldGiveAllToEverySubscriber(ProtocolVersion version) {
        // given subscribers of each kind that gets packets of its own, and one on another loop
        List<ChannelClient> subscribers = List.of(
                client("plain", version, 0),
                client("other", ProtocolVersion.V5, 0),
                client("away", ProtocolVersion.V3_1_1, 1),
                open(Connect.builder("aliases").topicAliasMaximum(2).build(), ProtocolVersion.V5, 0),
                open(Connect.builder("small").maximumPacketSizeBytes(100).build(), ProtocolVersion.V5, 0));
        subscribers.forEach(subscriber -> subscriber.subscribe("a", AT_LEAST_ONCE));
        ChannelClient named = client("named", ProtocolVersion.V5, 0);
        named.send(new Subscribe(1, 7, List.of(new TopicSubscription("a", AT_MOST_ONCE)), List.of()));
        ChannelClient publisher = client("publisher", version, 0);
        publisher.subscribe("a", AT_MOST_ONCE);

        // when
        publisher.send(numbered("a", MANY));

        // then
        for (ChannelClient subscriber : clients) {
            assertThat(subscriber.payloads()).as(subscriber.name()).containsExactlyElementsOf(numbers(0, MANY));
        }
        assertThat(named.received())
                .allSatisfy(
                        publish -> assertThat(publish.subscriptionIdentifiers()).containsExactly(7));
    }

    @Test
    void shouldGiveAllToEverySubscriberThoughEachHasATopicOfItsOwn() {
        // given subscribers who get all, and some who get a part, which the topics in between do not concern
        List<ChannelClient> all = List.of(
                subscribed("all", "#"),
                subscribed("below", "a/#"),
                subscribed("level", "a/+"),
                client("away", ProtocolVersion.V3_1_1, 1));
        all.get(3).subscribe("a/+", AT_LEAST_ONCE);
        ChannelClient one = subscribed("one", "a/500");
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        publisher.subscribe("a/700", AT_MOST_ONCE);

        // when
        publisher.send(IntStream.range(0, MANY)
                .mapToObj(i -> publish("a/" + i, AT_MOST_ONCE, false, Integer.toString(i)))
                .toArray(Packet[]::new));

        // then
        for (ChannelClient subscriber : all) {
            assertThat(subscriber.payloads()).as(subscriber.name()).containsExactlyElementsOf(numbers(0, MANY));
            assertThat(subscriber.received())
                    .as(subscriber.name())
                    .allSatisfy(publish -> assertThat(publish.topic())
                            .isEqualTo("a/" + new String(publish.payload(), StandardCharsets.UTF_8)));
        }
        assertThat(one.payloads()).containsExactly("500");
        assertThat(publisher.payloads()).containsExactly("700");
    }

    @Test
    void shouldKeepWhatIsSentInBetweenInItsPlace() {
        // given
        ChannelClient first = subscribed("first", "#");
        ChannelClient second = subscribed("second", "#");
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);

        // when
        publisher.send(
                publish("a", AT_MOST_ONCE, false, "1"),
                publish("a", AT_MOST_ONCE, false, "2"),
                publish("a", AT_LEAST_ONCE, false, "3"),
                publish("a", AT_MOST_ONCE, false, "4"),
                publish("a", AT_MOST_ONCE, true, "5"),
                publish("a", AT_MOST_ONCE, false, "6"),
                publish("b", AT_MOST_ONCE, false, "7"),
                publish("a", AT_MOST_ONCE, false, "8"),
                new Subscribe(1, new TopicSubscription("a", AT_MOST_ONCE)),
                publish("a", AT_MOST_ONCE, false, "9"),
                new Disconnect(ReasonCode.NORMAL_DISCONNECTION));

        // then
        assertThat(first.payloads()).containsExactlyElementsOf(numbers(1, 10));
        assertThat(second.payloads()).containsExactlyElementsOf(numbers(1, 10));
        assertThat(publisher.payloads()).as("retained, and what comes after").containsExactly("5", "9");
    }

    @Test
    void shouldPublishWhatComesBeforeAPacketThatIsMalformed() {
        // given
        ChannelClient first = subscribed("first", "a");
        ChannelClient second = subscribed("second", "a");
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        byte[] good = publisher.encode(numbered("a", 3));
        byte[] all = Arrays.copyOf(good, good.length + 2);

        // when
        publisher.sendBytes(all); // packet type 0 is none

        // then
        assertThat(publisher.isOpen()).isFalse();
        assertThat(first.payloads()).containsExactly("0", "1", "2");
        assertThat(second.payloads()).containsExactly("0", "1", "2");
    }

    @Test
    void shouldNotGiveThePublisherWhatItDoesNotWant() {
        // given
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        publisher.send(new Subscribe(
                1, new TopicSubscription("a", AT_MOST_ONCE, true, false, RetainHandling.SEND_AT_SUBSCRIBE)));
        ChannelClient first = subscribed("first", "a");
        ChannelClient second = subscribed("second", "a");

        // when
        publisher.send(numbered("a", 3));

        // then
        assertThat(publisher.payloads()).isEmpty();
        assertThat(first.payloads()).containsExactly("0", "1", "2");
        assertThat(second.payloads()).containsExactly("0", "1", "2");
    }

    @Test
    void shouldLoseForASlowSubscriberWhatHasNoRoomAndForNobodyElse() {
        // given
        limit(FullBehavior.REJECT_NEW_MESSAGES);
        ChannelClient quick = subscribed("quick", "a");
        ChannelClient slow = subscribed("slow", "a");
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        slow.stopReading();

        // when
        publisher.send(numbered("a", 10));

        // then
        assertThat(quick.payloads()).containsExactlyElementsOf(numbers(0, 10));
        assertThat(slow.payloads()).isEmpty();
        SubscriptionQueue queue = queueOf("slow");
        assertThat(queue.depth()).isEqualTo(4);
        assertThat(queue.statistics().rejected()).isEqualTo(6);
        assertThat(counted(Counter.PUBLISHES_INCOMPLETE))
                .as("publishes that not all have")
                .isEqualTo(6);
        slow.readOn();
        assertThat(slow.payloads()).containsExactlyElementsOf(numbers(0, 4));
    }

    @Test
    void shouldDiscardTheOldestOfASlowSubscriber() {
        limit(FullBehavior.DISCARD_OLD_MESSAGES);
        ChannelClient quick = subscribed("quick", "a");
        ChannelClient slow = subscribed("slow", "a");
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        slow.stopReading();

        publisher.send(numbered("a", 10));

        assertThat(quick.payloads()).containsExactlyElementsOf(numbers(0, 10));
        slow.readOn();
        assertThat(slow.payloads())
                .isNotEmpty()
                .isEqualTo(numbers(10 - slow.received().size(), 10));
        assertThat(queueOf("slow").statistics().discarded())
                .isEqualTo(10 - slow.received().size());
    }

    @Test
    void shouldHaveThePublisherWaitForASlowSubscriberThatAsksForIt() {
        // given
        limit(FullBehavior.BACKPRESSURE);
        ChannelClient quick = subscribed("quick", "a");
        ChannelClient slow = subscribed("slow", "a");
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        slow.stopReading();

        // when
        publisher.send(numbered("a", 10));

        // then
        assertThat(quick.payloads())
                .as("as many as the slow one has room for")
                .containsExactlyElementsOf(numbers(0, 4));
        assertThat(publisher.isRead()).isFalse();
        slow.readOn();
        assertThat(slow.payloads()).containsExactlyElementsOf(numbers(0, 10));
        assertThat(quick.payloads()).containsExactlyElementsOf(numbers(0, 10));
        assertThat(publisher.isRead()).isTrue();
    }

    @Test
    void shouldCountEachMessage() {
        // given
        network.broker().monitors().watch(List.of("a/#"), 0);
        subscribed("first", "a");
        subscribed("second", "a");
        ChannelClient publisher = client("publisher", ProtocolVersion.V3_1_1, 0);

        // when
        publisher.send(numbered("a", MANY));

        // then
        assertThat(counted(Counter.MESSAGES_RECEIVED)).isEqualTo(MANY);
        assertThat(counted(Counter.MESSAGES_DELIVERED)).isEqualTo(2 * MANY);
        assertThat(queueOf("first").statistics().published()).isEqualTo(MANY);
        assertThat(network.broker().monitors().all().get(0).published()).isEqualTo(MANY);
    }

    private void limit(FullBehavior behavior) {
        network = new ChannelClients(
                loops,
                new Broker(BrokerOptions.DEFAULT.withSubscriptionLimits(new QueueLimits(4, 0, behavior)), loops.all()));
    }

    private long counted(Counter counter) {
        return loops.all().stream()
                .mapToLong(loop -> loop.counters().get(counter))
                .sum();
    }

    private SubscriptionQueue queueOf(String clientId) {
        return Objects.requireNonNull(network.broker().sessions().find(clientId))
                .subscriptionsByKey()
                .values()
                .iterator()
                .next()
                .queue();
    }

    private ChannelClient subscribed(String name, String filter) {
        ChannelClient client = client(name, ProtocolVersion.V5, 0);
        client.subscribe(filter, AT_MOST_ONCE);
        return client;
    }

    private ChannelClient client(String name, ProtocolVersion version, int loop) {
        return open(Connect.builder(name).version(version).build(), version, loop);
    }

    private ChannelClient open(Connect connect, ProtocolVersion version, int loop) {
        ChannelClient client = network.open(connect, version, loop);
        clients.add(client);
        return client;
    }

    private static Packet[] numbered(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> publish(topic, AT_MOST_ONCE, false, Integer.toString(i)))
                .toArray(Packet[]::new);
    }

    private static Publish publish(String topic, QualityOfService qos, boolean retain, String text) {
        return new Publish(topic, qos, retain, qos == AT_MOST_ONCE ? 0 : 1, ChannelClient.utf8(text));
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }
}
