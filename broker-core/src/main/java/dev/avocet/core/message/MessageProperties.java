package dev.avocet.core.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What travels with a payload besides its topic. A front end implements this over the bytes that it received, so that a
 * message which leaves by the protocol it came by is not taken apart; every other reader uses these accessors.
 *
 * <p>Immutable; any thread may read. The message's expiry is not among the properties: it is a deadline of the
 * {@link Message}.
 */
public interface MessageProperties {
    /** No property at all. */
    @SuppressWarnings("ClassInitializationDeadlock") // only this line ever touches the class
    MessageProperties NONE = new NoProperties();

    /** Where a publisher does not say how urgent a message is. */
    int DEFAULT_PRIORITY = 4;

    /** True when no property is present. */
    boolean isEmpty();

    /** True when the publisher declared the payload to be UTF-8 text. */
    boolean isPayloadText();

    /** The MIME type of the payload, or null. */
    @Nullable String contentType();

    /** Where a reply should be published, or null. */
    @Nullable String responseTopic();

    /** What the requester matches a reply by, or null. The caller must not change the array. */
    byte @Nullable [] correlationData();

    /** The application's own properties in their order; empty when there are none. */
    List<UserProperty> userProperties();

    /** Tells how {@link #encoded} is to be read; {@link PropertiesFormat#NONE} when there is no property. */
    int format();

    /**
     * The properties as the store keeps them; the {@link PropertiesFormat} of this number reads them back. Not to be
     * changed.
     */
    byte[] encoded();

    /**
     * What a property is called that everybody may ask for: a header in the words of Jakarta Messaging
     * ({@code JMSCorrelationID}, {@code JMSType}, {@code JMSMessageID}, {@code JMSTimestamp}, {@code JMSPriority},
     * {@code JMSDeliveryMode}), or one of the application's own.
     *
     * @return a String, Boolean, Byte, Short, Integer, Long, Float or Double; null when the message has no such
     *     property, or one of another type
     */
    default @Nullable Object property(String name) {
        return StandardProperties.of(this, name);
    }

    /** 0 to 9; queues deliver what is higher first. 4 where the publisher says nothing. */
    default int priority() {
        return DEFAULT_PRIORITY;
    }

    /**
     * False when the publisher allows that a crash loses the message, though it must wait for its consumer meanwhile.
     */
    default boolean isPersistent() {
        return true;
    }

    /**
     * When it may be delivered at the earliest, in milliseconds since 1970; 0 for at once. Queues and subscriptions
     * heed it.
     */
    default long deliverAtWallMs() {
        return 0;
    }

    /** Messages of one group go to one consumer of a queue, in order; null for none. */
    default @Nullable String groupId() {
        return null;
    }

    /**
     * What the message says, for a reader who does not know this {@linkplain #format() format}. Where a message is kept
     * bit for bit as a protocol encodes it, this takes the application's data out.
     *
     * @param body as of {@link Message#body}; not to be changed, and neither is the answer
     */
    default byte[] payloadOf(byte[] body) {
        return body;
    }

    /** What the properties occupy in memory, in bytes, for the accounting of buffered messages. */
    int sizeBytes();
}
