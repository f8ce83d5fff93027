package dev.avocet.amqp.message;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.UserProperty;
import dev.avocet.core.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an AMQP message says before its body, bit for bit as it came: header, message annotations, properties,
 * application properties. Accessors search the bytes. Delivery annotations are not among it: they are for the next hop
 * only.
 */
public final class AmqpProperties implements MessageProperties {
    /** Object header and fields, array header, alignment. */
    private static final int OVERHEAD_BYTES = 64;
    /** A JMS application asks so for its message to be retained. */
    private static final byte[] RETAIN = ForeignProperties.RETAIN.getBytes(StandardCharsets.US_ASCII);
    /** Other protocols say these in their own way, or are told the broker's word. */
    private static final Set<String> ANNOUNCED_OTHERWISE = Set.of(ForeignProperties.RETAIN, MessageType.PROPERTY);

    private static final int MAX_PRIORITY = 9;

    private final byte[] head;
    private final Sections sections;
    private final boolean persistent;
    private final int priority;
    private final long deliverAtWallMs;

    /** @param arrival tells when it comes, to which a delivery delay is added; null when that has been heeded before */
    private AmqpProperties(byte[] head, Sections sections, @Nullable Clock arrival) {
        this.head = head;
        this.sections = sections;
        this.persistent = field(sections.header(), HeaderField.DURABLE) instanceof Boolean durable && durable;
        this.priority = (int) Math.min(
                MAX_PRIORITY,
                Values.number(head, at(sections.header(), HeaderField.PRIORITY), MessageProperties.DEFAULT_PRIORITY));
        this.deliverAtWallMs = deliverAt(arrival);
    }

    /** @param head as {@link #encoded} gave it; taken over */
    static AmqpProperties decode(byte[] head) throws AmqpException {
        return new AmqpProperties(head, Sections.of(head), null);
    }

    /** @param head of a message that comes; taken over */
    static AmqpProperties of(byte[] head, Sections sections, Clock arrival) {
        return new AmqpProperties(head, sections, arrival);
    }

    @Override
    public boolean isEmpty() {
        return false;
    }

    @Override
    public boolean isPayloadText() {
        MessageType type = type();
        return type == MessageType.TEXT || type == MessageType.MAP || type == MessageType.STREAM;
    }

    private @Nullable MessageType type() {
        return MessageType.ofAnnotation(annotation(JmsAnnotation.MESSAGE_TYPE));
    }

    /** JMSType, which an MQTT client calls the content type. */
    @Override
    public @Nullable String contentType() {
        String subject = text(PropertyField.SUBJECT);
        return subject == null ? text(PropertyField.CONTENT_TYPE) : subject;
    }

    @Override
    public @Nullable String responseTopic() {
        int kind = annotation(JmsAnnotation.REPLY_TO);
        String address = text(PropertyField.REPLY_TO);
        if (address == null || kind == JmsAnnotation.QUEUE || kind == JmsAnnotation.TEMPORARY_QUEUE) {
            return null;
        }
        Address parsed = Address.parse(address, kind);
        return parsed.kind() == JmsAnnotation.QUEUE ? null : parsed.name();
    }

