package dev.avocet.mqtt.buffer;

import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.LingeringClose;
import dev.avocet.core.metrics.Traffic;
import dev.avocet.mqtt.packet.PacketType;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.ReasonCode;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * What a connection has to send, gathered: everything that one batch of the loop produces for a client goes out in one
 * write and one flush. Larger amounts are written in between, so that the channel's water marks see them.
 *
 * <p>Owned by the connection's loop. A pooled buffer is held only between the first byte and the end of the batch.
 */
public final class OutputBuffer implements Runnable {
    private static final int WRITE_BYTES = 48 << 10;
    private static final int MIN_BUFFER_BYTES = 256;

    private final Channel channel;
    private final IoLoop loop;
    private final Traffic traffic;
    private final FrontEnd.Admission admission;
    private @Nullable ByteBuf pending;
    private @Nullable PacketTrace trace;
    private int expectedBytes = MIN_BUFFER_BYTES;
    private boolean scheduled;
    private int messages;

    /** Whether what is written now, and what is pending, needs no lease. */
    private boolean writesFreely;

    private boolean isPendingFree;

    public OutputBuffer(Channel channel, IoLoop loop, Traffic traffic, FrontEnd.Admission admission) {
        this.channel = channel;
        this.loop = loop;
        this.traffic = traffic;
        this.admission = admission;
    }

    /** What is written from now on tells nothing that another node of the pair could contradict, or may do so. */
    public void writesFreely(boolean freely) {
        writesFreely = freely;
    }

    /**
     * True while the client takes what it is sent. Control packets may be written all the same; messages should wait.
     */
    public boolean isWritable() {
        return channel.isWritable();
    }

    /** Appends bytes, which are copied. */
    public void write(byte[] bytes, int from, int length) {
        room(length).writeBytes(bytes, from, length);
        writeIfLarge();
    }

    /** True while several messages may come at once. */
    public boolean takesRuns() {
        return admission.sending().batches() && channel.isWritable();
    }

    /** Appends whole messages, of which there are that many; the bytes are copied. */
    public void writeMessages(byte[] bytes, int length, int ofMessages) {
        room(length).writeBytes(bytes, 0, length);
        messages += ofMessages;
        writeIfLarge();
    }

    /** Where all that is sent from now on is traced as well; null for nowhere. */
    public void trace(@Nullable PacketTrace packetTrace) {
        trace = packetTrace;
    }

    /** Where what is sent and received is traced; null for nowhere. */
    public @Nullable PacketTrace trace() {
        return trace;
    }

    /** Counts a message among those sent, which has been written completely. */
    public void countMessage() {
        messages++;
        if (!admission.sending().batches()) {
            flush();
        }
    }

    /** Appends a packet of four bytes: an acknowledgement without properties. */
    public void writeAcknowledgement(int header, int packetId) {
        room(4).writeInt(header << 24 | 2 << 16 | packetId);
        writeIfLarge();
    }

    /** Appends packets of four bytes, the first so many of these. */
    public void writeAcknowledgements(int header, int[] packetIds, int count) {
        ByteBuf bytes = room(4 * count);
        bytes.ensureWritable(4 * count);
        int at = bytes.writerIndex();
        for (int i = 0; i < count; i++) {
            bytes.setInt(at + 4 * i, header << 24 | 2 << 16 | packetIds[i]);
        }
        bytes.writerIndex(at + 4 * count);
        writeIfLarge();
    }

    /** Appends an acknowledgement: with its reason code where the version has one and it says more than success. */
    public void writeAcknowledgement(int header, int packetId, ReasonCode reason, ProtocolVersion version) {
        assert isReasonOf(header, reason) : reason + " is not a reason code of the packet that begins with " + header;
        if (reason == ReasonCode.SUCCESS || !version.hasProperties()) {
            writeAcknowledgement(header, packetId);
            return;
        }
        room(5).writeInt(header << 24 | 3 << 16 | packetId).writeByte(reason.number());
        writeIfLarge();
    }

    private static boolean isReasonOf(int header, ReasonCode reason) {
        PacketType type = PacketType.ofHeader(header);
        return type != null && reason.isAllowedIn(type);
    }

    /** The loop's batch has ended. */
    @Override
    public void run() {
        flush();
    }

    /** Sends what is pending now. */
    public void flush() {
        scheduled = false;
        ByteBuf bytes = pending;
        if (bytes != null) {
            expectedBytes = nextExpectation(bytes.readableBytes());
            send(bytes);
        }
    }

    /** Sends what is pending and closes the connection behind it. */
    public void flushAndClose() {
        flush();
        endTrace();
        LingeringClose.close(channel, loop);
    }

    /** Drops what is pending; the connection is gone. */
    public void release() {
        endTrace();
        if (pending != null) {
            pending.release();
            pending = null;
        }
    }

    private void endTrace() {
        if (trace != null) {
            trace.ended();
            trace = null;
        }
    }

    private ByteBuf room(int length) {
        ByteBuf bytes = pending;
        if (bytes != null && isPendingFree && !writesFreely) {
            if (admission.maySend()) {
                isPendingFree = false; // one write for both
            } else {
                send(bytes);
                bytes = null;
            }
        }
        if (bytes == null) {
            isPendingFree = writesFreely;
            bytes = pending = channel.alloc().directBuffer(Math.max(expectedBytes, length));
            if (!scheduled) {
                scheduled = true;
                loop.atBatchEnd(this);
            }
        }
        return bytes;
    }

    private void writeIfLarge() {
        ByteBuf bytes = pending;
        int writeBytes = Math.min(WRITE_BYTES, admission.sending().writeMaxBytes());
        if (bytes != null && bytes.readableBytes() >= writeBytes) {
            expectedBytes = writeBytes + (writeBytes >> 2);
            send(bytes);
        }
    }

    private void send(ByteBuf bytes) {
        pending = null;
        if (trace != null) {
            trace.sent(bytes);
        }
        traffic.sent(bytes.readableBytes(), messages);
        messages = 0;
        if (isPendingFree) {
            admission.sendFreely(() -> writeAndFlush(bytes));
        } else {
            writeAndFlush(bytes);
        }
    }

    private void writeAndFlush(ByteBuf bytes) {
        int mostBytes = admission.sending().writeMaxBytes();
        while (bytes.readableBytes() > mostBytes) {
            channel.writeAndFlush(bytes.readRetainedSlice(mostBytes), channel.voidPromise());
        }
        channel.writeAndFlush(bytes, channel.voidPromise());
    }

    /**
     * Follows growth at once and shrinks slowly, so that the next batch rarely has to copy itself into a larger buffer.
     */
    private int nextExpectation(int sentBytes) {
        int fitting = Math.max(MIN_BUFFER_BYTES, Integer.highestOneBit(Math.max(1, sentBytes - 1)) << 1);
        return fitting >= expectedBytes ? fitting : Math.max(fitting, expectedBytes - (expectedBytes >> 3));
    }
}
