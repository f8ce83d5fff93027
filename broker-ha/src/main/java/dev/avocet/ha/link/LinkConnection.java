package dev.avocet.ha.link;

import dev.avocet.ha.role.PairMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A link, once both ends have proved who they are. Any thread sends; what one thread sends arrives in its order.
 *
 * <p>Records need credit, which the partner gives as it uses what it got: so neither end holds more than its credit,
 * however slow the other one is. Everything else is small and needs none.
 */
public final class LinkConnection extends SimpleChannelInboundHandler<ByteBuf> {
    private static final int SHARE = 4;

    /** What is around the content of a message, or a little more. */
    private static final int HEAD_BYTES = 256;

    private final long number;
    private final LinkSettings settings;
    private final LinkState peer;
    private final int version;
    private final Channel channel;
    private final LinkListener listener;

    /** Bytes of records, and of checkpoints, that the partner takes. */
    private final AtomicInteger credit = new AtomicInteger();

    /** Bytes of records, and of checkpoints, that were used here and are not given back yet. */
    private final AtomicInteger used = new AtomicInteger();

    /** Bytes of the same that were received and are not used yet, or not given back. Of the event loop. */
    private final AtomicLong held = new AtomicLong();

    private volatile String why = "the other node has closed it";

    LinkConnection(
            long number, LinkSettings settings, LinkState peer, int version, Channel channel, LinkListener listener) {
        super(true);
        this.number = number;
        this.settings = settings;
        this.peer = peer;
        this.version = version;
        this.channel = channel;
        this.listener = listener;
    }

    /** Tells the links of this process apart; never 0. */
    public long number() {
        return number;
    }

    /** What the partner has said of itself. */
    public LinkState peer() {
        return peer;
    }

    /** Whether a checkpoint can be sent: an older node takes none. */
    public boolean carriesStores() {
        return LinkVersions.carriesStores(version);
    }

    /** Sends anything but records and parts of checkpoints. */
    public void send(PairMessage message) {
        if (MessageCodec.creditFor(message) >= 0) {
            throw new IllegalArgumentException("records and parts of checkpoints need credit");
        }
        write(message, 0);
    }

    /**
     * Sends records, or a part of a checkpoint, if there is credit; otherwise {@link LinkListener#hasCredit} tells when
     * to try again.
     */
    public boolean trySend(PairMessage message) {
        int bytes = contentBytes(message);
        boolean isSent = takeCredit(bytes);
        if (isSent) {
            write(message, bytes);
        }
        return isSent;
    }

    /**
     * The same for records in a {@link ByteBuffer}, which are not copied.
     *
     * @param whenWritten is run, if they are sent, once the buffer is of no use here any more
     */
    public boolean trySend(PairMessage.Records records, Runnable whenWritten) {
        if (!(records.records() instanceof ByteBuffer content)) {
            throw new IllegalArgumentException("no buffer: " + records.records().getClass());
        }
        int bytes = content.remaining();
        if (!takeCredit(bytes)) {
            return false;
        }
        ByteBuf head = channel.alloc().buffer(HEAD_BYTES).writeInt(0);
        MessageCodec.writeHead(head, records);
        head.setInt(head.readerIndex(), head.readableBytes() - Frames.LENGTH_BYTES + bytes);
        channel.writeAndFlush(Unpooled.wrappedBuffer(head, Unpooled.wrappedBuffer(content)))
                .addListener(written -> whenWritten.run());
        return true;
    }

    /** Bytes of the records, or of the part of a checkpoint, in a message. */
    public static int contentBytes(PairMessage message) {
        return Math.max(0, MessageCodec.creditFor(message));
    }

    private boolean takeCredit(int bytes) {
        while (true) {
            int now = credit.get();
            if (now < bytes) {
                return false;
            }
            if (credit.compareAndSet(now, now - bytes)) {
                return true;
            }
        }
    }

    /** So many bytes of the records that came over this link take no room here any more. */
    public void used(int bytes) {
        int sum = used.addAndGet(bytes);
        if (sum >= settings.creditBytes() / SHARE && used.compareAndSet(sum, 0)) {
            held.addAndGet(-sum);
            giveCredit(sum);
        }
    }

    /** Whether it has not ended yet, as far as this end knows. */
    public boolean isOpen() {
        return channel.isActive();
    }

    /** Ends the link. */
    public void close(String reason) {
        why = reason;
        channel.close();
    }

    void begin() {
        giveCredit(settings.creditBytes());
    }

    private void giveCredit(int bytes) {
        ByteBuf out =
                Frames.begin(channel.alloc().buffer(), MessageCodec.CREDIT).writeInt(bytes);
        channel.writeAndFlush(Frames.end(out));
    }

    private void write(PairMessage message, int contentBytes) {
        ByteBuf out = channel.alloc().buffer(HEAD_BYTES + contentBytes).writeInt(0);
        if (version == 1) {
            FirstVersion.write(out, message);
        } else {
            MessageCodec.write(out, message);
        }
        channel.writeAndFlush(Frames.end(out));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        int type = frame.readUnsignedByte();
        if (type == MessageCodec.PING) {
            return;
        }
        if (type == MessageCodec.CREDIT) {
            int bytes = frame.readableBytes() == Integer.BYTES ? frame.readInt() : 0;
            if (bytes <= 0 || credit.addAndGet(bytes) < 0) {
                throw new CorruptedFrameException("a credit of " + bytes + " bytes");
            }
            listener.hasCredit(this);
            return;
        }
        PairMessage message = version == 1 ? FirstVersion.read(type, frame) : MessageCodec.read(type, frame);
        if (message == null) {
            return;
        }
        int bytes = MessageCodec.creditFor(message);
        if (bytes >= 0 && held.addAndGet(bytes) > settings.creditBytes()) {
            throw new CorruptedFrameException("more records than there was credit for");
        }
        listener.received(this, message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent idle) {
            if (idle.state() == IdleState.READER_IDLE) {
                close("nothing has come for " + settings.silence().toMillis() + " ms");
            } else {
                context.writeAndFlush(Frames.end(Frames.begin(context.alloc().buffer(), MessageCodec.PING)));
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        close(cause instanceof IOException ? cause.getMessage() : "the other node has sent " + cause.getMessage());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        listener.down(this, why);
    }

    @Override
    public String toString() {
        return "link " + number + " (" + settings + ")";
    }
}
