package dev.avocet.core.store.entry;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.time.Clock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The fixed part of a message entry (kinds {@code MESSAGE} and {@code MOVE}); what follows it is read by its methods,
 * in their order: {@link #readTarget} as often as there are targets, then {@link #readMessage}.
 *
 * @param expiryWallMs when it expires, in milliseconds since 1970; meaningless unless {@code expires}
 * @param targets how many queues have references to it
 */
public record MessageEntry(
        QualityOfService qos,
        boolean retainFlag,
        boolean retained,
        boolean expires,
        boolean forQueue,
        long transactionId,
        long expiryWallMs,
        int targets) {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Reads the head; the reader stands behind the entry's prefix. */
    public static MessageEntry readHead(RecordReader in) throws JournalException {
        int flags = in.readByte();
        boolean expires = (flags & EntryFormat.EXPIRES) != 0;
        long transactionId = (flags & EntryFormat.TRANSACTION) != 0 ? in.readVarLong() : EntryFormat.NO_TRANSACTION;
        long expiryWallMs = expires ? in.readLong() : 0;
        int targets = in.readVarInt();
        return new MessageEntry(
                EntryReader.qos(flags >> EntryFormat.QOS_SHIFT),
                (flags & EntryFormat.RETAIN_FLAG) != 0,
                (flags & EntryFormat.RETAINED) != 0,
                expires,
                (flags & EntryFormat.FOR_QUEUE) != 0,
                transactionId,
                expiryWallMs,
                targets);
    }

    /** Whether these bytes are the whole of a message entry as it was written. */
    public static boolean isWhole(byte[] bytes, int from, int length, CRC32C checksum) {
        int covered = length - EntryFormat.CHECKSUM_BYTES;
        if (covered < EntryFormat.PREFIX_BYTES) {
            return false;
        }
        checksum.reset();
        checksum.update(bytes, from, covered);
        return (int) INT.get(bytes, from + covered) == (int) checksum.getValue();
    }

    /**
     * The deadline on the scale of the clock's {@code nanoTime}, so that it does not matter how long the broker was
     * down.
     */
    long expiryDeadlineNs(Clock clock) {
        return expires ? deadlineNs(expiryWallMs, clock) : Message.NEVER;
    }

    /** The deadline of a wall time, on the scale of the clock's {@code nanoTime}. */
    public static long deadlineNs(long wallMs, Clock clock) {
        return clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wallMs - clock.wallTimeMs());
    }

    /** The wall time of a deadline, for writing it. */
    public static long wallMs(long deadlineNs, Clock clock) {
        return clock.wallTimeMs() + TimeUnit.NANOSECONDS.toMillis(deadlineNs - clock.nanoTime());
    }

    /** The message itself, behind its targets. */
    public Message readMessage(EntryReader in, Clock clock) throws JournalException {
        TopicName topic = in.topic();
        String publisher = in.text();
        MessageProperties properties = in.properties();
        byte[] payload = in.in().readBytes();
        return new Message(topic, forQueue, qos, retainFlag, payload, properties, expiryDeadlineNs(clock), publisher);
    }

    /** The next target. */
    public static Target readTarget(EntryReader in) throws JournalException {
        return new Target(in.in().readVarLong(), in.in().readVarLong(), in.options());
    }

    /** A reference of a queue to the message. */
    public record Target(
            long queueId, long reference, @Nullable DeliveryOptions options) {}
}
