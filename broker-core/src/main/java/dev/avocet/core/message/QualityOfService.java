package dev.avocet.core.message;

/** How hard the broker tries, in the words of MQTT section 4.3. The ordinal is the value on the wire. */
public enum QualityOfService {
    /** May be lost, is never repeated. */
    AT_MOST_ONCE,
    /** Arrives, perhaps more than once. */
    AT_LEAST_ONCE,
    /** Arrives once. */
    EXACTLY_ONCE;

    private static final QualityOfService[] VALUES = values();

    /** The level with this number, 0 to 2; anything else is an {@link IllegalArgumentException}. */
    public static QualityOfService of(int level) {
        if (level < 0 || level > 2) {
            throw new IllegalArgumentException("QoS must be 0, 1 or 2, not " + level);
        }
        return VALUES[level];
    }

    /** The level as a number, 0 to 2. */
    public int level() {
        return ordinal();
    }

    /** The lower of the two: what a message published at one level is worth to a subscription of the other. */
    public QualityOfService min(QualityOfService other) {
        return ordinal() <= other.ordinal() ? this : other;
    }
}
