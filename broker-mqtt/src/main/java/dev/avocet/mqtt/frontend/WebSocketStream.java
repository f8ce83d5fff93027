package dev.avocet.mqtt.frontend;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.mqtt.connection.MqttConnections;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/**
 * Between the socket and the MQTT connection once the upgrade is done: the payload of incoming frames goes on as plain
 * bytes, and each write leaves as one binary frame. Ping, pong and close are dealt with here; the MQTT connection knows
 * nothing of WebSocket.
 *
 * <p>Owned by the channel's event loop.
 */
final class WebSocketStream extends ChannelDuplexHandler {
    private static final String BAD_FRAME = "WebSocket frame refused";
    private static final int MAX_HEADER_BYTES = 10;
    private static final int MAX_SHORT_LENGTH = 0xFFFF;

    private final MqttConnections connections;
    private final IoLoop loop;
    private final FrameReader reader;
    /** The last ping that came while the client took nothing; earlier ones need no answer (RFC 6455, 5.5.3). */
    private byte @Nullable [] unanswered;

    private boolean closeSent;

    WebSocketStream(MqttConnections connections, IoLoop loop, int maxFrameBytes) {
        this.connections = connections;
        this.loop = loop;
        this.reader = new FrameReader(maxFrameBytes, payload -> unanswered = payload);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (closeSent) {
            bytes.release();
            return;
        }
        BadFrameException bad = null;
        try {
            reader.read(bytes);
        } catch (BadFrameException e) {
            bad = e;
        }
        if (bytes.isReadable()) {
            context.fireChannelRead(bytes);
        } else {
            bytes.release();
        }
        answerPing(context);
        if (bad != null) {
            connections.noteRefused(context.channel(), loop, BAD_FRAME, bad.getMessage());
            close(context, bad.status().payload());
        } else if (reader.hasEnded()) {
            close(context, reader.closeAnswer());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        answerPing(context);
        context.fireChannelWritabilityChanged();
    }

    /** One frame for each write. The header is a buffer of its own, so the bytes behind it are not copied. */
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ByteBuf bytes = (ByteBuf) message;
        writeHeader(context, FrameHeader.BINARY, bytes.readableBytes());
        context.write(bytes, promise);
    }

    /** The MQTT connection, or another handler, ends it: the client is told in WebSocket's words, too. */
    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        sendClose(context, CloseStatus.NORMAL.payload());
        context.close(promise);
    }

    private void close(ChannelHandlerContext context, byte[] payload) {
        sendClose(context, payload);
        context.close();
    }

    private void sendClose(ChannelHandlerContext context, byte[] payload) {
        if (!closeSent && context.channel().isActive()) {
            writeControl(context, FrameHeader.CLOSE, payload);
            context.flush();
        }
        closeSent = true;
        unanswered = null;
    }

    private void answerPing(ChannelHandlerContext context) {
        byte[] ping = unanswered;
        if (ping != null && !closeSent && context.channel().isWritable()) {
            unanswered = null;
            writeControl(context, FrameHeader.PONG, ping);
            context.flush();
        }
    }

    private static void writeControl(ChannelHandlerContext context, int opcode, byte[] payload) {
        ByteBuf frame = writableHeader(context, opcode, payload.length).writeBytes(payload);
        context.write(frame, context.voidPromise());
    }

    private static void writeHeader(ChannelHandlerContext context, int opcode, int length) {
        context.write(writableHeader(context, opcode, length), context.voidPromise());
    }

    private static ByteBuf writableHeader(ChannelHandlerContext context, int opcode, int length) {
        ByteBuf header = context.alloc().directBuffer(MAX_HEADER_BYTES);
        header.writeByte(FrameHeader.FINAL_BIT | opcode);
        if (length < FrameHeader.LENGTH_2_BYTES) {
            header.writeByte(length);
        } else if (length <= MAX_SHORT_LENGTH) {
            header.writeByte(FrameHeader.LENGTH_2_BYTES).writeShort(length);
        } else {
            header.writeByte(FrameHeader.LENGTH_8_BYTES).writeLong(length);
        }
        return header;
    }
}
