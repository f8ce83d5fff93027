package dev.avocet.core.frontend;

/**
 * How what a connection has to send goes out.
 *
 * @param writeMaxBytes most bytes of one write to the network
 * @param batches whether several messages may share one
 */
public record Sending(int writeMaxBytes, boolean batches) {
    /** As is best for the broker. */
    public static final Sending DEFAULT = new Sending(Integer.MAX_VALUE, true);
}
