package dev.avocet.bench.mqtt.wire;

/** MQTT's integers of one to four bytes. */
public final class VariableByteInteger {
    static final int MAX = 268_435_455;

    private VariableByteInteger() {}

    /** @return the index behind it */
    public static int write(byte[] array, int at, int value) {
        int left = value;
        int index = at;
        while (left > 0x7F) {
            array[index++] = (byte) (left & 0x7F | 0x80);
            left >>>= 7;
        }
        array[index++] = (byte) left;
        return index;
    }

    public static int sizeBytes(int value) {
        return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : 4;
    }
}
