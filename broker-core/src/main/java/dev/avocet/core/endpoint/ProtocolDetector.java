package dev.avocet.core.endpoint;

import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.frontend.FrontEnd.Recognition;
import dev.avocet.core.loop.IoLoop;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * First handler of every connection: lets the front ends look at the first bytes, hands the connection to the one that
 * knows them, and leaves. Bytes that no front end knows end the connection; so do {@value #MAX_BYTES} bytes that no
 * front end could decide about.
 */
final class ProtocolDetector extends ChannelInboundHandlerAdapter {
    private static final int MAX_BYTES = 64;

    private final List<FrontEnd> frontEnds;
    private final IoLoop loop;
    private final FrontEnd.Admission admission;
    private final Mismatch mismatch;
    private @Nullable ByteBuf first;

    ProtocolDetector(List<FrontEnd> frontEnds, IoLoop loop, FrontEnd.Admission admission, Mismatch mismatch) {
        this.frontEnds = frontEnds;
        this.loop = loop;
        this.admission = admission;
        this.mismatch = mismatch;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = together(context, (ByteBuf) message);
        boolean undecided = false;
        for (FrontEnd frontEnd : frontEnds) {
            Recognition recognition = frontEnd.recognise(bytes);
            if (recognition == Recognition.YES) {
                hand(context, frontEnd, bytes);
                return;
            }
            undecided |= recognition == Recognition.UNDECIDED;
        }
        if (undecided && bytes.readableBytes() < MAX_BYTES) {
            first = bytes;
        } else {
            if (bytes.isReadable() && Mismatch.isTls(bytes)) {
                mismatch.tlsOnPlain(loop, context.channel().remoteAddress());
            }
            bytes.release();
            context.close();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (first != null) {
            first.release();
            first = null;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close(); // a reset before the first packet: counted as a bad connection when it closes
    }

    private void hand(ChannelHandlerContext context, FrontEnd frontEnd, ByteBuf bytes) {
        first = bytes; // released with this handler should the front end fail
        frontEnd.adopt(context.channel(), loop, admission);
        first = null;
        context.fireChannelRead(bytes);
        context.pipeline().remove(this);
    }

    private ByteBuf together(ChannelHandlerContext context, ByteBuf bytes) {
        ByteBuf earlier = first;
        first = null;
        if (earlier == null) {
            return bytes;
        }
        ByteBuf joined = context.alloc().buffer(earlier.readableBytes() + bytes.readableBytes());
        joined.writeBytes(earlier).writeBytes(bytes);
        earlier.release();
        bytes.release();
        return joined;
    }
}
