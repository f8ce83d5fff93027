package dev.avocet.bench.mqtt.wire;

/** Finds properties of PUBLISH where they stand, without taking them apart. Stateless. */
public final class PublishProperties {
    /** Where a reply is to go [MQTT-3.3.2-13]. */
    public static final int RESPONSE_TOPIC = 0x08;

    /** What a reply is to bring back [MQTT-3.3.2.3.6]. */
    public static final int CORRELATION_DATA = 0x09;

    private PublishProperties() {}

    /**
     * Looks for a property whose value has its length, two bytes, before it.
     *
     * @param from where the length of the properties stands
     * @param to behind the last of them
     * @return where the value's length stands, or -1 when it is not there
     * @throws MalformedPacketException when a property is none of PUBLISH
     */
    public static int find(byte[] array, int from, int to, int wanted) {
        int at = behindVariableByteInteger(array, from); // the length of all properties, which the caller knows
        while (at < to) {
            int id = array[at++];
            if (id == wanted) {
                return at;
            }
            at = behind(id, array, at);
        }
        return -1;
    }

    private static int behind(int id, byte[] array, int at) {
        return switch (id) {
            case 0x01 -> at + 1;
            case 0x23 -> at + 2;
            case 0x02 -> at + 4;
            case 0x0B -> behindVariableByteInteger(array, at);
            case 0x03, RESPONSE_TOPIC, CORRELATION_DATA -> behindString(array, at);
            case 0x26 -> behindString(array, behindString(array, at));
            default -> throw new MalformedPacketException("a PUBLISH with property " + id);
        };
    }

    private static int behindVariableByteInteger(byte[] array, int at) {
        int index = at;
        while (array[index] < 0) {
            index++;
        }
        return index + 1;
    }

    private static int behindString(byte[] array, int at) {
        return at + 2 + PacketReader.twoBytes(array, at);
    }
}
