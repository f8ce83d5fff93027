package dev.avocet.jms.client.message;

import dev.avocet.jms.client.codec.AmqpWriter;
import dev.avocet.jms.client.codec.Clock;
import dev.avocet.jms.client.codec.MalformedAmqpException;
import dev.avocet.jms.client.message.section.Bodies;
import dev.avocet.jms.client.message.section.BodyType;
import dev.avocet.jms.client.message.section.Conversion;
import dev.avocet.jms.client.message.section.MessageHead;
import dev.avocet.jms.client.message.section.Section;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A message without a body, and what all messages have in common. A received one keeps its bytes and decodes its head
 * when it is asked.
 */
public class JmsMessage implements Message {
    private static final String DELIVERY_COUNT = "JMSXDeliveryCount";
    private static final String GROUP_ID = "JMSXGroupID";
    private static final String GROUP_SEQUENCE = "JMSXGroupSeq";
    private static final String USER_ID = "JMSXUserID";

    /** Null for a message of the application's. */
    final byte @Nullable [] raw;

    /** Where the body's first section begins in {@link #raw}. */
    final int bodyAt;

    private @Nullable MessageHead head;
    private @Nullable JmsDestination consumedFrom;
    private @Nullable Acknowledger acknowledger;
    private int localRedeliveries;
    private boolean propertiesReadOnly;
    private boolean bodyReadOnly;

    /** A new one. */
    public JmsMessage() {
        raw = null;
        bodyAt = 0;
        head = new MessageHead();
        head.durable = true;
    }

    /** One that has arrived. */
    JmsMessage(final byte[] raw, final int bodyAt) {
        this.raw = raw;
        this.bodyAt = bodyAt;
        propertiesReadOnly = true;
        bodyReadOnly = true;
    }

    /** @throws MessageFormatException when what came is not AMQP */
    final MessageHead head() throws MessageFormatException {
        MessageHead decoded = head;
        if (decoded == null) {
            decoded = decodeHead(raw == null ? new byte[0] : raw);
            head = decoded;
        }
        return decoded;
    }

    private static MessageHead decodeHead(final byte[] sections) throws MessageFormatException {
        try {
            return MessageHead.decode(sections);
        } catch (final MalformedAmqpException e) {
            throw Bodies.refused(e);
        }
    }

    /** Says where it came from and what acknowledges it. */
    public final void received(final JmsDestination from, final @Nullable Acknowledger by) {
        consumedFrom = from;
        acknowledger = by;
    }

    /** The session gives it to the application once more without the server's doing. */
    public final void redeliver() {
        localRedeliveries++;
    }

    /** The number in x-opt-jms-msg-type. */
    int typeCode() {
        return BodyType.MESSAGE.ordinal();
    }

    @Nullable String contentType() {
        return null;
    }

    void writeBody(final AmqpWriter writer) throws JMSException {
        writer.writeSection(Section.VALUE);
        writer.writeNull();
    }

    /**
     * Called before the message goes out: what was written becomes readable, as the specification wants of bytes and
     * streams.
     */
    public void onSend() throws JMSException {}

    final void checkBodyWritable() throws JMSException {
        if (bodyReadOnly) {
            throw new MessageNotWriteableException("the body is read-only; clearBody() makes it writable");
        }
    }

    final void checkBodyReadable() throws JMSException {
        if (!bodyReadOnly) {
            throw new MessageNotReadableException("the body is write-only; reset() makes it readable");
        }
    }

    final void bodyReadOnly(final boolean readOnly) {
        bodyReadOnly = readOnly;
    }

    final boolean isBodyReadOnly() {
        return bodyReadOnly;
    }

    @Override
    public final @Nullable String getJMSMessageID() throws JMSException {
        return MessageId.messageIdToJms(head().messageId);
    }

    @Override
    public final void setJMSMessageID(final @Nullable String id) throws JMSException {
        head().messageId = MessageId.toWire(id);
    }

    @Override
    public final long getJMSTimestamp() throws JMSException {
        return head().creationMs;
    }

    @Override
    public final void setJMSTimestamp(final long timestamp) throws JMSException {
        head().creationMs = timestamp;
    }

