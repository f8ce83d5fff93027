package dev.avocet.core.endpoint;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.tls.CommonName;
import dev.avocet.core.tls.TlsContext;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.security.cert.CertificateException;
import org.jspecify.annotations.Nullable;

/**
 * First handler of every connection on an endpoint with TLS: turns away what is no TLS, lets the handshake go on step
 * by step as the loop's other work allows, and leaves when it is over. The engine is made only when the client has
 * begun.
 */
final class TlsEntrance extends ChannelInboundHandlerAdapter {
    private final TlsContext tls;
    private final HandshakeTurns turns;
    private final Mismatch mismatch;
    private final IoLoop loop;
    private final AdmittedConnection admitted;
    private final ChannelHandler next;
    private HandshakeTurns.@Nullable Handshake handshake;
    private @Nullable ByteBuf pending;
    private ClientOffer offer = ClientOffer.UNKNOWN;
    private boolean hasEngine;

    /** @param next the handler that takes the decrypted bytes */
    TlsEntrance(
            TlsContext tls,
            HandshakeTurns turns,
            Mismatch mismatch,
            IoLoop loop,
            AdmittedConnection admitted,
            ChannelHandler next) {
        this.tls = tls;
        this.turns = turns;
        this.mismatch = mismatch;
        this.loop = loop;
        this.admitted = admitted;
        this.next = next;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (handshake == null) {
            if (!Mismatch.isTls(bytes)) {
                mismatch.plainOnTls(loop, context.channel().remoteAddress());
                bytes.release();
                context.close();
                return;
            }
            handshake = turns.handshake(context.executor(), () -> step(context));
        }
        if (pending != null) {
            pending = context.alloc().compositeBuffer().addComponents(true, pending, bytes);
            return;
        }
        pending = bytes;
        context.channel().config().setAutoRead(false);
        handshake.take();
    }

    /** What is read within a step is told to be complete by the step itself. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (pending == null) {
            context.fireChannelReadComplete();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        endHandshake();
        releasePending();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close(); // a reset before the handshake: counted as a bad connection when it closes
    }

    private void step(ChannelHandlerContext context) {
        ByteBuf bytes = pending;
        pending = null;
        if (bytes == null) {
            return; // closed meanwhile
        }
        if (!hasEngine) {
            offer = ClientOffer.of(bytes);
            if (!begin(context)) {
                bytes.release();
                return;
            }
        }
        context.channel().config().setAutoRead(true);
        context.fireChannelRead(bytes);
        context.fireChannelReadComplete();
    }

    private boolean begin(ChannelHandlerContext context) {
        if (!tls.beginHandshake()) {
            loop.counters().increment(Counter.CONNECTIONS_REFUSED);
            context.close();
            return false;
        }
        hasEngine = true;
        SslHandler handler = tls.newHandler(context.alloc());
        context.pipeline().addLast(handler).addLast(new Outcome(context, handler));
        return true;
    }

    private void releasePending() {
        if (pending != null) {
            pending.release();
            pending = null;
        }
    }

    private void endHandshake() {
        if (handshake != null) {
            handshake.end();
        }
        if (hasEngine) {
            hasEngine = false;
            tls.endHandshake();
        }
    }

    private void established(ChannelHandlerContext context, SslHandler handler) {
        try {
            if (tls.checkResumed(handler.engine())) {
                loop.counters().increment(Counter.TLS_HANDSHAKES_RESUMED);
            }
        } catch (CertificateException e) {
            mismatch.handshakeFailed(loop, context.channel().remoteAddress(), offer, e);
            context.close();
            return;
        }
        tls.admitted(context.channel(), handler.engine().getSession());
        loop.counters().increment(Counter.TLS_HANDSHAKES);
        admitted.certified(CommonName.of(handler.engine().getSession()));
        context.pipeline().addLast(TlsFailures.SHARED).addLast(next);
        context.pipeline().remove(this);
    }

    /** Stands behind the TLS handler while there is a handshake. */
    private final class Outcome extends ChannelInboundHandlerAdapter {
        private final ChannelHandlerContext entrance;
        private final SslHandler handler;

        Outcome(ChannelHandlerContext entrance, SslHandler handler) {
            this.entrance = entrance;
            this.handler = handler;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (!(event instanceof SslHandshakeCompletionEvent completion)) {
                context.fireUserEventTriggered(event);
            } else if (completion.isSuccess()) {
                established(entrance, handler);
                context.pipeline().remove(this);
            } else {
                mismatch.handshakeFailed(loop, context.channel().remoteAddress(), offer, completion.cause());
                context.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close(); // the event has told why
        }
    }
}
