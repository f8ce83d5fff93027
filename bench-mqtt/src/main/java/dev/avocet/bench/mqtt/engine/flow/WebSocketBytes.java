package dev.avocet.bench.mqtt.engine.flow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;

/** Takes WebSocket frames off what comes, and puts them round what goes. */
public final class WebSocketBytes extends ChannelDuplexHandler {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof WebSocketFrame frame) {
            ctx.fireChannelRead(frame.content());
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        ctx.write(message instanceof ByteBuf bytes ? new BinaryWebSocketFrame(bytes) : message, promise);
    }
}
