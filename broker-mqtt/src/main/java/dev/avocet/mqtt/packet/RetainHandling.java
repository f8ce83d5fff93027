package dev.avocet.mqtt.packet;

/** Which retained messages a new subscription receives. The ordinal is the value on the wire. */
public enum RetainHandling {
    SEND_AT_SUBSCRIBE,
    SEND_IF_NEW_SUBSCRIPTION,
    DO_NOT_SEND;

    private static final RetainHandling[] VALUES = values();

    /** The handling with this number, 0 to 2. */
    public static RetainHandling of(int number) {
        return VALUES[number];
    }

    /** The handling on the wire. */
    public int number() {
        return ordinal();
    }
}
