package dev.avocet.core.endpoint;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import javax.net.ssl.SSLException;

/**
 * Behind the TLS handler of each connection: a record that cannot be decrypted is the peer's fault like a reset, so
 * those behind hear of it as of a reset, by an {@link java.io.IOException}.
 */
@Sharable
final class TlsFailures extends ChannelInboundHandlerAdapter {
    static final TlsFailures SHARED = new TlsFailures();

    private TlsFailures() {}

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean fromTls = cause instanceof DecoderException && cause.getCause() instanceof SSLException;
        context.fireExceptionCaught(fromTls ? cause.getCause() : cause);
    }
}
