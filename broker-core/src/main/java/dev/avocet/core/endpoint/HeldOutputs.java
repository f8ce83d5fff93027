package dev.avocet.core.endpoint;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.AttributeKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the connections of one loop would send while their broker has no {@link OutputLease}, and sends it once
 * there is one again. Held output counts against the water mark of its connection, so that it stays as small as that of
 * a client that does not read. What the operating system has got already is on its way. Of its loop.
 */
final class HeldOutputs {
    private static final long LOOK_MS = 20;
    private static final AttributeKey<Gate> GATE = AttributeKey.valueOf(HeldOutputs.class, "gate");

    private final OutputLease lease;
    private final EventLoop loop;
    private List<ChannelHandlerContext> held = new ArrayList<>();

    HeldOutputs(OutputLease lease, EventLoop loop) {
        this.lease = lease;
        this.loop = loop;
    }

    /**
     * From now on the connection sends under the lease: its client is let in. What comes before, such as the handshake
     * of TLS and a refusal, tells nothing that another node could contradict.
     */
    void govern(Channel connection) {
        if (!lease.equals(OutputLease.ALWAYS)) {
            Gate gate = new Gate();
            connection.attr(GATE).set(gate);
            connection.pipeline().addFirst(gate);
        }
    }

    /**
     * What the task writes needs no lease, as it tells nothing that another node could contradict. It goes behind what
     * is held. On the loop of the connection.
     */
    static void sendFreely(Channel connection, Runnable write) {
        Gate gate = gateOf(connection);
        if (gate == null) {
            write.run();
        } else {
            gate.sendFreely(write);
        }
    }

    /** Whether the connection sends at the moment what needs the lease. On its loop. */
    static boolean maySend(Channel connection) {
        Gate gate = gateOf(connection);
        return gate == null || gate.isOpen();
    }

    /** Null where no lease is needed. To ask for the attribute alone would make one, which takes 48 bytes. */
    private static @Nullable Gate gateOf(Channel connection) {
        return connection.hasAttr(GATE) ? connection.attr(GATE).get() : null;
    }

    private void hold(ChannelHandlerContext context) {
        held.add(context);
        if (held.size() == 1) {
            lookLater();
        }
    }

    private void lookLater() {
        var unused = loop.schedule(this::look, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        if (!lease.holds()) {
            held.removeIf(context -> !context.channel().isOpen());
            if (!held.isEmpty()) {
                lookLater();
            }
            return;
        }
        List<ChannelHandlerContext> released = held;
        held = new ArrayList<>();
        for (ChannelHandlerContext context : released) {
            if (context.handler() instanceof Gate gate) {
                gate.open(context);
            }
        }
    }

    /** Next to the network, so that nothing passes it by. */
    private final class Gate extends ChannelOutboundHandlerAdapter {
        private boolean isHeld;
        private boolean isFree;

        void sendFreely(Runnable write) {
            isFree = true;
            try {
                write.run();
            } finally {
                isFree = false;
            }
        }

        boolean isOpen() {
            return !isHeld && lease.holds();
        }

        @Override
        public void flush(ChannelHandlerContext context) {
            if (lease.holds() || isFree && !isHeld) {
                context.flush();
            } else if (!isHeld) {
                isHeld = true;
                hold(context);
            }
        }

        private void open(ChannelHandlerContext context) {
            isHeld = false;
            flush(context);
        }
    }
}
