package dev.avocet.core.trace;

/**
 * How a connection is traced. Immutable.
 *
 * @param sink where to
 * @param level how much, at least {@link #CONTROL}
 * @param payloadBytes how many bytes of a payload are shown at most
 */
public record ConnectionTrace(TraceSink sink, int level, int payloadBytes) {
    /** From this level on, packets are traced that begin, change and end something. */
    public static final int CONTROL = 7;
    /** From this level on, every packet is traced. */
    public static final int EVERY_PACKET = 8;
    /** From this level on, payloads are shown too. */
    public static final int PAYLOADS = 9;

    /** How many bytes of each payload are shown. */
    public int shownPayloadBytes() {
        return level >= PAYLOADS ? payloadBytes : 0;
    }
}
