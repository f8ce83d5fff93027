package dev.avocet.core.security.user;

/**
 * What one Argon2id hash costs (RFC 9106).
 *
 * @param memoryKib memory that it fills, in KiB
 * @param passes how often it goes over that memory
 * @param lanes parts that could be filled side by side; here they are filled one after the other
 */
public record Argon2Cost(int memoryKib, int passes, int lanes) {
    /**
     * 19 MiB, two passes, one lane: the least that OWASP's cheat sheet on storing passwords asks of Argon2id. About 40
     * ms of one core, so a broker that restarts has its users back in tolerable time.
     */
    public static final Argon2Cost DEFAULT = new Argon2Cost(19 << 10, 2, 1);

    /** Most memory that a hash may ask for, so that a line in a file cannot take the heap. */
    public static final int MAX_MEMORY_KIB = 64 << 10;

    private static final int MIN_KIB_PER_LANE = 8;
    private static final int MAX_PASSES = 64;
    private static final int MAX_LANES = 16;

    public Argon2Cost {
        require(lanes >= 1 && lanes <= MAX_LANES, "lanes (p) " + lanes + " is outside 1-" + MAX_LANES);
        require(passes >= 1 && passes <= MAX_PASSES, "passes (t) " + passes + " is outside 1-" + MAX_PASSES);
        int minKib = MIN_KIB_PER_LANE * lanes;
        require(
                memoryKib >= minKib && memoryKib <= MAX_MEMORY_KIB,
                "memory (m) " + memoryKib + " KiB is outside " + minKib + "-" + MAX_MEMORY_KIB);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
