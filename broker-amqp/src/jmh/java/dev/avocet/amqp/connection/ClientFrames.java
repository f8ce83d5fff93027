package dev.avocet.amqp.connection;

import dev.avocet.amqp.frame.Frame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Map;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.Encoder;
import org.apache.qpid.protonj2.types.Binary;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.messaging.Data;
import org.apache.qpid.protonj2.types.messaging.Header;
import org.apache.qpid.protonj2.types.messaging.MessageAnnotations;
import org.apache.qpid.protonj2.types.messaging.Properties;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.Attach;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.apache.qpid.protonj2.types.transport.Open;
import org.apache.qpid.protonj2.types.transport.Role;
import org.apache.qpid.protonj2.types.transport.Transfer;

/** What a JMS client sends. */
final class ClientFrames {
    private static final int BODY_BYTES = 256;
    /** Written in four bytes, so that it can be replaced where it lies. */
    static final int WIDE_IDENTIFIER = 1_000_000;

    private ClientFrames() {}

    static ByteBuf header() {
        return PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(Frame.header(0));
    }

    static ByteBuf open(String container) {
        return frames(new Open().setContainerId(container).setMaxFrameSize(128 << 10));
    }

    static ByteBuf begin() {
        return frames(new Begin()
                .setNextOutgoingId(0)
                .setIncomingWindow(Integer.MAX_VALUE)
                .setOutgoingWindow(Integer.MAX_VALUE));
    }

    static ByteBuf sender(String address, String capability) {
        return frames(new Attach()
                .setName("link")
                .setHandle(1)
                .setRole(Role.SENDER)
                .setInitialDeliveryCount(0)
                .setSource(new Source())
                .setTarget(new Target().setAddress(address).setCapabilities(Symbol.valueOf(capability))));
    }

    /** With all the credit that it will need. */
    static ByteBuf receiver(String address, String capability) {
        Attach attach = new Attach()
                .setName("link")
                .setHandle(1)
                .setRole(Role.RECEIVER)
                .setSource(new Source().setAddress(address).setCapabilities(Symbol.valueOf(capability)))
                .setTarget(new Target());
        Flow flow = new Flow()
                .setNextIncomingId(0)
                .setIncomingWindow(Integer.MAX_VALUE)
                .setNextOutgoingId(0)
                .setOutgoingWindow(Integer.MAX_VALUE)
                .setHandle(1)
                .setDeliveryCount(0)
                .setLinkCredit(Integer.MAX_VALUE);
        ByteBuf credit = frames(flow);
        ByteBuf all = frames(attach).writeBytes(credit);
        credit.release();
        return all;
    }

    static ByteBuf accepted(int first, int last) {
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.directBuffer(64);
        frame.writeInt(30).writeInt(0x0200_0000); // the preamble
        frame.writeMedium(0x005315).writeMedium(0xC01105); // disposition, a list of five fields in 17 bytes
        frame.writeByte(0x41).writeByte(0x70).writeInt(first).writeByte(0x70).writeInt(last);
        return frame.writeByte(0x41).writeInt(0x0053_2445); // settled, accepted
    }

    static ByteBuf transfer() {
        return frames(
                new Transfer()
                        .setHandle(1)
                        .setDeliveryId(WIDE_IDENTIFIER)
                        .setDeliveryTag(new byte[] {1})
                        .setMessageFormat(0),
                new Header().setDurable(false),
                new MessageAnnotations(Map.of(Symbol.valueOf("x-opt-jms-msg-type"), (byte) 3)),
                new Properties().setMessageId("ID:1-2-3-4").setCreationTime(1_790_000_000_000L),
                new Data(new Binary(new byte[BODY_BYTES])));
    }

    /** One frame: a performative and what it carries. */
    private static ByteBuf frames(Object... values) {
        ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate(512);
        Encoder encoder = CodecFactory.getDefaultEncoder();
        for (Object value : values) {
            encoder.writeObject(buffer, encoder.newEncoderState(), value);
        }
        byte[] bytes = new byte[buffer.getReadableBytes()];
        buffer.readBytes(bytes, 0, bytes.length);
        return PooledByteBufAllocator.DEFAULT
                .directBuffer()
                .writeInt(8 + bytes.length)
                .writeInt(0x0200_0000)
                .writeBytes(bytes);
    }
}
