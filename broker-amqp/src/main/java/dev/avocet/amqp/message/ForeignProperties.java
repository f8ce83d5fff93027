package dev.avocet.amqp.message;

import dev.avocet.core.message.UserProperty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the user properties of a message of another protocol are to Jakarta Messaging: those headers that
 * {@link AmqpProperties#userProperties} makes user properties, and the application's own. Names may repeat there and
 * not here: the last one counts. One without a name is left out.
 */
final class ForeignProperties {
    /** Retained or not is said by the message itself. */
    static final String RETAIN = "JMS_IBM_Retain";

    static final String MESSAGE_ID = "JMSMessageID";
    static final String TIMESTAMP = "JMSTimestamp";
    static final String GROUP_ID = "JMSXGroupID";
    static final String GROUP_SEQUENCE = "JMSXGroupSeq";

    private static final long UINT_MAX = 0xFFFF_FFFFL;

    private static final ForeignProperties NONE = new ForeignProperties(List.of());

    private final Map<String, String> own = new LinkedHashMap<>();
    private final @Nullable MessageType type;
    private final @Nullable String messageId;
    private final @Nullable String groupId;
    private final long timestampWallMs;
    private final long groupSequence;

    static ForeignProperties of(List<UserProperty> properties) {
        return properties.isEmpty() ? NONE : new ForeignProperties(properties);
    }

    private ForeignProperties(List<UserProperty> properties) {
        for (UserProperty property : properties) {
            own.put(property.name(), property.value());
        }
        own.remove("");
        own.remove(RETAIN);
        type = MessageType.ofMark(own.remove(MessageType.PROPERTY));
        messageId = own.remove(MESSAGE_ID);
        groupId = own.remove(GROUP_ID);
        timestampWallMs = takeNumber(TIMESTAMP, Long.MAX_VALUE);
        groupSequence = takeNumber(GROUP_SEQUENCE, UINT_MAX);
    }

    private long takeNumber(String name, long most) {
        String text = own.get(name);
        if (text == null) {
            return -1;
        }
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= most) {
                own.remove(name);
                return number;
            }
            return -1;
        } catch (NumberFormatException e) {
            return -1; // it stays one of the application's own
        }
    }

    Map<String, String> own() {
        return own;
    }

    /** What the sender says that it is; null when that is not said. */
    @Nullable MessageType type() {
        return type;
    }

    @Nullable String messageId() {
        return messageId;
    }

    @Nullable String groupId() {
        return groupId;
    }

    /** Milliseconds since 1970; -1 for none. */
    long timestampWallMs() {
        return timestampWallMs;
    }

    /** -1 for none. */
    long groupSequence() {
        return groupSequence;
    }
}
