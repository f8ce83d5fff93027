package dev.avocet.mqtt.connection;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.packet.Acknowledgement;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.testkit.ManualLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages of QoS 1 that come in one piece: taken, delivered and acknowledged as if they had come one by one. */
class AcknowledgedRunTest {
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
    void shouldDeliverAllInOrderAndAcknowledgeEach(ProtocolVersion version) {
        // given
        ChannelClient subscriber = subscribed("subscriber", version);
        ChannelClient publisher = client("publisher", version, 0);

        // when
        publisher.send(numbered(1, 200));

        // then
        assertThat(acknowledged(publisher)).containsExactlyElementsOf(identifiers(1, 201));
        assertThat(subscriber.payloads()).containsExactlyElementsOf(numbers(1, 201));
        assertThat(subscriber.received()).extracting(Publish::packetId).containsExactlyElementsOf(identifiers(1, 201));
        assertThat(subscriber.received())
                .allMatch(publish -> publish.qos() == AT_LEAST_ONCE && !publish.dup() && !publish.retain());
        assertThat(queueOf("subscriber").depth()).as("in flight").isEqualTo(200);

        // when
        acknowledge(subscriber, subscriber.received());

        // then
        assertThat(queueOf("subscriber").depth()).isZero();
        assertThat(queueOf("subscriber").statistics().published()).isEqualTo(200);
    }

    @Test
    void shouldDeliverAndAcknowledgeEachThoughEachHasATopicOfItsOwn() {
        // given
        ChannelClient subscriber = client("subscriber", ProtocolVersion.V3_1_1, 0);
        subscriber.subscribe("a/#", AT_LEAST_ONCE);
        ChannelClient one = client("one", ProtocolVersion.V5, 0);
        one.subscribe("a/100", AT_LEAST_ONCE);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);

        // when
        publisher.send(IntStream.rangeClosed(1, 200)
                .mapToObj(number -> publish("a/" + number, number))
                .toArray(Packet[]::new));