    @Override
    public final byte @Nullable [] getJMSCorrelationIDAsBytes() throws JMSException {
        final Object id = head().correlationId;
        if (id instanceof final byte[] bytes) {
            return bytes.clone();
        }
        final String string = getJMSCorrelationID();
        return string == null ? null : string.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public final void setJMSCorrelationIDAsBytes(final byte @Nullable [] correlationId) throws JMSException {
        head().correlationId = correlationId == null ? null : correlationId.clone();
    }

    @Override
    public final void setJMSCorrelationID(final @Nullable String correlationId) throws JMSException {
        head().correlationId = MessageId.toWire(correlationId);
    }

    @Override
    public final @Nullable String getJMSCorrelationID() throws JMSException {
        return MessageId.correlationIdToJms(head().correlationId);
    }

    @Override
    public final @Nullable Destination getJMSReplyTo() throws JMSException {
        final MessageHead decoded = head();
        if (decoded.replyToDestination == null && decoded.replyTo != null) {
            decoded.replyToDestination =
                    JmsDestination.of(DestinationKind.of(decoded.replyToKind, fallbackKind()), decoded.replyTo);
        }
        return decoded.replyToDestination;
    }

    @Override
    public final void setJMSReplyTo(final @Nullable Destination destination) throws JMSException {
        final JmsDestination ours = JmsDestination.from(destination);
        head().replyToDestination = destination;
        head().replyTo = ours == null ? null : ours.name();
        head().replyToKind = ours == null ? -1 : ours.kind().ordinal();
    }

    @Override
    public final @Nullable Destination getJMSDestination() throws JMSException {
        final MessageHead decoded = head();
        if (decoded.destination == null && raw != null) {
            final String to = decoded.to;
            decoded.destination = to == null
                    ? consumedFrom
                    : JmsDestination.of(DestinationKind.of(decoded.toKind, fallbackKind()), to);
        }
        return decoded.destination;
    }

    private DestinationKind fallbackKind() {
        return consumedFrom == null ? DestinationKind.QUEUE : consumedFrom.kind();
    }

    @Override
    public final void setJMSDestination(final @Nullable Destination destination) throws JMSException {
        final JmsDestination ours = JmsDestination.from(destination);
        head().destination = destination;
        head().to = ours == null ? null : ours.name();
        head().toKind = ours == null ? -1 : ours.kind().ordinal();
    }

    @Override
    public final int getJMSDeliveryMode() throws JMSException {
        return head().durable ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
    }

    @Override
    public final void setJMSDeliveryMode(final int deliveryMode) throws JMSException {
        if (deliveryMode != DeliveryMode.PERSISTENT && deliveryMode != DeliveryMode.NON_PERSISTENT) {
            throw new JMSException("the delivery mode " + deliveryMode + " is neither PERSISTENT nor NON_PERSISTENT");
        }
        head().durable = deliveryMode == DeliveryMode.PERSISTENT;
    }

    @Override
    public final boolean getJMSRedelivered() throws JMSException {
        return localRedeliveries > 0 || head().deliveryCount > 0;
    }

    @Override
    public final void setJMSRedelivered(final boolean redelivered) throws JMSException {
        localRedeliveries = 0;
        head().deliveryCount = redelivered ? Math.max(1, head().deliveryCount) : 0;
    }

    @Override
    public final @Nullable String getJMSType() throws JMSException {
        return head().subject;
    }

    @Override
    public final void setJMSType(final @Nullable String type) throws JMSException {
        head().subject = type;
    }

    /** From absolute-expiry-time; from the time to live where a sender gave only that. */
    @Override
    public final long getJMSExpiration() throws JMSException {
        final MessageHead decoded = head();
        if (decoded.expirationMs < 0) {
            final boolean absolute = decoded.absoluteExpiryMs != 0 || decoded.timeToLiveMs < 0;
            decoded.expirationMs = absolute ? decoded.absoluteExpiryMs : Clock.wallMs() + decoded.timeToLiveMs;
        }
        return decoded.expirationMs;
    }

    @Override
    public final void setJMSExpiration(final long expiration) throws JMSException {
        head().expirationMs = expiration;
        head().absoluteExpiryMs = expiration;
    }

    @Override
    public final long getJMSDeliveryTime() throws JMSException {
        return head().deliveryTimeMs != 0 ? head().deliveryTimeMs : head().creationMs;
    }

    @Override
    public final void setJMSDeliveryTime(final long deliveryTime) throws JMSException {
        head().deliveryTimeMs = deliveryTime;
    }

    @Override
    public final int getJMSPriority() throws JMSException {
        return head().priority;
    }

    @Override
    public final void setJMSPriority(final int priority) throws JMSException {
        if (priority < 0 || priority > 9) {
            throw new JMSException("the priority " + priority + " is not from 0 to 9");
        }
        head().priority = priority;
    }

    @Override
    public final void clearProperties() throws JMSException {
        final MessageHead cleared = head();
        cleared.properties = Collections.emptyMap();
        cleared.groupId = null;
        cleared.groupSequence = null;
        cleared.userId = null;
        propertiesReadOnly = false;
    }

    @Override
    public final boolean propertyExists(final String name) throws JMSException {
        return switch (name) {
            case DELIVERY_COUNT, GROUP_ID, GROUP_SEQUENCE, USER_ID -> property(name) != null;
            default -> head().properties.containsKey(name);
        };
    }

    private @Nullable Object property(final @Nullable String name) throws JMSException {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a property needs a name");
        }
        return switch (name) {
            case DELIVERY_COUNT -> raw == null ? null : deliveryCount();
            case GROUP_ID -> head().groupId;
            case GROUP_SEQUENCE -> groupSequence();
            case USER_ID -> userId();
            default -> MessageHead.asJms(head().properties.get(name));
        };
    }