    @Override
    public byte @Nullable [] correlationData() {
        Object id = property(PropertyField.CORRELATION_ID);
        if (id instanceof byte[] binary) {
            return binary;
        }
        return id == null ? null : id.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public List<UserProperty> userProperties() {
        List<UserProperty> found = new ArrayList<>();
        MessageType type = type();
        add(found, MessageType.PROPERTY, type == null ? null : type.mark());
        add(found, ForeignProperties.MESSAGE_ID, property(PropertyField.MESSAGE_ID));
        add(found, ForeignProperties.TIMESTAMP, property(PropertyField.CREATION_TIME));
        add(found, ForeignProperties.GROUP_ID, property(PropertyField.GROUP_ID));
        add(found, ForeignProperties.GROUP_SEQUENCE, property(PropertyField.GROUP_SEQUENCE));
        int map = sections.applicationProperties();
        int count = map < 0 ? 0 : Values.count(head, map);
        int key = count == 0 ? 0 : Values.firstElement(head, map);
        for (int i = 0; i + 1 < count; i += 2) {
            int value = Values.end(head, key);
            String name = String.valueOf(Values.text(head, key));
            if (!ANNOUNCED_OTHERWISE.contains(name)) {
                add(found, name, Values.value(head, value));
            }
            key = Values.end(head, value);
        }
        return List.copyOf(found);
    }

    private static void add(List<UserProperty> to, String name, @Nullable Object value) {
        if (value != null && !(value instanceof byte[])) {
            to.add(new UserProperty(name, value.toString()));
        }
    }

    @Override
    public @Nullable Object property(String name) {
        Object value = name.startsWith("JMS") ? header(name) : null;
        if (value == null) {
            int at = entry(sections.applicationProperties(), name.getBytes(StandardCharsets.UTF_8));
            value = at < 0 ? null : Values.value(head, at);
        }
        return value instanceof byte[] ? null : value;
    }

    private @Nullable Object header(String name) {
        return switch (name) {
            case "JMSMessageID" -> property(PropertyField.MESSAGE_ID);
            case "JMSCorrelationID" -> property(PropertyField.CORRELATION_ID);
            case "JMSType" -> property(PropertyField.SUBJECT);
            case "JMSTimestamp" -> property(PropertyField.CREATION_TIME);
            case "JMSPriority" -> priority;
            case "JMSDeliveryMode" -> persistent ? "PERSISTENT" : "NON_PERSISTENT";
            case "JMSXGroupID" -> property(PropertyField.GROUP_ID);
            case "JMSXGroupSeq" -> property(PropertyField.GROUP_SEQUENCE);
            default -> null;
        };
    }

    @Override
    public int priority() {
        return priority;
    }

    @Override
    public boolean isPersistent() {
        return persistent;
    }

    @Override
    public long deliverAtWallMs() {
        return deliverAtWallMs;
    }

    @Override
    public @Nullable String groupId() {
        return text(PropertyField.GROUP_ID);
    }

    @Override
    public byte[] payloadOf(byte[] body) {
        return Body.payload(body);
    }

    @Override
    public int format() {
        return AmqpFormat.NUMBER;
    }

    @Override
    public byte[] encoded() {
        return head;
    }

    @Override
    public int sizeBytes() {
        return OVERHEAD_BYTES + head.length;
    }

    Sections sections() {
        return sections;
    }

    /** Where the header ends, which a broker may change; 0 when there is none. */
    int headerTo() {
        return sections.headFrom();
    }

    /** The time to live that the header names, in milliseconds; -1 for none. */
    long timeToLiveMs() {
        return Values.number(head, at(sections.header(), HeaderField.TTL), -1);
    }

    /** When it expires by its properties, in milliseconds since 1970; 0 for never. */
    long absoluteExpiryWallMs() {
        return Values.number(head, at(sections.properties(), PropertyField.ABSOLUTE_EXPIRY_TIME), 0);
    }

    /** Where it goes when its link does not say that; null when nothing is said. */
    public @Nullable Address to() {
        String address = text(PropertyField.TO);
        return address == null ? null : Address.parse(address, annotation(JmsAnnotation.DESTINATION));
    }

    /** Who sent it, as the sender says; null when it does not. */
    public @Nullable String userId() {
        return property(PropertyField.USER_ID) instanceof byte[] name ? new String(name, StandardCharsets.UTF_8) : null;
    }

    /** Whether the sender asks for it to be retained on its topic. */
    public boolean isRetained() {
        int at = entry(sections.applicationProperties(), RETAIN);
        Object value = at < 0 ? null : Values.value(head, at);
        return Boolean.TRUE.equals(value) || (value instanceof Number number && number.intValue() == 1);
    }

    private long deliverAt(@Nullable Clock arrival) {
        int map = sections.messageAnnotations();
        if (map < 0) {
            return 0;
        }
        int count = Values.count(head, map);
        int delay = -1;
        int key = count == 0 ? 0 : Values.firstElement(head, map);
        for (int i = 0; i + 1 < count; i += 2) {
            int value = Values.end(head, key);
            if (Values.isText(head, key, JmsAnnotation.DELIVERY_TIME)) {
                return Math.max(0, Values.number(head, value, 0));
            }
            delay = delay < 0 && Values.isText(head, key, JmsAnnotation.DELIVERY_DELAY) ? value : delay;
            key = Values.end(head, value);
        }
        long delayMs = delay < 0 || arrival == null ? 0 : Math.max(0, Values.number(head, delay, 0));
        return delayMs == 0 || arrival == null ? 0 : arrival.wallTimeMs() + delayMs;
    }

    private int annotation(byte[] name) {
        return (int) Values.number(head, entry(sections.messageAnnotations(), name), JmsAnnotation.UNKNOWN);
    }

    /** Where the value of a key lies; -1 when there is none. */
    private int entry(int map, byte[] wanted) {
        int count = map < 0 ? 0 : Values.count(head, map);
        int key = count == 0 ? 0 : Values.firstElement(head, map);
        for (int i = 0; i + 1 < count; i += 2) {
            int value = Values.end(head, key);
            if (Values.isText(head, key, wanted)) {
                return value;
            }
            key = Values.end(head, value);
        }
        return -1;
    }

    private @Nullable Object property(int index) {
        return field(sections.properties(), index);
    }

    private @Nullable String text(int index) {
        return Values.text(head, at(sections.properties(), index));
    }

    private @Nullable Object field(int list, int index) {
        int at = at(list, index);
        return at < 0 ? null : Values.value(head, at);
    }

    private int at(int list, int index) {
        return list < 0 ? -1 : Values.field(head, list, index);
    }

    @Override
    public String toString() {
        return "AmqpProperties[" + head.length + " bytes]";
    }
}
