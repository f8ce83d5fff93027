package dev.avocet.amqp.frontend;

import dev.avocet.amqp.connection.AmqpConnections;
import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.loop.IoLoop;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** AMQP 1.0, as JMS clients speak it, over a plain stream of bytes. */
public final class AmqpFrontEnd implements FrontEnd {
    private static final byte[] BEGINNING = {'A', 'M', 'Q', 'P'};

    private final AmqpConnections connections;

    public AmqpFrontEnd(AmqpConnections connections) {
        this.connections = connections;
    }

    @Override
    public String protocol() {
        return "amqp";
    }

    /** A connection begins with a protocol header [AMQP 1.0 part 2, 2.2]. */
    @Override
    public Recognition recognise(ByteBuf firstBytes) {
        int count = Math.min(BEGINNING.length, firstBytes.readableBytes());
        for (int i = 0; i < count; i++) {
            if (firstBytes.getByte(firstBytes.readerIndex() + i) != BEGINNING[i]) {
                return Recognition.NO;
            }
        }
        return count == BEGINNING.length ? Recognition.YES : Recognition.UNDECIDED;
    }

    @Override
    public void adopt(Channel channel, IoLoop loop, Admission admission) {
        channel.pipeline().addLast(connections.open(channel, loop, admission));
    }
}
