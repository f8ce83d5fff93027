package dev.avocet.ha.link;

import dev.avocet.ha.trust.MemberTls;
import dev.avocet.ha.trust.NoMemberException;
import dev.avocet.ha.trust.NoMemberException.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the first byte, which tells TLS from a link without it, and from what is neither; then it goes. Without it,
 * a node whose partner is set up otherwise would only hear of bytes that it does not understand.
 */
final class FirstByte extends ChannelInboundHandlerAdapter {
    private final LinkSettings settings;
    private final Handshake handshake;

    FirstByte(LinkSettings settings, Handshake handshake) {
        this.settings = settings;
        this.handshake = handshake;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (!in.isReadable()) {
            ReferenceCountUtil.release(in);
            return;
        }
        int first = in.getUnsignedByte(in.readerIndex());
        // The length of a frame begins with 0 before the proof.
        NoMemberException mismatch = MemberTls.mismatch(member(), first, first == 0);
        if (mismatch == null) {
            context.pipeline().remove(this);
            context.fireChannelRead(in);
            return;
        }
        ReferenceCountUtil.release(in);
        LinkRefusal refusal = Handshake.refusal(mismatch);
        if (mismatch.kind() == Kind.TLS) {
            // The other end learns it in the clear, as there is no TLS that both speak.
            context.writeAndFlush(Handshake.frame(context.alloc(), settings, refusal))
                    .addListener(ChannelFutureListener.CLOSE);
            handshake.refused(context, refusal);
        } else {
            handshake.fail(context, refusal);
        }
    }

    private @Nullable MemberTls member() {
        LinkTls tls = settings.tls();
        return tls == null ? null : tls.member();
    }
}
