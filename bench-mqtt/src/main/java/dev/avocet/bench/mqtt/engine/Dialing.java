package dev.avocet.bench.mqtt.engine;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/** How a client gets to its broker: which nodes it has tried. Of the client's loop. */
final class Dialing {
    private final Dialer dialer;
    private final int number;
    private final int nodes;
    private int node;
    private int tried = 1;

    /**
     * @param number of the client, which chooses its addresses
     * @param nodes of the broker
     * @param node that is tried first
     */
    Dialing(Dialer dialer, int number, int nodes, int node) {
        this.dialer = dialer;
        this.number = number;
        this.nodes = nodes;
        this.node = node;
    }

    Dialer dialer() {
        return dialer;
    }

    /** What encrypts the connection, where clients resume TLS sessions; otherwise null. */
    @Nullable SslHandler resuming(ChannelHandlerContext connection) {
        return dialer.resumesTls() ? connection.pipeline().get(SslHandler.class) : null;
    }

    int number() {
        return number;
    }

    /** The node that is tried now. */
    int node() {
        return node;
    }

    /** Whether there is a node that was not tried. */
    boolean hasAnother() {
        return tried < nodes;
    }

    /** Opens a connection to the next node. */
    void goOn(SimulatedClient client) {
        tried++;
        node = (node + 1) % nodes;
        dialer.open(client, this);
    }
}
