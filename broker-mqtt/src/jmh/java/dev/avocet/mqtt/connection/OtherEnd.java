package dev.avocet.mqtt.connection;

import dev.avocet.core.message.QualityOfService;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The client at the other end of a connection: takes what it is sent, and acknowledges it when it is told to. */
final class OtherEnd extends ChannelOutboundHandlerAdapter {
    private static final int PUBACK = 0x40020000;

    private final QualityOfService qos;
    private final int topicLength;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ByteBuf answers;
    private boolean begun;

    OtherEnd(QualityOfService qos, int topicLength) {
        this.qos = qos;
        this.topicLength = topicLength;
    }

    /** From now on it is sent nothing but messages. */
    void begin() {
        begun = true;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext itsContext) {
        context = itsContext;
    }

    @Override
    public void write(ChannelHandlerContext ignored, Object message, ChannelPromise promise) {
        ByteBuf bytes = (ByteBuf) message;
        if (begun && qos == QualityOfService.AT_LEAST_ONCE) {
            noteIdentifiers(bytes);
        }
        bytes.release();
    }

    @Override
    public void flush(ChannelHandlerContext ignored) {
        // there is nothing behind it
    }

    void acknowledge() {
        ByteBuf taken = answers;
        if (taken != null) {
            answers = null;
            Objects.requireNonNull(context).fireChannelRead(taken);
        }
    }

    private void noteIdentifiers(ByteBuf bytes) {
        ByteBuf to = answers;
        if (to == null) {
            to = answers = Objects.requireNonNull(context).alloc().directBuffer(64 << 10);
        }
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex()) {
            to.writeInt(PUBACK | bytes.getUnsignedShort(at + 4 + topicLength));
            at += 2 + bytes.getByte(at + 1);
        }
    }
}
