package dev.avocet.mqtt.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.mqtt.admission.MqttContext;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.testkit.ManualLoops;
import dev.avocet.testkit.OpenAdmission;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.List;
import java.util.Set;

/** Clients of a broker whose connections are channels in memory, on the loops of a test. */
final class ChannelClients {
    private final ManualLoops loops;
    private final Broker broker;
    private final MqttContext context;
    private final List<LoopResources> resources;

    ChannelClients(ManualLoops loops, Broker broker) {
        this.loops = loops;
        this.broker = broker;
        this.context = new MqttContext(
                broker, MqttOptions.DEFAULT, new AnonymousAuthenticator(), new ConnectionLog(loops.clock(), Set.of()));
        this.resources = loops.all().stream().map(LoopResources::new).toList();
    }

    Broker broker() {
        return broker;
    }

    /** One that is connected. */
    ChannelClient open(Connect connect, ProtocolVersion version, int loop) {
        EmbeddedChannel channel = new EmbeddedChannel();
        MqttConnection connection =
                new MqttConnection(context, resources.get(loop), channel, new OpenAdmission(), "mqtt");
        loops.on(loop, () -> channel.pipeline().addLast(connection));
        ChannelClient client = new ChannelClient(connect.clientId(), loops, loop, channel, version);
        client.send(connect);
        assertThat(client.takeOthers()).extracting(packet -> packet.type()).containsExactly(PacketType.CONNACK);
        return client;
    }
}
