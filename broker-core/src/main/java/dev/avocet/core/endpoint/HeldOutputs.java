package dev.avocet.core.endpoint;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Holds what the connections of one loop would send while their broker has no {@link OutputLease}, and sends it once
 * there is one again. Held output counts against the water mark of its connection, so that it stays as small as that of
 * a client that does not read. What the operating system has got already is on its way. Of its loop.
 */
final class HeldOutputs {
    private static final long LOOK_MS = 20;

    private final OutputLease lease;
    private final EventLoop loop;
    private List<ChannelHandlerContext> held = new ArrayList<>();

    HeldOutputs(OutputLease lease, EventLoop loop) {
        this.lease = lease;
        this.loop = loop;
    }

    /** From now on the connection sends under the lease. Before any other handler is there. */
    void govern(Channel connection) {
        if (!lease.equals(OutputLease.ALWAYS)) {
            connection.pipeline().addFirst(new Gate());
        }
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

        @Override
        public void flush(ChannelHandlerContext context) {
            if (lease.holds()) {
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
