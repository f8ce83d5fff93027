package dev.avocet.bench.mqtt.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The packets of which a client sends few: CONNECT, SUBSCRIBE, PINGREQ, DISCONNECT. Stateless; any thread. */
public final class ControlPackets {
    /** MQTT 5.0's protocol version. */
    public static final int MQTT_5 = 5;

    private static final int MQTT_3_1 = 3;
    private static final int USER_NAME_FLAG = 0x80;
    private static final int PASSWORD_FLAG = 0x40;
    private static final int CLEAN_FLAG = 0x02;
    private static final int WILL_FLAG = 0x04;
    private static final int WILL_QOS_SHIFT = 3;
    private static final int WILL_RETAIN_FLAG = 0x20;
    private static final int QOS_BITS = 3;
    private static final int SESSION_EXPIRY_INTERVAL = 0x11;

    private static final byte[] NOTHING = {};

    private ControlPackets() {}

    /**
     * What a client says of itself.
     *
     * @param version the protocol's number: 3, 4 (3.1.1) or 5
     * @param properties of MQTT 5, without their length, and without session expiry, which has a field of its own
     */
    public record Connect(
            int version,
            String clientId,
            boolean isClean,
            int keepAliveSeconds,
            int sessionExpirySeconds,
            @Nullable String userName,
            @Nullable String password,
            byte[] properties,
            @Nullable Will will) {
        /** Without a will. */
        public Connect(
                int version,
                String clientId,
                boolean isClean,
                int keepAliveSeconds,
                int sessionExpirySeconds,
                @Nullable String userName,
                @Nullable String password) {
            this(version, clientId, isClean, keepAliveSeconds, sessionExpirySeconds, userName, password, NOTHING, null);
        }

        /** The same that ends the session that there was, and leaves none. */
        public Connect withoutSession() {
            return new Connect(version, clientId, true, keepAliveSeconds, 0, userName, password, properties, will);
        }
    }

    /**
     * What the server is to publish when the client is cut off.
     *
     * @param properties of MQTT 5, without their length
     */
    public record Will(String topic, String payload, int qos, boolean isRetained, byte[] properties) {
        int flags() {
            return WILL_FLAG | qos << WILL_QOS_SHIFT | (isRetained ? WILL_RETAIN_FLAG : 0);
        }
    }

    public static byte[] connect(Connect connect) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        string(body, connect.version == MQTT_3_1 ? "MQIsdp" : "MQTT");
        body.write(connect.version);
        body.write((connect.isClean ? CLEAN_FLAG : 0)
                | (connect.userName == null ? 0 : USER_NAME_FLAG)
                | (connect.password == null ? 0 : PASSWORD_FLAG)
                | (connect.will == null ? 0 : connect.will.flags()));
        twoBytes(body, connect.keepAliveSeconds);
        if (connect.version == MQTT_5) {
            connectProperties(body, connect);
        }
        string(body, connect.clientId);
        if (connect.will != null) {
            will(body, connect.version, connect.will);
        }
        if (connect.userName != null) {
            string(body, connect.userName);
        }
        if (connect.password != null) {
            string(body, connect.password);
        }
        return packet(PacketType.CONNECT, body);
    }

    private static void connectProperties(ByteArrayOutputStream body, Connect connect) {
        PropertyWriter expiry = new PropertyWriter()
                .four(
                        SESSION_EXPIRY_INTERVAL,
                        connect.sessionExpirySeconds == 0 ? null : Integer.valueOf(connect.sessionExpirySeconds));
        ByteArrayOutputStream properties = new ByteArrayOutputStream();
        properties.writeBytes(expiry.toBytes());
        properties.writeBytes(connect.properties);
        body.writeBytes(PropertyWriter.withLength(properties.toByteArray()));
    }

    private static void will(ByteArrayOutputStream body, int version, Will will) {
        if (version == MQTT_5) {
            body.writeBytes(PropertyWriter.withLength(will.properties));
        }
        string(body, will.topic);
        string(body, will.payload);
    }

    /** @param options of the filter with an index, as MQTT 5 has them; below, the QoS in them counts */
    public static byte[] subscribe(
            int version, int packetIdentifier, List<String> topicFilters, IntUnaryOperator options) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        twoBytes(body, packetIdentifier);
        if (version == MQTT_5) {
            body.write(0);
        }
        for (int i = 0; i < topicFilters.size(); i++) {
            string(body, topicFilters.get(i));
            body.write(version == MQTT_5 ? options.applyAsInt(i) : options.applyAsInt(i) & QOS_BITS);
        }
        return packet(PacketType.SUBSCRIBE, body);
    }

    public static byte[] unsubscribe(int version, int packetIdentifier, List<String> topicFilters) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        twoBytes(body, packetIdentifier);
        if (version == MQTT_5) {
            body.write(0);
        }
        topicFilters.forEach(topicFilter -> string(body, topicFilter));
        return packet(PacketType.UNSUBSCRIBE, body);
    }

    public static byte[] pingreq() {
        return new byte[] {(byte) PacketType.PINGREQ, 0};
    }

    public static byte[] disconnect() {
        return new byte[] {(byte) PacketType.DISCONNECT, 0};
    }

    /** Of UTF-8, with its length before it, as topic names stand in PUBLISH. */
    public static byte[] string(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        string(out, text);
        return out.toByteArray();
    }

    private static void string(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException("MQTT strings have up to 65535 bytes, not " + bytes.length);
        }
        twoBytes(out, bytes.length);
        out.writeBytes(bytes);
    }

    private static void twoBytes(ByteArrayOutputStream out, int value) {
        out.write(value >>> 8);
        out.write(value);
    }

    private static byte[] packet(int firstByte, ByteArrayOutputStream body) {
        byte[] head = new byte[5];
        head[0] = (byte) firstByte;
        int headLength = VariableByteInteger.write(head, 1, body.size());
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.write(head, 0, headLength);
        packet.writeBytes(body.toByteArray());
        return packet.toByteArray();
    }
}
