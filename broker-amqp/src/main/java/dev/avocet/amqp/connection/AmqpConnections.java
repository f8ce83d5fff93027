package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.SymbolMemory;
import dev.avocet.amqp.peer.AmqpContext;
import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.amqp.peer.ConnectionNotes;
import dev.avocet.amqp.peer.ContainerIds;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.frontend.FrontEnd.Admission;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.session.ConnectionLog;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes AMQP connections, on whatever carries their bytes. Thread-safe; a connection belongs to its loop. */
public final class AmqpConnections {
    private final AmqpContext context;
    private final Map<IoLoop, LoopResources> resources = new ConcurrentHashMap<>();

    /** @param containers the same for all endpoints of a broker */
    public AmqpConnections(Broker broker, AmqpOptions options, Authenticator authenticator, ContainerIds containers) {
        ConnectionLog log = new ConnectionLog(broker.loops().get(0).clock(), ConnectionNotes.SECURITY_CAUSES);
        this.context =
                new AmqpContext(broker, options, authenticator, containers, new SymbolMemory(SymbolMemory.MOST), log);
    }

    /**
     * The handler of a new connection: takes and sends {@code ByteBuf}s that hold the bytes of AMQP frames, however
     * divided.
     */
    public ChannelHandler open(Channel channel, IoLoop loop, Admission admission) {
        LoopResources ofLoop = resources.computeIfAbsent(loop, first -> new LoopResources());
        return new AmqpConnection(context, loop, channel, admission, ofLoop);
    }
}
