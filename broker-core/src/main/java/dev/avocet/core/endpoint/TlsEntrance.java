package dev.avocet.core.endpoint;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.tls.PskKeys;
import dev.avocet.core.tls.TlsContext;
import dev.avocet.core.tls.client.CommonName;
import dev.avocet.core.tls.psk.PskHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * First handler of every connection on an endpoint with TLS: turns away what is no TLS, lets the handshake go on step
 * by step as the loop's other work allows, and leaves when it is over. The engine is made only when the client has
 * begun.
 */
final class TlsEntrance extends ChannelInboundHandlerAdapter {
    /** A fatal alert, in a record of its own. */
    private static final byte[] HANDSHAKE_FAILURE = {0x15, 3, 3, 0, 2, 2, 40};

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
    /** Whether what is pending waits for the rest of the client's first record. */
    private boolean isPart;
    /** Whether the handshake is over, and the revocation of the client's certificate is looked up. */
    private boolean waitsForStatus;

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
        if (waitsForStatus) {
            context.fireChannelRead(message);
            return;
        }
        ByteBuf bytes = (ByteBuf) message;
        if (handshake == null) {
            if (!Mismatch.isTls(bytes)) {
                mismatch.plainOnTls(loop, context.channel().remoteAddress());
                bytes.release();
                context.close();
                return;
            }
            handshake =
                    turns.handshake(context.executor(), () -> step(context), () -> Distance.isNear(context.channel()));
        }
        if (pending != null) {
            pending = context.alloc().compositeBuffer().addComponents(true, pending, bytes);
            if (isPart) {
                isPart = false;
                takeStep(context);
            }
            return;
        }
        pending = bytes;
        takeStep(context);
    }

    /** Pre-shared keys are decided about by the first record, which then must be there as a whole. */
    private void takeStep(ChannelHandlerContext context) {
        if (hasEngine || tls.preSharedKeys() == null || ClientOffer.isWhole(pending)) {
            context.channel().config().setAutoRead(false);
            handshake.take();
        } else {
            isPart = true;
        }
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
        PskKeys keys = tls.preSharedKeys();
        if (keys != null && keys.required() && !offer.isForPreSharedKey()) {
            refuse(
                    context,
                    new SSLHandshakeException("the endpoint takes clients with a pre-shared key only, and the client"
                            + " offers none. Give the client an identity and its key, or let the SecurityProfile use passwords or"
                            + " client certificates"));
            return false;
        }
        ChannelHandler handler =
                keys != null && offer.isForPreSharedKey() ? keys.newHandler() : tls.newHandler(context.alloc());
        context.pipeline().addLast(handler).addLast(new Outcome(context, handler));
        return true;
    }

    private void refuse(ChannelHandlerContext context, Exception why) {
        mismatch.handshakeFailed(loop, context.channel().remoteAddress(), offer, why);
        context.writeAndFlush(Unpooled.wrappedBuffer(HANDSHAKE_FAILURE.clone()))
                .addListener(ChannelFutureListener.CLOSE);
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

    private void established(ChannelHandlerContext context, ChannelHandler handler, Outcome outcome) {
        if (handler instanceof PskHandler psk) {
            admitted.proven(null, psk.identity());
            letIn(context, outcome);
            return;
        }
        SSLSession session = ((SslHandler) handler).engine().getSession();
        if (!certified(context, ((SslHandler) handler).engine(), session)) {
            return;
        }
        CompletableFuture<Void> status = tls.status(session);
        if (status.isDone()) {
            decided(context, session, outcome, whyNot(status));
        } else {
            waitsForStatus = true;
            loop.counters().add(Counter.OCSP_WAITING, 1);
            endHandshake(); // the place is for those who calculate
            context.channel().config().setAutoRead(false);
            var unused = status.whenComplete((good, why) ->
                    context.executor().execute(() -> decided(context, session, outcome, whyNot(status))));
        }
    }

    /** Takes over what the client's certificate says; false when it does not count any more. */
    private boolean certified(ChannelHandlerContext context, SSLEngine engine, SSLSession session) {
        try {
            if (tls.checkResumed(engine)) {
                loop.counters().increment(Counter.TLS_HANDSHAKES_RESUMED);
            }
            if (tls.asksForCertificates()) { // the library tells by a costly exception that there is none
                admitted.proven(CommonName.of(session), tls.userOf(session));
            }
            return true;
        } catch (CertificateException e) {
            mismatch.handshakeFailed(loop, context.channel().remoteAddress(), offer, e);
            context.close();
            return false;
        }
    }

    private void decided(
            ChannelHandlerContext context, SSLSession session, Outcome outcome, @Nullable Throwable whyNot) {
        if (waitsForStatus) {
            loop.counters().add(Counter.OCSP_WAITING, -1);
        }
        if (!context.channel().isActive()) {
            return;
        }
        if (whyNot != null) {
            loop.counters().increment(Counter.OCSP_REFUSED);
            mismatch.handshakeFailed(loop, context.channel().remoteAddress(), offer, whyNot);
            context.close();
            return;
        }
        tls.admitted(context.channel(), session);
        letIn(context, outcome);
    }

    private void letIn(ChannelHandlerContext context, Outcome outcome) {
        loop.counters().increment(Counter.TLS_HANDSHAKES);
        context.pipeline().addLast(TlsFailures.SHARED).addLast(next);
        context.channel().config().setAutoRead(true);
        context.pipeline().remove(outcome);
        context.pipeline().remove(this);
    }

    private static @Nullable Throwable whyNot(CompletableFuture<Void> status) {
        try {
            status.getNow(null);
            return null;
        } catch (CompletionException e) {
            return e.getCause() == null ? e : e.getCause();
        }
    }

    /**
     * Stands behind the TLS handler until it is clear whether the client may come in, and holds back what it sends
     * meanwhile: what came with the end of the handshake, as nothing more is read.
     */
    private final class Outcome extends ChannelInboundHandlerAdapter {
        private final ChannelHandlerContext entrance;
        private final ChannelHandler handler;
        private final List<Object> early = new ArrayList<>(1);

        Outcome(ChannelHandlerContext entrance, ChannelHandler handler) {
            this.entrance = entrance;
            this.handler = handler;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (!(event instanceof SslHandshakeCompletionEvent completion)) {
                context.fireUserEventTriggered(event);
            } else if (completion.isSuccess()) {
                established(entrance, handler, this);
            } else {
                mismatch.handshakeFailed(loop, context.channel().remoteAddress(), offer, completion.cause());
                context.close();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            early.add(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            // nothing has been passed on
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            boolean goesOn = context.channel().isActive() && !early.isEmpty();
            early.forEach(goesOn ? context::fireChannelRead : ReferenceCountUtil::release);
            early.clear();
            if (goesOn) {
                context.fireChannelReadComplete();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close(); // the event has told why
        }
    }
}
