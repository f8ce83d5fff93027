package dev.avocet.core.store;

import dev.avocet.core.config.object.QualityOfServiceFilter;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.message.Standing;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.QueueLimits;
import dev.avocet.core.session.Will;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries behind each other into a buffer. {@link EntryReader} reads them back; the two stand for the format.
 * One owner.
 */
final class EntryWriter {
    static final int PREFIX_BYTES = 5;
    /** What a message entry ends with: CRC32C of all that is before it in the entry. */
    static final int CHECKSUM_BYTES = 4;

    static final long NO_TRANSACTION = 0;

    /**
     * In place of a queue in a {@code MOVE} of a retained message: the reference is the position at which it lay
     * before. It moves only if it is its topic's retained message still.
     */
    static final long RETAINED_BEFORE = 0;

    static final int RETAIN_FLAG = 1;
    static final int RETAINED = 2;
    static final int EXPIRES = 4;
    static final int TRANSACTION = 8;
    static final int QOS_SHIFT = 4;
    static final int FOR_QUEUE = 64;

    static final int CONNECTED = 1;
    static final int HAS_USER = 2;

    static final int NO_LOCAL = 1;
    static final int TAKES_SHIFT = 1;
    static final int TAKES_MASK = 0x3F;
    static final int HAS_SELECTOR = 128;

    static final int OPTION_RETAIN_AS_PUBLISHED = 4;
    static final int OPTION_RETAINED = 8;
    static final int OPTION_STANDING = 16;
    static final int OPTION_OWN_WAY = 32;
    static final int NO_OPTIONS = 0xFF;

    private final CRC32C checksum = new CRC32C();
    private final RecordBuffer out;
    private int began;

    EntryWriter(RecordBuffer out) {
        this.out = out;
    }

    /** Begins an entry; {@link #end} must follow. Returns the offset of the entry in the buffer. */
    int begin(EntryKind kind) {
        began = out.length();
        out.putByte(kind.number());
        out.putInt(0);
        return began;
    }

    /** Completes the entry and returns its length, prefix included. */
    int end() {
        int bytes = out.length() - began;
        out.setInt(began + 1, bytes - PREFIX_BYTES);
        return bytes;
    }

    /** Completes a message entry, which bears a checksum because it may be read alone long after its record. */
    int endMessage() {
        int bytes = out.length() - began + CHECKSUM_BYTES;
        out.setInt(began + 1, bytes - PREFIX_BYTES);
        checksum.reset();
        checksum.update(out.array(), began, bytes - CHECKSUM_BYTES);
        out.putInt((int) checksum.getValue());
        return bytes;
    }

    /** The fixed part of a message entry; its targets follow, each by {@link #target}, then {@link #content}. */
    void messageHead(Message message, boolean retained, long transactionId, int targets, long expiryWallMs) {
        int flags = message.qos().level() << QOS_SHIFT
                | (message.retain() ? RETAIN_FLAG : 0)
                | (retained ? RETAINED : 0)
                | (message.expires() ? EXPIRES : 0)
                | (transactionId == NO_TRANSACTION ? 0 : TRANSACTION)
                | (message.isForQueue() ? FOR_QUEUE : 0);
        out.putByte(flags);
        if (transactionId != NO_TRANSACTION) {
            out.putVarLong(transactionId);
        }
        if (message.expires()) {
            out.putLong(expiryWallMs);
        }
        out.putVarLong(targets);
    }

    /** A queue that has a reference to the message, and the options of that reference. */
    void target(long queueId, long reference, @Nullable DeliveryOptions options) {
        out.putVarLong(queueId);
        out.putVarLong(reference);
        options(options);
    }

    /** All of an entry for a reference to a message that lies elsewhere. */
    void enqueue(
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
    void content(Message message) {
        out.putBytes(message.topic().utf8());
        putText(message.publisher().toString());
        properties(message.properties());
        out.putBytes(message.body());
    }

    /** The options of a reference; null where they are those of the subscription. */
    void options(@Nullable DeliveryOptions options) {
        if (options == null) {
            out.putByte(NO_OPTIONS);
            return;
        }
        out.putByte(options.qos().level()
                | (options.retainAsPublished() ? OPTION_RETAIN_AS_PUBLISHED : 0)
                | (options.retained() ? OPTION_RETAINED : 0)
                | (options.standing() == null ? 0 : OPTION_STANDING)
                | (options.ownWay() ? OPTION_OWN_WAY : 0));
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
    void topic(TopicName topic) {
        out.putBytes(topic.utf8());
    }

    /** A will. */
    void will(Will will) {
        topic(will.topic());
        out.putByte(will.qos().level() | (will.retain() ? 4 : 0));
        properties(will.properties());
        out.putBytes(will.payload());
        out.putVarLong(will.delaySeconds());
        out.putVarLong(will.messageExpirySeconds() + 1);
    }

    /** The limits of a queue, and the policy that they come from. */
    void limits(QueueLimits limits) {
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
    void optionalText(@Nullable String text) {
        out.putByte(text == null ? 0 : 1);
        if (text != null) {
            out.putText(text);
        }
    }

    void sessionFlags(boolean connected, boolean hasUser) {
        out.putByte((connected ? CONNECTED : 0) | (hasUser ? HAS_USER : 0));
    }

    void subscriptionFlags(boolean noLocal, QualityOfServiceFilter takes, boolean hasSelector) {
        out.putByte((noLocal ? NO_LOCAL : 0) | takes.ordinal() << TAKES_SHIFT | (hasSelector ? HAS_SELECTOR : 0));
    }

    /** A number that is not negative; small ones take few bytes. */
    void number(long value) {
        out.putVarLong(value);
    }

    /** A byte that says yes or no. */
    void flag(boolean value) {
        out.putByte(value ? 1 : 0);
    }

    /** Bytes, with their number before them. */
    void bytes(byte[] source, int offset, int length) {
        out.putBytes(source, offset, length);
    }

    /** Client identifiers are nearly always ASCII, which needs no array in between. */
    void putText(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                out.putBytes(text.getBytes(StandardCharsets.UTF_8));
                return;
            }
        }
        out.putAscii(text);
    }
}
