package dev.avocet.bench.mqtt.psk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.bouncycastle.tls.AlertDescription;
import org.bouncycastle.tls.TlsClientProtocol;
import org.bouncycastle.tls.TlsFatalAlert;
import org.bouncycastle.tls.TlsFatalAlertReceived;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one connection, between bytes that are given to the protocol and bytes that it has ready. Owned by the
 * connection's event loop.
 *
 * <p>The channel becomes active for the handlers behind it when the handshake is complete, so no handler writes before.
 */
final class PskHandler extends ChannelDuplexHandler {
    private static final int HANDSHAKE_TIMEOUT_SECONDS = 10;

    private final PskClient client;
    private final TlsClientProtocol protocol = new TlsClientProtocol();
    private @Nullable ScheduledFuture<?> timeout;
    private boolean hasBegun;
    private boolean isOpen;

    PskHandler(PskClient client) {
        this.client = client;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        try {
            hasBegun = true;
            protocol.connect(client);
            timeout = ctx.executor()
                    .schedule(
                            () -> fail(ctx, "the server did not answer in time"),
                            HANDSHAKE_TIMEOUT_SECONDS,
                            TimeUnit.SECONDS);
        } catch (IOException failure) {
            fail(ctx, words(failure));
        }
        ctx.writeAndFlush(output(ctx));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf encrypted = (ByteBuf) message;
        byte[] bytes;
        try {
            bytes = ByteBufUtil.getBytes(encrypted);
        } finally {
            encrypted.release();
        }
        if (protocol.isClosed()) {
            return;
        }
        try {
            protocol.offerInput(bytes);
        } catch (IOException failure) {
            // What was ready for the server tells it why.
            ctx.writeAndFlush(output(ctx));
            fail(ctx, words(failure));
            return;
        }
        if (protocol.getAvailableOutputBytes() > 0) {
            ctx.writeAndFlush(output(ctx));
        }
        if (client.isComplete() && !isOpen) {
            open(ctx);
        }
        passOn(ctx);
        if (protocol.isClosed()) {
            ctx.close();
        }
    }

    private void open(ChannelHandlerContext ctx) {
        isOpen = true;
        stopClock();
        ctx.fireChannelActive();
    }

    private void passOn(ChannelHandlerContext ctx) {
        int size = protocol.getAvailableInputBytes();
        if (size > 0) {
            byte[] plain = new byte[size];
            protocol.readInput(plain, 0, size);
            ctx.fireChannelRead(ctx.alloc().buffer(size).writeBytes(plain));
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (isOpen) {
            ctx.fireChannelReadComplete();
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        ByteBuf plain = (ByteBuf) message;
        try {
            if (!isOpen || protocol.isClosed()) {
                promise.tryFailure(new ClosedChannelException());
                return;
            }
            byte[] bytes = ByteBufUtil.getBytes(plain);
            protocol.writeApplicationData(bytes, 0, bytes.length);
            ctx.write(output(ctx), promise);
        } catch (IOException failure) {
            promise.tryFailure(new SSLException(words(failure)));
        } finally {
            plain.release();
        }
    }

    /** Says close_notify before [RFC 5246, 7.2.1]. */
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        stopClock();
        if (hasBegun && !protocol.isClosed()) {
            try {
                protocol.close();
            } catch (IOException alreadyBroken) {
                // It is being closed.
            }
            ctx.writeAndFlush(output(ctx));
        }
        ctx.close(promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        stopClock();
        if (hasBegun && !isOpen && !protocol.isClosed()) {
            ctx.fireExceptionCaught(failure("the server closed the connection"));
        }
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        stopClock();
    }

    private void fail(ChannelHandlerContext ctx, String why) {
        ctx.fireExceptionCaught(failure(why));
        ctx.close();
    }

    private SSLException failure(String why) {
        return new SSLException((isOpen ? "TLS failed: " : "TLS handshake failed: ") + why);
    }

    private void stopClock() {
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
    }

    private ByteBuf output(ChannelHandlerContext ctx) {
        byte[] bytes = new byte[protocol.getAvailableOutputBytes()];
        protocol.readOutput(bytes, 0, bytes.length);
        return ctx.alloc().buffer(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    private static String words(IOException failure) {
        if (failure instanceof TlsFatalAlertReceived theirs) {
            return "the server's alert was " + AlertDescription.getText(theirs.getAlertDescription());
        }
        if (failure instanceof TlsFatalAlert ours) {
            return ours.getMessage();
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
