package dev.avocet.mqtt.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.mqtt.admission.MqttContext;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.OpenAdmission;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever code a connection ends with, in whatever state: the client hears one that its packet may carry. */
class EveryReasonCodeTest {
    private final ManualLoops loops = new ManualLoops(1);
    private final Broker broker = new Broker(BrokerOptions.DEFAULT, loops.all());
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ChannelClient client = new ChannelClient("client", loops, 0, channel, ProtocolVersion.V5);

    @AfterEach
    void release() {
        loops.settle();
        client.release();
    }

    @ParameterizedTest
    @EnumSource(ReasonCode.class)
    void shouldEndAConnectedClientWithACodeOfDisconnect(ReasonCode reason) {
        // given
        MqttConnection connection = open(new AnonymousAuthenticator());
        assertThat(client.takeOthers()).extracting(Packet::type).containsExactly(PacketType.CONNACK);

        // when
        loops.on(0, () -> connection.fail(reason, "for a test"));
        loops.settle();

        // then
        assertThat(client.takeOthers())
                .extracting(packet -> ((Disconnect) packet).reasonCode())
                .containsExactly(expected(reason, PacketType.DISCONNECT));
    }

    @ParameterizedTest
    @EnumSource(ReasonCode.class)
    void shouldEndAClientThatIsNotConnectedYetWithACodeOfConnAck(ReasonCode reason) {
        // given
        MqttConnection connection = open(new Hesitant());
        assertThat(client.takeOthers()).isEmpty();

        // when
        loops.on(0, () -> connection.fail(reason, "for a test"));
        loops.settle();

        // then
        assertThat(client.takeOthers())
                .extracting(packet -> ((ConnAck) packet).reasonCode())
                .containsExactly(expected(reason, PacketType.CONNACK));
    }

    private MqttConnection open(Authenticator authenticator) {
        MqttContext context =
                new MqttContext(broker, MqttOptions.DEFAULT, authenticator, new ConnectionLog(loops.clock(), Set.of()));
        MqttConnection connection =
                new MqttConnection(context, new LoopResources(loops.io(0)), channel, new OpenAdmission(), "mqtt");
        channel.pipeline().addLast(connection);
        client.send(Connect.builder("client").build());
        return connection;
    }

    /** Never says whether a client may come in. */
    private static final class Hesitant implements Authenticator {
        @Override
        public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
            // not yet
        }

        @Override
        public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
            return null;
        }
    }

    /** The code itself wherever the standard lets the packet carry it. */
    private static ReasonCode expected(ReasonCode reason, PacketType packet) {
        ReasonCode within = reason.within(packet);
        assertThat(within.isAllowedIn(packet)).isTrue();
        return reason.isAllowedIn(packet) ? reason : within;
    }
}
