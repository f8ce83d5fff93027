package dev.avocet.mqtt.connection;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.frontend.FrontEnd.Admission;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.WebCredentials;
import dev.avocet.core.session.ConnectionLog;
import dev.avocet.mqtt.admission.MqttContext;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.admission.Peer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.util.List;
import java.util.function.Supplier;

/** Makes MQTT connections, on whatever carries their bytes. Thread-safe; a connection belongs to its loop. */
public final class MqttConnections {
    private final MqttContext context;
    private final List<LoopResources> resources;

    public MqttConnections(Broker broker, MqttOptions options, Authenticator authenticator) {
        this(broker, () -> options, authenticator);
    }

    /** @param options as they are now; asked by the loops, so it must be quick */
    public MqttConnections(Broker broker, Supplier<MqttOptions> options, Authenticator authenticator) {
        ConnectionLog log = new ConnectionLog(broker.loops().get(0).clock(), Peer.SECURITY_CAUSES);
        this.context = new MqttContext(broker, options, authenticator, log);
        this.resources = broker.loops().stream().map(LoopResources::new).toList();
    }

    /**
     * The handler of a new connection: takes and sends {@code ByteBuf}s that hold the bytes of MQTT packets, however
     * divided.
     *
     * @param protocol what carries them, as administrators call it
     */
    public ChannelHandler open(Channel channel, IoLoop loop, Admission admission, String protocol) {
        return open(channel, loop, admission, protocol, WebCredentials.NONE);
    }

    /**
     * As above, over WebSocket.
     *
     * @param web what the HTTP request has brought
     */
    public ChannelHandler open(Channel channel, IoLoop loop, Admission admission, String protocol, WebCredentials web) {
        return new MqttConnection(context, resources.get(loop.index()), channel, admission, protocol, web);
    }

    /**
     * What carries MQTT closes a connection because of what came on it: counts that and says so in the log.
     *
     * @param cause a fixed text, the same for all of a kind
     */
    public void noteRefused(Channel channel, IoLoop loop, String cause, String detail) {
        loop.counters().increment(Counter.PROTOCOL_ERRORS);
        String who = "client at " + channel.remoteAddress();
        context.log().closed(cause, String.valueOf(channel.remoteAddress()).replaceFirst(":\\d+$", ""), who, detail);
    }
}
