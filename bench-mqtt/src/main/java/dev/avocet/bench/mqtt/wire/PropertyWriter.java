package dev.avocet.bench.mqtt.wire;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Puts properties of MQTT 5 behind each other, those that are null left out. Owned by one thread. */
public final class PropertyWriter {
    public static final int PAYLOAD_FORMAT = 0x01;
    public static final int MESSAGE_EXPIRY = 0x02;
    public static final int CONTENT_TYPE = 0x03;
    public static final int REQUEST_PROBLEM_INFORMATION = 0x17;
    public static final int REQUEST_RESPONSE_INFORMATION = 0x19;
    public static final int RECEIVE_MAXIMUM = 0x21;
    public static final int TOPIC_ALIAS_MAXIMUM = 0x22;
    public static final int USER_PROPERTY = 0x26;
    public static final int MAXIMUM_PACKET_SIZE = 0x27;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public PropertyWriter one(int id, @Nullable Integer value) {
        return number(id, value, 1);
    }

    public PropertyWriter two(int id, @Nullable Integer value) {
        return number(id, value, 2);
    }

    public PropertyWriter four(int id, @Nullable Integer value) {
        return number(id, value, 4);
    }

    public PropertyWriter text(int id, @Nullable String text) {
        if (text != null) {
            out.write(id);
            out.writeBytes(ControlPackets.string(text));
        }
        return this;
    }

    public PropertyWriter pair(int id, String name, String value) {
        out.write(id);
        out.writeBytes(ControlPackets.string(name));
        out.writeBytes(ControlPackets.string(value));
        return this;
    }

    /** What has been written, without its length. */
    public byte[] toBytes() {
        return out.toByteArray();
    }

    /** Properties as they stand in a packet: their length, then they. */
    public static byte[] withLength(byte[] properties) {
        byte[] length = new byte[4];
        int size = VariableByteInteger.write(length, 0, properties.length);
        byte[] all = new byte[size + properties.length];
        System.arraycopy(length, 0, all, 0, size);
        System.arraycopy(properties, 0, all, size, properties.length);
        return all;
    }

    private PropertyWriter number(int id, @Nullable Integer value, int sizeBytes) {
        if (value != null) {
            out.write(id);
            for (int shift = (sizeBytes - 1) * 8; shift >= 0; shift -= 8) {
                out.write(value >>> shift);
            }
        }
        return this;
    }
}