        // then
        assertThat(acknowledged(publisher)).containsExactlyElementsOf(identifiers(1, 201));
        assertThat(subscriber.payloads()).containsExactlyElementsOf(numbers(1, 201));
        assertThat(subscriber.received()).extracting(Publish::packetId).containsExactlyElementsOf(identifiers(1, 201));
        assertThat(subscriber.received())
                .extracting(Publish::topic)
                .containsExactlyElementsOf(
                        numbers(1, 201).stream().map(number -> "a/" + number).toList());
        assertThat(one.payloads()).containsExactly("100");
    }

    @Test
    void shouldGiveEachSubscriberItsOwnPacketIdentifiers() {
        // given
        network.broker().monitors().watch(List.of("a/#"), 0);
        ChannelClient first = subscribed("first", ProtocolVersion.V5);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        publisher.send(numbered(1, 3));
        ChannelClient second = subscribed("second", ProtocolVersion.V5);
        ChannelClient old = subscribed("old", ProtocolVersion.V3_1_1);

        // when
        publisher.send(numbered(4, 5));

        // then
        assertThat(first.received()).extracting(Publish::packetId).containsExactlyElementsOf(identifiers(1, 9));
        assertThat(first.payloads()).containsExactlyElementsOf(numbers(1, 9));
        for (ChannelClient late : List.of(second, old)) {
            assertThat(late.received()).extracting(Publish::packetId).containsExactlyElementsOf(identifiers(1, 6));
            assertThat(late.payloads()).containsExactlyElementsOf(numbers(4, 9));
        }
        assertThat(counted(Counter.MESSAGES_RECEIVED)).isEqualTo(8);
        assertThat(counted(Counter.MESSAGES_DELIVERED)).isEqualTo(18);
        assertThat(network.broker().monitors().all().get(0).published()).isEqualTo(8);
    }

    @Test
    void shouldGiveTheSameToSubscribersThatNeedPacketsOfTheirOwn() {
        // given
        client("less", ProtocolVersion.V5, 0).subscribe("a", AT_MOST_ONCE);
        client("away", ProtocolVersion.V3_1_1, 1).subscribe("a", AT_LEAST_ONCE);
        open(Connect.builder("aliases").topicAliasMaximum(2).build(), ProtocolVersion.V5, 0)
                .subscribe("a", AT_LEAST_ONCE);
        open(Connect.builder("small").maximumPacketSizeBytes(100).build(), ProtocolVersion.V5, 0)
                .subscribe("a", AT_LEAST_ONCE);
        ChannelClient named = client("named", ProtocolVersion.V5, 0);
        named.send(new Subscribe(1, 7, List.of(new TopicSubscription("a", AT_LEAST_ONCE)), List.of()));
        client("shared", ProtocolVersion.V5, 0).subscribe("$share/g/a", AT_LEAST_ONCE);
        ChannelClient publisher = subscribed("publisher", ProtocolVersion.V5);

        // when
        publisher.send(numbered(1, 50));

        // then
        for (ChannelClient subscriber : clients) {
            assertThat(subscriber.payloads()).as(subscriber.name()).containsExactlyElementsOf(numbers(1, 51));
        }
        assertThat(acknowledged(publisher)).containsExactlyElementsOf(identifiers(1, 51));
    }

    @Test
    void shouldNeverSendMoreThanTheReceiveMaximum() {
        // given
        ChannelClient subscriber =
                open(Connect.builder("subscriber").receiveMaximum(10).build(), ProtocolVersion.V5, 0);
        subscriber.subscribe("a", AT_LEAST_ONCE);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);

        // when
        for (int i = 0; i < 10; i++) {
            publisher.send(numbered(1 + 8 * i, 8));
        }

        // then
        assertThat(acknowledged(publisher)).containsExactlyElementsOf(identifiers(1, 81));
        int completed = 0;
        while (completed < 80) {
            List<Publish> sent = List.copyOf(subscriber.received());
            assertThat(sent).hasSizeBetween(completed + 1, completed + 10);
            int next = completed + Math.min(3, sent.size() - completed);
            acknowledge(subscriber, sent.subList(completed, next));
            completed = next;
        }
        assertThat(subscriber.payloads()).containsExactlyElementsOf(numbers(1, 81));
        assertThat(queueOf("subscriber").depth()).isZero();
    }

    @Test
    void shouldShareTheReceiveMaximumAmongSubscriptions() {
        // given
        ChannelClient subscriber =
                open(Connect.builder("subscriber").receiveMaximum(10).build(), ProtocolVersion.V5, 0);
        subscriber.subscribe("a", AT_LEAST_ONCE);
        subscriber.subscribe("$share/g/a", AT_LEAST_ONCE);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);

        // when
        publisher.send(numbered(1, 8));

        // then
        assertThat(acknowledged(publisher)).containsExactlyElementsOf(identifiers(1, 9));
        assertThat(subscriber.received()).hasSize(10);
        acknowledge(subscriber, List.copyOf(subscriber.received()));
        assertThat(subscriber.received()).hasSize(16);
        acknowledge(subscriber, subscriber.received().subList(10, 16));
        assertThat(subscriber.payloads())
                .hasSize(16)
                .hasSameElementsAs(numbers(1, 9))
                .satisfies(all -> numbers(1, 9)
                        .forEach(number ->
                                assertThat(all).filteredOn(number::equals).hasSize(2)));
        assertThat(queueOf("subscriber").depth()).isZero();
    }

    @Test
    void shouldSendAgainToItsSessionWhatWasNotAcknowledged() {
        // given
        Connect connect = Connect.builder("subscriber")
                .cleanStart(false)
                .sessionExpiryIntervalSeconds(100)
                .build();
        ChannelClient before = open(connect, ProtocolVersion.V5, 0);
        before.subscribe("a", AT_LEAST_ONCE);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        publisher.send(numbered(1, 8));
        acknowledge(before, before.received().subList(0, 3));

        // when
        before.lose();
        publisher.send(numbered(9, 4));
        ChannelClient after = open(connect, ProtocolVersion.V5, 0);

        // then
        assertThat(after.payloads()).containsExactlyElementsOf(numbers(4, 13));
        assertThat(after.received().subList(0, 5)).allMatch(Publish::dup);
        assertThat(after.received().subList(0, 5)).extracting(Publish::packetId).containsExactly(4, 5, 6, 7, 8);
        assertThat(after.received().subList(5, 9)).noneMatch(Publish::dup);
        acknowledge(after, after.received());
        assertThat(queueOf("subscriber").depth()).isZero();
        assertThat(acknowledged(publisher)).containsExactlyElementsOf(identifiers(1, 13));
    }

    @Test
    void shouldSettleWhatIsAcknowledgedBeforeTheClientGoes() {
        // given
        ChannelClient subscriber = subscribed("subscriber", ProtocolVersion.V5);
        subscriber.subscribe("b", AT_LEAST_ONCE);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        publisher.send(publish("a", 1), publish("b", 2), publish("a", 3), publish("b", 4), publish("b", 5));
        List<SubscriptionQueue> queues = queuesOf("subscriber");
        byte[] answers = subscriber.encode(answersTo(subscriber.received()));
        byte[] all = new byte[answers.length + 2]; // packet type 0 is none
        System.arraycopy(answers, 0, all, 0, answers.length);

        // when
        subscriber.sendBytes(all);

        // then
        assertThat(subscriber.isOpen()).isFalse();
        assertThat(queues).hasSize(2).allMatch(queue -> queue.depth() == 0);
    }

    @Test
    void shouldCountAnAcknowledgementOnce() {
        // given
        ChannelClient subscriber = subscribed("subscriber", ProtocolVersion.V3_1_1);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        publisher.send(numbered(1, 5));
        Packet[] answers = answersTo(subscriber.received().subList(0, 2));

        // when
        subscriber.send(answers[0], answers[0], answers[1], answers[0]);

        // then
        assertThat(queueOf("subscriber").depth()).isEqualTo(3);
    }

    @Test
    void shouldRefuseWhatHasNoRoomAndAcknowledgeTheRest() {
        // given
        limit(FullBehavior.REJECT_NEW_MESSAGES);
        ChannelClient subscriber = subscribed("subscriber", ProtocolVersion.V5);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);

        // when
        publisher.send(numbered(1, 3));
        publisher.send(numbered(4, 5));

        // then
        assertThat(answers(publisher))
                .extracting(Acknowledgement::packetId)
                .containsExactlyElementsOf(identifiers(1, 9));
        assertThat(subscriber.payloads()).containsExactlyElementsOf(numbers(1, 5));
        assertThat(queueOf("subscriber").depth()).isEqualTo(4);
        assertThat(queueOf("subscriber").statistics().rejected()).isEqualTo(4);
    }

    @Test
    void shouldTakeNothingMoreOfAPublisherThatIsClosedForWhatHasNoRoom() {
        // given
        limit(FullBehavior.REJECT_NEW_MESSAGES);
        ChannelClient subscriber = subscribed("subscriber", ProtocolVersion.V5);
        ChannelClient publisher = client("publisher", ProtocolVersion.V3_1_1, 0);

        // when
        publisher.send(numbered(1, 10));

        // then
        assertThat(publisher.isOpen()).isFalse();
        assertThat(acknowledged(publisher)).containsExactly(1, 2, 3, 4);
        assertThat(subscriber.payloads()).containsExactlyElementsOf(numbers(1, 5));
        assertThat(queueOf("subscriber").statistics().rejected()).isEqualTo(1);
    }

    @Test
    void shouldHaveThePublisherWaitForRoom() {
        // given
        limit(FullBehavior.BACKPRESSURE);
        ChannelClient subscriber = subscribed("subscriber", ProtocolVersion.V5);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);

        // when
        publisher.send(numbered(1, 10));

        // then
        assertThat(acknowledged(publisher)).containsExactly(1, 2, 3, 4);
        acknowledge(subscriber, List.copyOf(subscriber.received()));
        acknowledge(subscriber, subscriber.received().subList(4, 8));
        assertThat(subscriber.payloads()).containsExactlyElementsOf(numbers(1, 11));
        assertThat(acknowledged(publisher)).containsExactlyElementsOf(identifiers(5, 11));
    }

    @Test
    void shouldKeepForAClientThatDoesNotRead() {
        // given
        ChannelClient slow = subscribed("slow", ProtocolVersion.V5);
        ChannelClient quick = subscribed("quick", ProtocolVersion.V5);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        slow.stopReading();

        // when
        publisher.send(numbered(1, 20));
        publisher.send(numbered(21, 20));

        // then
        assertThat(acknowledged(publisher)).containsExactlyElementsOf(identifiers(1, 41));
        assertThat(quick.payloads()).containsExactlyElementsOf(numbers(1, 41));
        assertThat(slow.payloads()).isEmpty();
        slow.readOn();
        assertThat(slow.payloads()).containsExactlyElementsOf(numbers(1, 41));
    }

    @Test
    void shouldAnswerInTheOrderOfThePublishes() {
        // given
        ChannelClient subscriber = subscribed("subscriber", ProtocolVersion.V5);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);

        // when
        publisher.send(
                publish("a", 1),
                publish("a", 2),
                publish("$refused", 3),
                publish("a", 4),
                new Publish("a", AT_LEAST_ONCE, true, 5, ChannelClient.utf8("5")),
                publish("a", 6),
                publish("nobody", 7),
                new Publish("a", AT_MOST_ONCE, false, 0, ChannelClient.utf8("x")),
                publish("a", 8),
                publish("a", 9));

        // then
        List<Acknowledgement> answers = answers(publisher);
        assertThat(answers).extracting(Acknowledgement::packetId).containsExactlyElementsOf(identifiers(1, 10));
        assertThat(answers.get(2).reasonCode()).isEqualTo(ReasonCode.TOPIC_NAME_INVALID);
        assertThat(answers.get(6).reasonCode()).isEqualTo(ReasonCode.NO_MATCHING_SUBSCRIBERS);
        assertThat(subscriber.payloads()).containsExactly("1", "2", "4", "5", "6", "x", "8", "9");
    }

    @Test
    void shouldTakeMoreThanTheReceiveMaximumFromAClientThatIsAnsweredAtOnce() {
        // given
        ChannelClient subscriber = subscribed("subscriber", ProtocolVersion.V3_1_1);
        ChannelClient publisher = client("publisher", ProtocolVersion.V5, 0);
        int receiveMaximum = MqttOptions.DEFAULT.receiveMaximum();

        // when
        publisher.send(publish("nobody", 1));
        publisher.send(numbered(2, MANY - 1));

        // then
        assertThat(MANY).isGreaterThan(receiveMaximum);
        assertThat(publisher.isOpen()).isTrue();
        assertThat(answers(publisher))
                .extracting(Acknowledgement::packetId)
                .containsExactlyElementsOf(identifiers(1, MANY + 1));
        assertThat(subscriber.payloads()).containsExactlyElementsOf(numbers(2, MANY + 1));
    }

    @Test
    void shouldLoseDoubleAndReorderNothingWhateverComesTogether() {
        for (int seed = 0; seed < 50; seed++) {
            limit(FullBehavior.BACKPRESSURE, 30);
            play(new Random(seed), "seed " + seed);
            clients.forEach(ChannelClient::lose);
            clients.forEach(ChannelClient::release);
            clients.clear();
        }
    }

    private void play(Random chance, String description) {
        int receiveMaximum = 1 + chance.nextInt(50);
        Connect connect =
                Connect.builder("subscriber").receiveMaximum(receiveMaximum).build();
        ChannelClient subscriber = open(connect, ProtocolVersion.V5, 0);
        subscriber.subscribe("a", AT_LEAST_ONCE);
        List<ChannelClient> publishers = List.of(
                client("here", ProtocolVersion.V5, 0),
                client("old", ProtocolVersion.V3_1_1, 0),
                client("away", ProtocolVersion.V5, 1));
        int[] sent = new int[publishers.size()];
        int completed = 0;
        for (int step = 0; step < 60; step++) {
            int at = chance.nextInt(publishers.size());
            int count = chance.nextInt(20);
            publishers.get(at).send(numbered(1 + 1_000 * at + sent[at], count));
            sent[at] += count;
            if (chance.nextBoolean()) {
                subscriber.stopReading();
            } else {
                subscriber.readOn();
            }
            completed += acknowledgeSome(subscriber, completed, receiveMaximum, chance, description);
        }
        subscriber.readOn();
        int total = IntStream.of(sent).sum();
        while (completed < total) {
            completed += acknowledgeSome(subscriber, completed, receiveMaximum, chance, description);
        }
        for (int at = 0; at < publishers.size(); at++) {
            int from = 1 + 1_000 * at;
            assertThat(subscriber.payloads().stream().map(Integer::valueOf).filter(inThousand(from)))
                    .as(description)
                    .containsExactlyElementsOf(identifiers(from, from + sent[at]));
            assertThat(acknowledged(publishers.get(at)))
                    .as(description)
                    .containsExactlyElementsOf(identifiers(from, from + sent[at]));
        }
        assertThat(queueOf("subscriber").depth()).as(description).isZero();
    }

    private static Predicate<Integer> inThousand(int from) {
        return number -> number >= from && number < from + 1_000;
    }

    private static int acknowledgeSome(
            ChannelClient subscriber, int completed, int receiveMaximum, Random chance, String description) {
        List<Publish> open = List.copyOf(
                subscriber.received().subList(completed, subscriber.received().size()));
        assertThat(open).as(description).hasSizeLessThanOrEqualTo(receiveMaximum);
        int count = chance.nextInt(open.size() + 1);
        acknowledge(subscriber, open.subList(0, count));
        return count;
    }

    private void limit(FullBehavior behavior) {
        limit(behavior, 4);
    }

    private void limit(FullBehavior behavior, int messages) {
        QueueLimits limits = new QueueLimits(messages, 0, behavior);
        network = new ChannelClients(
                loops, new Broker(BrokerOptions.DEFAULT.withSubscriptionLimits(limits), loops.all()));
    }

    private long counted(Counter counter) {
        return loops.all().stream()
                .mapToLong(loop -> loop.counters().get(counter))
                .sum();
    }

    private SubscriptionQueue queueOf(String clientId) {
        return queuesOf(clientId).get(0);
    }

    private List<SubscriptionQueue> queuesOf(String clientId) {
        return Objects.requireNonNull(network.broker().sessions().find(clientId)).subscriptionsByKey().values().stream()
                .map(subscription -> subscription.queue())
                .toList();
    }

    private ChannelClient subscribed(String name, ProtocolVersion version) {
        ChannelClient client = client(name, version, 0);
        client.subscribe("a", AT_LEAST_ONCE);
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

    private static void acknowledge(ChannelClient subscriber, List<Publish> publishes) {
        subscriber.send(answersTo(publishes));
    }

    private static Packet[] answersTo(List<Publish> publishes) {
        return publishes.stream()
                .map(publish ->
                        Acknowledgement.of(PacketType.PUBACK, publish.packetId(), ReasonCode.SUCCESS, null, List.of()))
                .toArray(Packet[]::new);
    }

    private static List<Acknowledgement> answers(ChannelClient publisher) {
        return publisher.takeOthers().stream()
                .filter(packet -> packet.type() == PacketType.PUBACK)
                .map(Acknowledgement.class::cast)
                .toList();
    }

    /** The identifiers of what was taken. */
    private static List<Integer> acknowledged(ChannelClient publisher) {
        List<Acknowledgement> answers = answers(publisher);
        assertThat(answers).allMatch(answer -> answer.reasonCode() == ReasonCode.SUCCESS);
        return answers.stream().map(Acknowledgement::packetId).toList();
    }

    /** To topic "a", with the number as packet identifier and payload. */
    private static Packet[] numbered(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> publish("a", i))
                .toArray(Packet[]::new);
    }

    private static Publish publish(String topic, int number) {
        return new Publish(topic, AT_LEAST_ONCE, false, number, ChannelClient.utf8(Integer.toString(number)));
    }

    private static List<Integer> identifiers(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }
}
