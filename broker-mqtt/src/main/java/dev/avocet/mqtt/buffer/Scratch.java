package dev.avocet.mqtt.buffer;

/** An array that every connection of a loop copies its reads into, one after the other. */
public final class Scratch {
    private static final int KEPT_BYTES = 512 << 10;

    private byte[] array = new byte[128 << 10];

    /** An array of at least this length; the contents are whatever the last user left. */
    byte[] array(int length) {
        if (array.length >= length) {
            return array;
        }
        byte[] larger = new byte[Math.max(length, array.length * 2)];
        if (larger.length <= KEPT_BYTES) {
            array = larger;
        }
        return larger;
    }
}
