package dev.avocet.mqtt.frontend;

import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.mqtt.connection.MqttConnections;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** MQTT 3.1, 3.1.1 and 5.0 over a plain stream of bytes. */
public final class MqttFrontEnd implements FrontEnd {
    private static final int CONNECT_HEADER = 0x10;
    private static final int FLAGS = 0x0F;
    private static final int MAX_LENGTH_BYTES = 4;
    /** The protocol name of MQTT 3.1 with its length. */
    private static final byte[] NAME_OF_V3_1 = {0, 6, 'M', 'Q', 'I', 's', 'd', 'p'};

    private final MqttConnections connections;

    public MqttFrontEnd(MqttConnections connections) {
        this.connections = connections;
    }

    @Override
    public String protocol() {
        return "mqtt";
    }

    /**
     * A connection begins with CONNECT [MQTT-3.1.0-1]; one byte tells. Where flags are set in it, which MQTT 3.1 does
     * not use and other versions refuse, the protocol name does: TLS begins with such a byte too.
     */
    @Override
    public Recognition recognise(ByteBuf firstBytes) {
        if (!firstBytes.isReadable()) {
            return Recognition.UNDECIDED;
        }
        int first = firstBytes.getUnsignedByte(firstBytes.readerIndex());
        if (first == CONNECT_HEADER) {
            return Recognition.YES;
        }
        return (first & ~FLAGS) == CONNECT_HEADER ? recogniseName(firstBytes) : Recognition.NO;
    }

    private static Recognition recogniseName(ByteBuf firstBytes) {
        int at = firstBytes.readerIndex() + 1;
        int end = firstBytes.writerIndex();
        int lengthEnd = at + MAX_LENGTH_BYTES;
        while (at < end && at < lengthEnd && firstBytes.getByte(at) < 0) {
            at++; // of the remaining length, more follows
        }
        at++;
        for (byte expected : NAME_OF_V3_1) {
            if (at >= end) {
                return Recognition.UNDECIDED;
            }
            if (firstBytes.getByte(at++) != expected) {
                return Recognition.NO;
            }
        }
        return Recognition.YES;
    }

    @Override
    public void adopt(Channel channel, IoLoop loop, Admission admission) {
        channel.pipeline().addLast(connections.open(channel, loop, admission, protocol()));
    }
}
