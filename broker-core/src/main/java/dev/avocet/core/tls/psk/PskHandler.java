package dev.avocet.core.tls.psk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.bouncycastle.tls.AlertDescription;
import org.bouncycastle.tls.TlsFatalAlert;
import org.bouncycastle.tls.TlsFatalAlertReceived;
import org.bouncycastle.tls.TlsServerProtocol;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one connection with a pre-shared key, between bytes that are given to the protocol and bytes that it has
 * ready. It tells the handlers behind it what Netty's own handler would. Owned by the connection's event loop.
 */
public final class PskHandler extends ChannelDuplexHandler {
    private final PskServer server;
    private final int timeoutMs;
    private final TlsServerProtocol protocol = new TlsServerProtocol();
    private @Nullable ScheduledFuture<?> timeout;
    private boolean hasBegun;
    private boolean isOver;

    public PskHandler(PskServer server, int timeoutMs) {
        this.server = server;
        this.timeoutMs = timeoutMs;
    }

    /** Whose key it is; null before the handshake is complete. */
    public @Nullable String identity() {
        return server.identity();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        timeout = context.executor()
                .schedule(() -> fail(context, "the client took too long"), timeoutMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        stopClock();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf encrypted = (ByteBuf) message;
        byte[] bytes;
        try {
            bytes = ByteBufUtil.getBytes(encrypted);
        } finally {
            encrypted.release();
        }
        try {
            if (!hasBegun) {
                hasBegun = true;
                protocol.accept(server);
            }
            if (protocol.isClosed()) {
                return;
            }
            protocol.offerInput(bytes);
        } catch (IOException failure) {
            sendOutput(context); // what was ready for the client tells it why
            fail(context, words(failure));
            return;
        }
        sendOutput(context);
        if (server.isComplete() && !isOver) {
            isOver = true;
            stopClock();
            context.fireUserEventTriggered(SslHandshakeCompletionEvent.SUCCESS);
        }
        passOn(context);
        if (protocol.isClosed()) {
            context.close();
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ByteBuf plain = (ByteBuf) message;
        try {
            if (!isOver || protocol.isClosed()) {
                promise.tryFailure(new ClosedChannelException());
                return;
            }
            byte[] bytes = ByteBufUtil.getBytes(plain);
            protocol.writeApplicationData(bytes, 0, bytes.length);
            context.write(output(context), promise);
        } catch (IOException failure) {
            promise.tryFailure(new SSLException(words(failure), failure));
        } finally {
            plain.release();
        }
    }

    /** Says close_notify before [RFC 5246, 7.2.1]. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        stopClock();
        if (hasBegun && !protocol.isClosed()) {
            try {
                protocol.close();
            } catch (IOException alreadyBroken) {
                // It is being closed.
            }
            sendOutput(context);
        }
        context.close(promise);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stopClock();
        if (!isOver) {
            isOver = true;
            context.fireUserEventTriggered(new SslHandshakeCompletionEvent(new ClosedChannelException()));
        }
        context.fireChannelInactive();
    }

    private void passOn(ChannelHandlerContext context) {
        int size = protocol.getAvailableInputBytes();
        if (size > 0) {
            byte[] plain = new byte[size];
            protocol.readInput(plain, 0, size);
            context.fireChannelRead(context.alloc().buffer(size).writeBytes(plain));
        }
    }

    private void fail(ChannelHandlerContext context, String why) {
        stopClock();
        SSLException failure = new SSLHandshakeException(why);
        if (isOver) {
            context.fireExceptionCaught(failure);
        } else {
            isOver = true;
            context.fireUserEventTriggered(new SslHandshakeCompletionEvent(failure));
        }
        context.close();
    }

    private void sendOutput(ChannelHandlerContext context) {
        if (protocol.getAvailableOutputBytes() > 0) {
            context.writeAndFlush(output(context), context.voidPromise());
        }
    }

    private ByteBuf output(ChannelHandlerContext context) {
        byte[] bytes = new byte[protocol.getAvailableOutputBytes()];
        protocol.readOutput(bytes, 0, bytes.length);
        return context.alloc().buffer(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    private void stopClock() {
        if (timeout != null) {
            timeout.cancel(false);
            timeout = null;
        }
    }

    private static String words(IOException failure) {
        if (failure instanceof TlsFatalAlertReceived theirs) {
            return "the client's alert was " + AlertDescription.getText(theirs.getAlertDescription());
        }
        if (failure instanceof TlsFatalAlert ours) {
            return switch (ours.getAlertDescription()) {
                case AlertDescription.bad_record_mac, AlertDescription.decrypt_error ->
                    "the client's pre-shared key is wrong, or its identity is unknown";
                case AlertDescription.handshake_failure ->
                    "no cipher suites in common"; // the log names those of the client
                default -> String.valueOf(ours.getMessage());
            };
        }
        return String.valueOf(failure.getMessage());
    }
}
