package dev.avocet.core.endpoint;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import java.util.concurrent.TimeUnit;

/** How far away a client is, as the operating system has measured it when the connection was made. Any thread. */
final class Distance {
    /** Of a round trip within a machine, or between machines of a room. */
    private static final long NEAR_US = TimeUnit.MILLISECONDS.toMicros(1);

    private Distance() {}

    /**
     * Whether a packet to the client and back takes less than a millisecond. That is the network's part alone: the
     * client's own work does not count. False where it is not known, as only epoll tells.
     */
    static boolean isNear(Channel connection) {
        if (!(connection instanceof EpollSocketChannel socket)) {
            return false;
        }
        try {
            EpollTcpInfo measured = socket.tcpInfo();
            return measured.rtt() > 0 && measured.rtt() < NEAR_US;
        } catch (ChannelException e) {
            return false; // closed meanwhile
        }
    }
}