    private int deliveryCount() throws JMSException {
        return (int) Math.min(Integer.MAX_VALUE, head().deliveryCount + 1 + localRedeliveries);
    }

    private @Nullable Integer groupSequence() throws JMSException {
        final Long sequence = head().groupSequence;
        return sequence == null ? null : (Integer) sequence.intValue();
    }

    private @Nullable String userId() throws JMSException {
        final byte[] id = head().userId;
        return id == null ? null : new String(id, StandardCharsets.UTF_8);
    }

    @Override
    public final boolean getBooleanProperty(final String name) throws JMSException {
        return Conversion.toBoolean(property(name));
    }

    @Override
    public final byte getByteProperty(final String name) throws JMSException {
        return Conversion.toByte(property(name));
    }

    @Override
    public final short getShortProperty(final String name) throws JMSException {
        return Conversion.toShort(property(name));
    }

    @Override
    public final int getIntProperty(final String name) throws JMSException {
        return Conversion.toInt(property(name));
    }

    @Override
    public final long getLongProperty(final String name) throws JMSException {
        return Conversion.toLong(property(name));
    }

    @Override
    public final float getFloatProperty(final String name) throws JMSException {
        return Conversion.toFloat(property(name));
    }

    @Override
    public final double getDoubleProperty(final String name) throws JMSException {
        return Conversion.toDouble(property(name));
    }

    @Override
    public final @Nullable String getStringProperty(final String name) throws JMSException {
        return Conversion.asString(property(name));
    }

    @Override
    public final @Nullable Object getObjectProperty(final String name) throws JMSException {
        return property(name);
    }

    @Override
    public final Enumeration<String> getPropertyNames() throws JMSException {
        final Set<String> names = new LinkedHashSet<>(head().properties.keySet());
        for (final String name : new String[] {DELIVERY_COUNT, GROUP_ID, GROUP_SEQUENCE, USER_ID}) {
            if (propertyExists(name)) {
                names.add(name);
            }
        }
        return Collections.enumeration(names);
    }

    @Override
    public final void setBooleanProperty(final String name, final boolean value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setByteProperty(final String name, final byte value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setShortProperty(final String name, final short value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setIntProperty(final String name, final int value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setLongProperty(final String name, final long value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setFloatProperty(final String name, final float value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setDoubleProperty(final String name, final double value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setStringProperty(final String name, final @Nullable String value) throws JMSException {
        setObjectProperty(name, value);
    }

    @Override
    public final void setObjectProperty(final String name, final @Nullable Object value) throws JMSException {
        PropertyName.check(name);
        if (propertiesReadOnly) {
            throw new MessageNotWriteableException(
                    "the properties are read-only; clearProperties() makes them writable");
        }
        if (!Conversion.isPropertyType(value)) {
            throw new MessageFormatException("the property " + name + " cannot be a "
                    + (value == null ? "null" : value.getClass().getName())
                    + "; only primitives, their wrappers and String can");
        }
        switch (name) {
            case DELIVERY_COUNT -> throw new JMSException("JMSXDeliveryCount is set by the provider");
            case GROUP_ID -> head().groupId = Conversion.asString(value);
            case GROUP_SEQUENCE -> head().groupSequence = value == null ? null : (Long) Conversion.toLong(value);
            case USER_ID ->
                head().userId = value == null ? null : String.valueOf(value).getBytes(StandardCharsets.UTF_8);
            default -> head().putProperty(name, value);
        }
    }

    @Override
    public final void acknowledge() throws JMSException {
        if (acknowledger != null) {
            acknowledger.acknowledge();
        }
    }

    @Override
    public void clearBody() throws JMSException {
        bodyReadOnly = false;
    }

    @Override
    public final <T> @Nullable T getBody(final Class<T> type) throws JMSException {
        if (!isBodyAssignableTo(type)) {
            throw new MessageFormatException(
                    "the body of this " + getClass().getSimpleName() + " is not a " + type.getName());
        }
        final Object body = body();
        return body == null ? null : type.cast(body);
    }

    @Override
    public boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") final Class type) throws JMSException {
        return true;
    }

    /** Whether receiveBody can give it in that type, section 8.6. */
    public final boolean hasBodyOf(final Class<?> type) throws JMSException {
        return getClass() != JmsMessage.class && isBodyAssignableTo(type);
    }

    /** The body as {@link #getBody} gives it; null: there is none. */
    @Nullable Object body() throws JMSException {
        return null;
    }
}
