package dev.avocet.core.store.entry;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.message.Standing;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.session.Will;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries behind each other into a buffer. {@link EntryReader} reads them back; the two stand for the format.
 * One owner.
 */
public final class EntryWriter {
    private final CRC32C checksum = new CRC32C();
    private final RecordBuffer out;
    private int began;

    public EntryWriter(RecordBuffer out) {
        this.out = out;
    }

    /** Begins an entry; {@link #end} must follow. Returns the offset of the entry in the buffer. */
    public int begin(EntryKind kind) {
        began = out.length();
        out.putByte(kind.number());
        out.putInt(0);
        return began;
    }

    /** Completes the entry and returns its length, prefix included. */
    public int end() {
        int bytes = out.length() - began;
        out.setInt(began + 1, bytes - EntryFormat.PREFIX_BYTES);
        return bytes;
    }

    /** Completes a message entry, which bears a checksum because it may be read alone long after its record. */
    public int endMessage() {
        int bytes = out.length() - began + EntryFormat.CHECKSUM_BYTES;
        out.setInt(began + 1, bytes - EntryFormat.PREFIX_BYTES);
        checksum.reset();
        checksum.update(out.array(), began, bytes - EntryFormat.CHECKSUM_BYTES);
        out.putInt((int) checksum.getValue());
        return bytes;
    }

    /** The fixed part of a message entry; its targets follow, each by {@link #target}, then {@link #content}. */
    public void messageHead(Message message, boolean retained, long transactionId, int targets, long expiryWallMs) {
        int flags = message.qos().level() << EntryFormat.QOS_SHIFT
                | (message.retain() ? EntryFormat.RETAIN_FLAG : 0)
                | (retained ? EntryFormat.RETAINED : 0)
                | (message.expires() ? EntryFormat.EXPIRES : 0)
                | (transactionId == EntryFormat.NO_TRANSACTION ? 0 : EntryFormat.TRANSACTION)
                | (message.isForQueue() ? EntryFormat.FOR_QUEUE : 0);
        out.putByte(flags);
        if (transactionId != EntryFormat.NO_TRANSACTION) {
            out.putVarLong(transactionId);
        }
        if (message.expires()) {
            out.putLong(expiryWallMs);
        }
        out.putVarLong(targets);
    }

    /** A queue that has a reference to the message, and the options of that reference. */
    public void target(long queueId, long reference, @Nullable DeliveryOptions options) {
        out.putVarLong(queueId);
        out.putVarLong(reference);
        options(options);
    }

    /** All of an entry for a reference to a message that lies elsewhere. */
    public void enqueue(
            long queueId,
            long reference,
            @Nullable DeliveryOptions options,
            long position,
            int storedBytes,
            boolean expires,
            long expiryWallMs) {
        target(queueId, reference, options);
        out.putLong(position);
        out.putVarLong(storedBytes);
        flag(expires);
        if (expires) {
            out.putLong(expiryWallMs);
        }
    }

    /** Topic, publisher, properties and body of a message. */
    public void content(Message message) {
        out.putBytes(message.topic().utf8());
        putText(message.publisher().toString());
        properties(message.properties());
        out.putBytes(message.body());
    }

    /** The options of a reference; null where they are those of the subscription. */
    public void options(@Nullable DeliveryOptions options) {
        if (options == null) {
            out.putByte(EntryFormat.NO_OPTIONS);
            return;
        }
        out.putByte(options.qos().level()
                | (options.retainAsPublished() ? EntryFormat.OPTION_RETAIN_AS_PUBLISHED : 0)
                | (options.retained() ? EntryFormat.OPTION_RETAINED : 0)
                | (options.standing() == null ? 0 : EntryFormat.OPTION_STANDING)
                | (options.ownWay() ? EntryFormat.OPTION_OWN_WAY : 0));
        out.putVarLong(options.subscriptionIdentifiers().length);
        for (int identifier : options.subscriptionIdentifiers()) {
            out.putVarLong(identifier);
        }
        if (options.standing() != null) {
            standing(options.standing());
        }
    }

    private void standing(Standing standing) {
        out.putVarLong(standing.priority());
        out.putVarLong(standing.deliveryCount());
        out.putVarLong(standing.notBeforeWallMs());
        DeadLetter deadLetter = standing.deadLetter();
        out.putVarLong(deadLetter == null ? 0 : deadLetter.cause().ordinal() + 1);
        if (deadLetter != null) {
            putText(deadLetter.queue());
            optionalText(deadLetter.description());
            out.putVarLong(deadLetter.deliveryCount());
        }
    }

    /** Properties, with the number of their format. */
    void properties(MessageProperties properties) {
        out.putByte(properties.format());
        if (properties.format() != PropertiesFormat.NONE) {
            out.putBytes(properties.encoded());
        }
    }

    /** A topic name. */
    public void topic(TopicName topic) {
        out.putBytes(topic.utf8());
    }

    /** A will. */
    public void will(Will will) {
        topic(will.topic());
        out.putByte(will.qos().level() | (will.retain() ? 4 : 0));
        properties(will.properties());
        out.putBytes(will.payload());
        out.putVarLong(will.delaySeconds());
        out.putVarLong(will.messageExpirySeconds() + 1);
    }

    /** The limits of a queue, and the policy that they come from. */
    public void limits(QueueLimits limits) {
        out.putVarLong(limits.maxMessages());
        out.putVarLong(limits.maxBufferedBytes());
        out.putVarLong(limits.maxStoredBytes());
        out.putByte(limits.behavior().ordinal());
        out.putByte(limits.rejectScope().ordinal());
        ObjectKey policy = limits.policy();
        out.putByte(policy == null ? 0 : 1);
        if (policy != null) {
            out.putText(policy.type().name());
            out.putText(policy.name());
        }
    }

    /** A text that may be missing. */
    public void optionalText(@Nullable String text) {
        out.putByte(text == null ? 0 : 1);
        if (text != null) {
            out.putText(text);
        }
    }

    void sessionFlags(boolean connected, boolean hasUser) {
        out.putByte((connected ? EntryFormat.CONNECTED : 0) | (hasUser ? EntryFormat.HAS_USER : 0));
    }

    void subscriptionFlags(boolean noLocal, QualityOfServiceFilter takes, boolean hasSelector) {
        out.putByte((noLocal ? EntryFormat.NO_LOCAL : 0)
                | takes.ordinal() << EntryFormat.TAKES_SHIFT
                | (hasSelector ? EntryFormat.HAS_SELECTOR : 0));
    }

    /** A number that is not negative; small ones take few bytes. */
    public void number(long value) {
        out.putVarLong(value);
    }

    /** A byte that says yes or no. */
    public void flag(boolean value) {
        out.putByte(value ? 1 : 0);
    }

    /** Bytes, with their number before them. */
    public void bytes(byte[] source, int offset, int length) {
        out.putBytes(source, offset, length);
    }

    /** Client identifiers are nearly always ASCII, which needs no array in between. */
    public void putText(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                out.putBytes(text.getBytes(StandardCharsets.UTF_8));
                return;
            }
        }
        out.putAscii(text);
    }
}
