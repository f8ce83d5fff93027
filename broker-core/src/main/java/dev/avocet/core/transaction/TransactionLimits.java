package dev.avocet.core.transaction;

/**
 * How much transactions may hold before they end.
 *
 * @param maxOpen transactions at a time, prepared ones included; more than 0
 * @param maxOperations messages and acknowledgements in one transaction together; more than 0
 * @param maxBytes of the messages in one transaction, in memory; more than 0
 * @param maxBytesTogether of the messages in all transactions, in memory; more than 0
 * @param timeoutSeconds after its first message or acknowledgement a transaction that is not to end and not prepared is
 *     rolled back; 0 for never
 */
public record TransactionLimits(
        int maxOpen, int maxOperations, long maxBytes, long maxBytesTogether, int timeoutSeconds) {
    public static final TransactionLimits DEFAULT = new TransactionLimits(10_000, 100_000, 64L << 20, 256L << 20, 0);

    public TransactionLimits {
        requirePositive("maxOpen", maxOpen);
        requirePositive("maxOperations", maxOperations);
        requirePositive("maxBytes", maxBytes);
        requirePositive("maxBytesTogether", maxBytesTogether);
        if (timeoutSeconds < 0) {
            throw new IllegalArgumentException("timeoutSeconds is " + timeoutSeconds + ", but must not be negative");
        }
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " is " + value + ", but must be more than 0");
        }
    }
}
