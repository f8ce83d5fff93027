package dev.avocet.mqtt.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.config.object.field.Protocol;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.LoopCounters;
import dev.avocet.core.metrics.Traffic;
import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.policy.ClientFacts;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.mqtt.admission.MqttContext;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.buffer.OutputBuffer;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.session.InboundIds;
import dev.avocet.mqtt.session.MqttSession;
import dev.avocet.mqtt.testing.FakeSessionLog;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.OpenAdmission;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A whole connection whose session is stored: what it answers, and not before what. */
class StoredConnectionTest {
    private final ManualLoops loops = new ManualLoops(2);
    private final Broker broker = new Broker(BrokerOptions.DEFAULT, loops.all());
    private final MqttContext context = new MqttContext(
            broker, MqttOptions.DEFAULT, new AnonymousAuthenticator(), new ConnectionLog(loops.clock(), Set.of()));
    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private FakeSessionLog log;
    private EmbeddedChannel channel;
    private MqttConnection connection;
    private int loop;

    @BeforeEach
    void connectWithAStoredSession() {
        connect();
        ClientSession session = Objects.requireNonNull(broker.sessions().find("client"));
        log = new FakeSessionLog(session::home);
        session.stored(1, log);
        connect();
    }

    @AfterEach
    void releaseWhatWasSent() {
        loops.settle();
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    @Test
    void shouldAnswerSubscribeWhenTheSubscriptionIsDurable() {
        // when
        somethingIsWritten();
        send(subscribe(1));

        // then
        assertThat(answers()).isEmpty();
        loops.on(loop, log::commitAll);
        loops.settle();
        assertThat(answers()).containsExactly("SUBACK 1");
        publishToItself();
        assertThat(answers()).containsExactly("PUBLISH 0");
    }

    @Test
    void shouldAnswerUnsubscribeWhenTheEndIsDurable() {
        send(subscribe(1));
        answers();

        somethingIsWritten();
        send(new Unsubscribe(2, "a"));

        assertThat(answers()).isEmpty();
        loops.on(loop, log::commitAll);
        loops.settle();
        assertThat(answers()).containsExactly("UNSUBACK 2");
        publishToItself();
        assertThat(answers()).isEmpty();
    }

    @Test
    void shouldNotTakeUpASubscriptionThatIsOverBeforeItIsAnswered() {
        // when
        somethingIsWritten();
        send(subscribe(1));
        send(new Unsubscribe(2, "a"));
        send(subscribe(3));
        loops.on(loop, log::commitAll);
        loops.settle();

        // then
        assertThat(answers()).containsExactly("SUBACK 1", "UNSUBACK 2", "SUBACK 3");
        publishToItself();
        assertThat(answers()).containsExactly("PUBLISH 0");
    }

    @Test
    void shouldSayNothingOnAConnectionThatHasEnded() {
        // given
        somethingIsWritten();
        send(subscribe(1));
        EmbeddedChannel first = channel;

        // when the client comes back on another loop
        loop = 1;
        connect();
        loops.on(0, log::commitAll);
        loops.settle();

        // then
        assertThat(SentPackets.take(first)).doesNotContain("SUBACK 1");
        publishToItself();
        assertThat(answers()).as("the session has kept the subscription").containsExactly("PUBLISH 0");
    }

    @Test
    void shouldCompleteAPublishWhenItsReleaseIsDurable() {
        // given
        onSession(session -> session.inbound().addStored(5));
        loops.on(loop, log::commitAll);

        // when
        send(new PubRel(5));

        // then
        assertThat(answers()).isEmpty();
        loops.on(loop, log::commitAll);
        loops.settle();
        assertThat(answers()).containsExactly("PUBCOMP 5");
    }

    @Test
    void shouldCompleteAPublishAtOnceThatIsNotStored() {
        send(publish(5, false));
        assertThat(answers()).containsExactly("PUBREC 5");

        send(new PubRel(5));

        assertThat(answers()).containsExactly("PUBCOMP 5");
        assertThat(log.records()).isEmpty();
    }

    @Test
    void shouldAcknowledgeARepeatedPublishOnceItIsDurable() {
        // given a message that is on its way to the disk when the connection breaks
        onSession(session -> session.inbound().addStored(5));
        connect();

        // when
        send(publish(5, true));
        assertThat(answers()).isEmpty();
        loops.on(loop, log::commitAll);
        loops.settle();

        // then
        assertThat(answers()).containsExactly("PUBREC 5");
        send(publish(5, true));
        assertThat(answers()).containsExactly("PUBREC 5");
        onSession(session -> assertThat(session.inbound().release(5)).isNotEqualTo(InboundIds.UNKNOWN));
    }

    @Test
    void shouldAcknowledgeARepeatedPublishOnceItIsDurableOnAnotherLoop() {
        // given
        onSession(session -> session.inbound().addStored(5));
        loop = 1;
        connect();

        // when
        send(publish(5, true));

        // then
        assertThat(answers()).isEmpty();
        loops.on(0, log::commit);
        loops.settle();
        assertThat(answers()).isEmpty();
        loops.on(1, log::commitAll);
        loops.settle();
        assertThat(answers()).containsExactly("PUBREC 5");
    }

    @Test
    void shouldWriteTheIdentifierOfAPublishThatIsBeingWritten() {
        // given
        PublishReceiver publishes = publishes();

        // when
        loops.on(loop, () -> {
            publishes.onStored(2 << 16 | 5);
            publishes.onStored(1 << 16 | 6);
        });
        loops.settle();

        // then
        assertThat(log.records()).hasSize(1);
        onSession(session -> {
            assertThat(session.inbound().contains(5)).isTrue();
            assertThat(session.inbound().contains(6)).isFalse();
        });
    }

    @Test
    void shouldRefuseAPublishWhenTheDiskIsFull() {
        PublishReceiver publishes = publishes();

        loops.on(loop, () -> {
            publishes.onPublished(1 << 16 | 6, PublishOutcome.STORE_FULL);
            publishes.onPublished(2 << 16 | 7, PublishOutcome.STORE_FULL);
        });
        loops.settle();

        assertThat(answers()).containsExactly("PUBACK 6 QUOTA_EXCEEDED", "PUBREC 7 QUOTA_EXCEEDED");
    }

    private PublishReceiver publishes() {
        ClientSession session = Objects.requireNonNull(broker.sessions().find("client"));
        return new PublishReceiver(
                connection,
                new LoopResources(loops.io(loop)),
                broker,
                new OutputBuffer(
                        channel,
                        loops.io(loop),
                        new Traffic(loops.io(loop).counters(), new LoopCounters()),
                        new OpenAdmission()),
                (MqttSession) Objects.requireNonNull(session.protocolState()),
                null,
                new TopicAliases(0, 0),
                ProtocolVersion.V5,
                "client",
                rights(),
                100);
    }

    private static AccessRights rights() {
        AccessRights rights = new AccessRights(
                new EndpointPolicies(), () -> new ClientFacts(null, List.of(), "client", null, null, Protocol.MQTT));
        rights.connect();
        return rights;
    }

    private void connect() {
        channel = new EmbeddedChannel();
        channels.add(channel);
        connection =
                new MqttConnection(context, new LoopResources(loops.io(loop)), channel, new OpenAdmission(), "mqtt");
        loops.on(loop, () -> channel.pipeline().addLast(connection));
        send(Connect.builder("client")
                .cleanStart(false)
                .sessionExpiryIntervalSeconds(1000)
                .build());
        assertThat(answers()).containsExactly("CONNACK");
    }

    /** An entry that belongs to the same record as what comes next. */
    private void somethingIsWritten() {
        loops.on(loop, () -> log.write(new byte[] {1}, 0, 1));
    }

    private void onSession(Consumer<MqttSession> action) {
        ClientSession session = Objects.requireNonNull(broker.sessions().find("client"));
        loops.on(loop, () -> action.accept((MqttSession) Objects.requireNonNull(session.protocolState())));
        loops.settle();
    }

    private void publishToItself() {
        send(new Publish("a", QualityOfService.AT_MOST_ONCE, false, 0, new byte[1]));
    }

    private static Publish publish(int packetId, boolean dup) {
        return new Publish(
                dup,
                QualityOfService.EXACTLY_ONCE,
                false,
                "b",
                packetId,
                Publish.NO_ALIAS,
                Publish.NO_EXPIRY,
                MessageProperties.NONE,
                List.of(),
                new byte[1]);
    }

    private static Subscribe subscribe(int packetId) {
        return new Subscribe(packetId, new TopicSubscription("a", QualityOfService.AT_LEAST_ONCE));
    }

    private void send(Packet packet) {
        PacketWriter writer = new PacketWriter(1024, PacketFramer.MAX_PACKET_SIZE_BYTES);
        PacketEncoder.encode(ProtocolVersion.V5, packet, writer);
        loops.on(loop, () -> channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(writer.toByteArray())));
        loops.settle();
    }

    private List<String> answers() {
        return SentPackets.take(channel);
    }
}
