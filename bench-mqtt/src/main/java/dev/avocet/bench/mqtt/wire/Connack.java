package dev.avocet.bench.mqtt.wire;

/**
 * What a server says to CONNECT.
 *
 * @param isSessionPresent whether it has kept the client's session [MQTT-3.2.2-2]
 * @param receiveMaximum how many QoS 1 and 2 messages it takes at once
 */
public record Connack(boolean isSessionPresent, int reasonCode, int receiveMaximum) {
    /** Of MQTT 3.1 and 3.1.1. */
    private static final int SERVER_UNAVAILABLE = 3;

    private static final int USE_ANOTHER_SERVER = 0x9C;
    private static final int MAX = 0xFFFF;
    private static final int RECEIVE_MAXIMUM = 0x21;

    public static Connack read(int version, byte[] array, int from, int to) {
        if (to - from < 2) {
            throw new MalformedPacketException("a CONNACK of " + (to - from) + " bytes");
        }
        int reasonCode = array[from + 1] & 0xFF;
        boolean hasProperties = version == ControlPackets.MQTT_5 && to - from > 2;
        return new Connack(
                (array[from] & 1) != 0, reasonCode, hasProperties ? receiveMaximum(array, from + 2, to) : MAX);
    }

    /** Whether another server may take the client, as a standby says. */
    public boolean sendsElsewhere() {
        return reasonCode == SERVER_UNAVAILABLE || reasonCode == USE_ANOTHER_SERVER;
    }

    private static int receiveMaximum(byte[] array, int from, int to) {
        int at = from + 1;
        // The length has one byte or, with long strings among the properties, two.
        if (array[from] < 0) {
            at++;
        }
        while (at < to) {
            int id = array[at];
            if (id == RECEIVE_MAXIMUM) {
                return PacketReader.twoBytes(array, at + 1);
            }
            at = behindProperty(id, array, at + 1);
        }
        return MAX;
    }

    /** The properties of CONNACK by their types [MQTT-3.2.2.3]. */
    private static int behindProperty(int id, byte[] array, int at) {
        return switch (id) {
            case 0x24, 0x25, 0x28, 0x29, 0x2A -> at + 1;
            case 0x13, 0x22 -> at + 2;
            case 0x11, 0x27 -> at + 4;
            case 0x26 -> behindString(array, behindString(array, at));
            default -> behindString(array, at);
        };
    }

    private static int behindString(byte[] array, int at) {
        return at + 2 + PacketReader.twoBytes(array, at);
    }
}
