package dev.avocet.core.store.entry;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.config.object.policy.RejectScope;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.Standing;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.session.Will;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of entries that {@link EntryWriter} wrote. Whatever the bytes are, it answers or throws a
 * {@link JournalException}. One owner; moves on with each call.
 */
public final class EntryReader {
    /** Options that one subscription has, or one message. */
    private static final int SPECIAL_OPTIONS =
            EntryFormat.OPTION_RETAINED | EntryFormat.OPTION_STANDING | EntryFormat.OPTION_OWN_WAY;

    private final RecordReader in;
    private final Formats formats;

    public EntryReader(RecordReader in, Formats formats) {
        this.in = in;
        this.formats = formats;
    }

    /** What it reads from, for parts that have no method here. */
    public RecordReader in() {
        return in;
    }

    /** A topic name. */
    public TopicName topic() throws JournalException {
        try {
            return TopicName.ofUtf8(in.readBytes());
        } catch (IllegalArgumentException e) {
            throw new JournalException("a stored topic name is not valid: " + e.getMessage());
        }
    }

    /** A text. */
    public String text() throws JournalException {
        return in.readText();
    }

    /** A text that may be missing. */
    public @Nullable String optionalText() throws JournalException {
        return in.readByte() == 0 ? null : in.readText();
    }

    /** A byte that says yes or no. */
    public boolean flag() throws JournalException {
        return in.readByte() != 0;
    }

    /** The options of a reference; null where they are those of the subscription. */
    public @Nullable DeliveryOptions options() throws JournalException {
        int flags = in.readByte();
        if (flags == EntryFormat.NO_OPTIONS) {
            return null;
        }
        int count = in.readVarInt();
        if (count > in.remaining()) {
            throw new JournalException(count + " subscription identifiers in " + in.remaining() + " bytes");
        }
        int[] identifiers = count == 0 ? DeliveryOptions.NO_IDENTIFIERS : new int[count];
        for (int i = 0; i < count; i++) {
            identifiers[i] = in.readVarInt();
        }
        boolean retainAsPublished = (flags & EntryFormat.OPTION_RETAIN_AS_PUBLISHED) != 0;
        if (count == 0 && (flags & SPECIAL_OPTIONS) == 0) {
            return DeliveryOptions.plain(qos(flags), retainAsPublished);
        }
        return new DeliveryOptions(
                qos(flags),
                retainAsPublished,
                (flags & EntryFormat.OPTION_RETAINED) != 0,
                identifiers,
                (flags & EntryFormat.OPTION_STANDING) != 0 ? standing() : null,
                (flags & EntryFormat.OPTION_OWN_WAY) != 0);
    }

    /** Passes over what {@link #options} would read, without making anything of it. */
    public void skipOptions() throws JournalException {
        int flags = in.readByte();
        if (flags == EntryFormat.NO_OPTIONS) {
            return;
        }
        for (int identifiers = in.readVarInt(); identifiers > 0; identifiers--) {
            in.readVarInt();
        }
        if ((flags & EntryFormat.OPTION_STANDING) != 0) {
            in.readVarInt();
            in.readVarInt();
            in.readVarLong();
            if (in.readVarInt() != 0) {
                in.skip(in.readVarInt());
                in.skip(in.readByte() == 0 ? 0 : in.readVarInt());
                in.readVarInt();
            }
        }
    }

    private Standing standing() throws JournalException {
        int priority = in.readVarInt();
        int deliveryCount = in.readVarInt();
        long notBeforeWallMs = in.readVarLong();
        int cause = in.readVarInt();
        if (priority > 9 || cause > DeadLetter.Cause.values().length) {
            throw new JournalException("no message has priority " + priority + " and ended for reason " + cause);
        }
        DeadLetter deadLetter = cause == 0 ? null : deadLetter(DeadLetter.Cause.values()[cause - 1]);
        return new Standing(priority, deliveryCount, notBeforeWallMs, deadLetter);
    }

    private DeadLetter deadLetter(DeadLetter.Cause cause) throws JournalException {
        String queue = text();
        String description = optionalText();
        return new DeadLetter(cause, queue, description, in.readVarInt());
    }

    /** Properties in the format that they name. */
    public MessageProperties properties() throws JournalException {
        int format = in.readByte();
        return format == PropertiesFormat.NONE ? MessageProperties.NONE : formats.decode(format, in.readBytes());
    }

    /** A will. */
    public Will will() throws JournalException {
        TopicName topic = topic();
        int flags = in.readByte();
        MessageProperties properties = properties();
        byte[] payload = in.readBytes();
        long delaySeconds = in.readVarLong();
        long expirySeconds = in.readVarLong() - 1;
        return new Will(topic, qos(flags), (flags & 4) != 0, payload, properties, delaySeconds, expirySeconds);
    }

    /** The limits of a queue, with the policy that they come from if it is still known. */
    public QueueLimits limits() throws JournalException {
        int maxMessages = in.readVarInt();
        long maxBufferedBytes = in.readVarLong();
        long maxStoredBytes = in.readVarLong();
        int behavior = in.readByte();
        int scope = in.readByte();
        if (behavior >= FullBehavior.values().length || scope >= RejectScope.values().length) {
            throw new JournalException("no queue behaves as " + behavior + " and " + scope);
        }
        ObjectKey policy = flag() ? policy() : null;
        try {
            return new QueueLimits(
                    maxMessages,
                    maxBufferedBytes,
                    maxStoredBytes,
                    FullBehavior.values()[behavior],
                    RejectScope.values()[scope],
                    policy);
        } catch (IllegalArgumentException e) {
            throw new JournalException("stored limits are not valid: " + e.getMessage());
        }
    }

    private @Nullable ObjectKey policy() throws JournalException {
        Optional<ObjectType> type = ObjectTypes.named(text());
        String name = text();
        return type.map(known -> known.keyOf(name)).orElse(null);
    }

    /** The messages that a subscription takes, by the flags of its entry. */
    public static QualityOfServiceFilter takes(int subscriptionFlags) throws JournalException {
        int number = subscriptionFlags >> EntryFormat.TAKES_SHIFT & EntryFormat.TAKES_MASK;
        if (number < 0 || number >= QualityOfServiceFilter.values().length) {
            throw new JournalException("no subscription takes messages of kind " + number);
        }
        return QualityOfServiceFilter.values()[number];
    }

    /** A quality of service out of the two lowest bits. */
    public static QualityOfService qos(int bits) throws JournalException {
        int level = bits & 3;
        if (level == 3) {
            throw new JournalException("there is no quality of service 3");
        }
        return QualityOfService.of(level);
    }
}
