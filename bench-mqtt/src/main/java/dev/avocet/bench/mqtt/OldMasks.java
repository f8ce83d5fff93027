package dev.avocet.bench.mqtt;

/** The masks of the reference harness, in decimal or with 0x before them. */
final class OldMasks {
    private OldMasks() {}

    /** @throws IllegalArgumentException when it is no mask, or has bits that meant nothing */
    static void check(String option, String word, int known) {
        try {
            int mask = Integer.decode(word);
            if ((mask & ~known) != 0) {
                throw new IllegalArgumentException(
                        option + " has bits up to 0x" + Integer.toHexString(known) + ", unlike " + word);
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(option + " is a mask such as 0x1, not " + word, notANumber);
        }
    }
}
