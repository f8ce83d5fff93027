package dev.avocet.mqtt.frontend;

import dev.avocet.core.broker.FrontEnd;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.mqtt.connection.MqttConnections;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** MQTT 3.1, 3.1.1 and 5.0 over a plain stream of bytes. */
public final class MqttFrontEnd implements FrontEnd {
    private static final int CONNECT_HEADER = 0x10;

    private final MqttConnections connections;

    public MqttFrontEnd(MqttConnections connections) {
        this.connections = connections;
    }

    @Override
    public String protocol() {
        return "mqtt";
    }

    /** A connection begins with CONNECT [MQTT-3.1.0-1]; one byte tells. */
    @Override
    public Recognition recognise(ByteBuf firstBytes) {
        if (!firstBytes.isReadable()) {
            return Recognition.UNDECIDED;
        }
        boolean connect = firstBytes.getUnsignedByte(firstBytes.readerIndex()) == CONNECT_HEADER;
        return connect ? Recognition.YES : Recognition.NO;
    }

    @Override
    public void adopt(Channel channel, IoLoop loop, Admission admission) {
        channel.pipeline().addLast(connections.open(channel, loop, admission, protocol()));
    }
}
