package dev.avocet.mqtt.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.core.session.DisconnectCause;
import dev.avocet.mqtt.admission.MqttContext;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.codec.PacketEncoder;
import dev.avocet.mqtt.codec.PacketFramer;
import dev.avocet.mqtt.codec.field.PacketWriter;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.OpenAdmission;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection without socket and thread: the test says what the client reads and when the loop has time. */
class MqttConnectionTest {
    private static final int FLOOD_BYTES = 2 << 20;
    private static final int KEEP_ALIVE_SECONDS = 10;

    private final ManualLoops loops = new ManualLoops(1);
    private final Broker broker = new Broker(BrokerOptions.DEFAULT, loops.all());
    private final MqttContext context = new MqttContext(
            broker, MqttOptions.DEFAULT, new AnonymousAuthenticator(), new ConnectionLog(loops.clock(), Set.of()));
    private final Client client = new Client();
    private final MqttConnection connection =
            new MqttConnection(context, new LoopResources(loops.io(0)), client, new OpenAdmission(), "mqtt");

    @AfterEach
    void releaseWhatWasSent() {
        loops.settle();
        client.finishAndReleaseAll();
    }

    @Test
    void shouldNotReadFromAClientThatDoesNotReadItsAnswers() {
        // given
        connect();
        client.unsentBytes = FLOOD_BYTES;

        // when
        send(PingReq.INSTANCE);
        assertThat(client.config().isAutoRead()).as("reading").isFalse();
        client.unsentBytes = 0;
        loops.on(0, client.pipeline()::fireChannelWritabilityChanged);
        loops.settle();

        // then
        assertThat(client.config().isAutoRead()).as("reading again").isTrue();
        assertThat(answers()).isEqualTo(1);
    }

    @Test
    void shouldNotTakeForSilentAClientThatItDoesNotRead() {
        // given
        connect();
        client.unsentBytes = FLOOD_BYTES;
        send(PingReq.INSTANCE);

        // when
        loops.advance(Duration.ofSeconds(2 * KEEP_ALIVE_SECONDS));
        client.unsentBytes = 0;
        loops.on(0, client.pipeline()::fireChannelWritabilityChanged);
        loops.advance(Duration.ofSeconds(KEEP_ALIVE_SECONDS));
        loops.settle();

        // then
        assertThat(broker.metrics().get(Counter.KEEP_ALIVE_TIMEOUTS)).isZero();
        loops.advance(Duration.ofSeconds(2 * KEEP_ALIVE_SECONDS));
        assertThat(broker.metrics().get(Counter.KEEP_ALIVE_TIMEOUTS)).isEqualTo(1);
    }

    @Test
    void shouldGoOnReadingFromAClientThatOnlyHasMessagesToRead() {
        connect();
        client.unsentBytes = FLOOD_BYTES / 4;

        send(PingReq.INSTANCE);

        assertThat(client.config().isAutoRead()).isTrue();
        assertThat(answers()).isEqualTo(1);
    }

    @Test
    void shouldNotTakeAClientForStalledThatIsDisconnected() {
        // given
        connect();
        ChannelHandlerContext handler = client.pipeline().context(connection);
        loops.on(0, () -> connection.disconnect(DisconnectCause.ADMINISTRATIVE_ACTION));

        // when its last bytes fill the channel
        client.unsentBytes = FLOOD_BYTES;
        loops.on(0, () -> connection.channelWritabilityChanged(handler));
        loops.advance(Duration.ofMillis(2L * MqttOptions.DEFAULT.stallTimeoutMs()));
        loops.settle();

        // then
        assertThat(broker.metrics().get(Counter.STALLED_CONSUMERS)).isZero();
    }

    @Test
    void shouldDisconnectOnceAConsumerThatNeverAcknowledges() {
        connect();
        loops.on(0, () -> connection.disconnect(DisconnectCause.TAKEN_OVER));

        loops.on(0, () -> connection.end().onNeverAcknowledging());

        assertThat(broker.metrics().get(Counter.NEVER_ACKNOWLEDGING_CONSUMERS)).isZero();
    }

    @Test
    void shouldNotEndInTheMiddleOfWhatFailed() {
        // given
        connect();
        ChannelHandlerContext handler = client.pipeline().context(connection);

        // when
        loops.on(0, () -> connection.exceptionCaught(handler, new IllegalStateException("internal")));
        assertThat(connection.isClosed()).as("closed at once").isFalse();
        send(PingReq.INSTANCE); // arrives before the loop has time for the rest

        // then
        assertThat(connection.isClosed()).isTrue();
        assertThat(answers()).as("DISCONNECT").isEqualTo(1);
    }

    private void connect() {
        client.pipeline().addLast(connection);
        send(Connect.builder("client").keepAliveSeconds(KEEP_ALIVE_SECONDS).build());
        assertThat(answers()).as("CONNACK").isEqualTo(1);
    }

    private void send(Packet packet) {
        PacketWriter writer = new PacketWriter(1024, PacketFramer.MAX_PACKET_SIZE_BYTES);
        PacketEncoder.encode(ProtocolVersion.V5, packet, writer);
        loops.on(0, () -> client.pipeline().fireChannelRead(Unpooled.wrappedBuffer(writer.toByteArray())));
        loops.settle();
    }

    /** Writes since the last time. */
    private int answers() {
        int count = client.outboundMessages().size();
        client.releaseOutbound();
        return count;
    }

    private static final class Client extends EmbeddedChannel {
        private long unsentBytes;

        @Override
        public boolean isWritable() {
            return unsentBytes == 0;
        }

        @Override
        public long bytesBeforeWritable() {
            return unsentBytes;
        }
    }
}
