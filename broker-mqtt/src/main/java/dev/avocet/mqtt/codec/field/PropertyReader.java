package dev.avocet.mqtt.codec.field;

import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.UserProperty;
import dev.avocet.mqtt.packet.ReasonCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks over a property section and checks everything that can be said of a property alone: that it is known and
 * allowed (section 2.2.2.2), not repeated, complete, well-formed and in range. Reusable; one thread at a time.
 */
public final class PropertyReader {
    private byte[] buf = {};
    private int from;
    private int position;
    private int limit;
    private int scope;
    private String owner = "";
    private long seen;

    private Property property = Property.USER_PROPERTY;
    private int entryFrom;
    private int nameFrom;
    private int nameTo;
    private int valueFrom;
    private int valueTo;
    private long number;

    /**
     * @param newScope {@link Property#WILL} or the mask of a packet type
     * @param newOwner what messages begin with
     */
    public void open(byte[] newBuf, int newFrom, int to, int newScope, String newOwner) {
        buf = newBuf;
        from = newFrom;
        position = newFrom;
        limit = to;
        scope = newScope;
        owner = newOwner;
        seen = 0;
    }

    /** Goes to the next property; false at the end. */
    public boolean next() throws MalformedPacketException {
        if (position >= limit) {
            return false;
        }
        entryFrom = position;
        Property found = Property.of(buf[position++]);
        if (found == null || !found.isAllowedIn(scope)) {
            int id = buf[entryFrom] & 0xFF;
            throw MalformedPacketException.malformed(owner + ": property " + id + " is not allowed here");
        }
        property = found;
        long bit = 1L << found.id();
        if ((seen & bit) != 0 && !found.isRepeatableIn(scope)) {
            throw MalformedPacketException.protocolError(owner + ": " + found + " occurs more than once");
        }
        seen |= bit;
        readValue();
        return true;
    }

    private void readValue() throws MalformedPacketException {
        switch (property.type()) {
            case FLAG -> readNumber(1);
            case TWO_BYTE -> readNumber(2);
            case FOUR_BYTE -> readNumber(4);
            case VAR_INT -> readVarInt();
            case UTF8 -> readText();
            case BINARY -> readBlock();
            case UTF8_PAIR -> {
                readText(); // both texts [MQTT-1.5.7-1]
                nameFrom = valueFrom;
                nameTo = valueTo;
                readText();
            }
        }
    }

    private void readNumber(int bytes) throws MalformedPacketException {
        number = unsigned(bytes);
        if (property.type() == PropertyType.FLAG && number > 1) {
            throw MalformedPacketException.protocolError(owner + ": " + property + " is neither 0 nor 1");
        }
        checkPositive();
    }

    private long unsigned(int bytes) throws MalformedPacketException {
        if (limit - position < bytes) {
            throw truncated();
        }
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | (buf[position++] & 0xFF);
        }
        return value;
    }

    private void readVarInt() throws MalformedPacketException {
        long decoded = VarInt.decode(buf, position, limit);
        if (decoded < 0) {
            throw truncated();
        }
        number = VarInt.value(decoded);
        position += VarInt.length(decoded);
        checkPositive();
    }

    private void checkPositive() throws MalformedPacketException {
        if (number == 0 && property.isPositive()) {
            // [MQTT-3.3.2-8]
            ReasonCode reason =
                    property == Property.TOPIC_ALIAS ? ReasonCode.TOPIC_ALIAS_INVALID : ReasonCode.PROTOCOL_ERROR;
            throw new MalformedPacketException(reason, owner + ": " + property + " is 0");
        }
    }

    private void readBlock() throws MalformedPacketException {
        int length = (int) unsigned(2);
        if (limit - position < length) {
            throw truncated();
        }
        valueFrom = position;
        valueTo = position + length;
        position = valueTo;
    }

    private void readText() throws MalformedPacketException {
        readBlock();
        if (!Utf8.isMqttString(buf, valueFrom, valueTo - valueFrom)) {
            throw MalformedPacketException.malformed(
                    owner + ": " + property + " is not well-formed UTF-8 [MQTT-1.5.4-1] [MQTT-1.5.4-2]");
        }
    }

    private MalformedPacketException truncated() {
        return MalformedPacketException.malformed(owner + ": " + property + " goes beyond the properties");
    }

    public Property property() {
        return property;
    }

    /** The value of a number. */
    public long number() {
        return number;
    }

    /** The value of a flag. */
    public boolean flag() {
        return number == 1;
    }

    public String text() {
        return new String(buf, valueFrom, valueTo - valueFrom, StandardCharsets.UTF_8);
    }

    public byte[] binary() {
        return Arrays.copyOfRange(buf, valueFrom, valueTo);
    }

    public UserProperty userProperty() {
        return new UserProperty(new String(buf, nameFrom, nameTo - nameFrom, StandardCharsets.UTF_8), text());
    }

    /** Where the value of a text begins in the buffer. */
    public int valueOffset() {
        return valueFrom;
    }

    /** The bytes of the value of a text. */
    public int valueLength() {
        return valueTo - valueFrom;
    }

    /** Refuses a response topic that is no topic name: it has a character at least and no wildcard [MQTT-3.3.2-14]. */
    public void checkResponseTopic() throws MalformedPacketException {
        if (valueLength() == 0) {
            throw MalformedPacketException.malformed(owner + ": the response topic is empty [MQTT-4.7.3-1]");
        }
        if (hasWildcard()) {
            throw MalformedPacketException.protocolError(owner + ": the response topic has a wildcard [MQTT-3.3.2-14]");
        }
    }

    /** True when the value holds a byte that topic names must not have. */
    private boolean hasWildcard() {
        return Utf8.hasWildcard(buf, valueFrom, valueTo - valueFrom);
    }

    /** The bytes of the current property, identifier included. */
    public int entryLength() {
        return position - entryFrom;
    }

    /** After the last property: those that are forwardable, copied; the caller has added up their lengths. */
    public MessageProperties copyOf(int forwardableBytes) {
        return MqttMessageProperties.copyOf(buf, from, limit, forwardableBytes);
    }

    /** For a property that {@link Property#isAllowedIn} let pass and the caller forgot. */
    public IllegalStateException unhandled() {
        return new IllegalStateException(owner + " does not handle " + property);
    }
}
