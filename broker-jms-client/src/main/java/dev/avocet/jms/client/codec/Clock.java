package dev.avocet.jms.client.codec;

/** The one place of the client that asks the operating system for the time. */
public final class Clock {
    private Clock() {}

    /** Milliseconds since 1970, for JMSTimestamp, JMSExpiration and JMSDeliveryTime. */
    public static long wallMs() {
        return System.currentTimeMillis();
    }

    /** Nanoseconds from some origin; only differences mean something. */
    public static long nowNs() {
        return System.nanoTime();
    }
}
