package dev.avocet.bench.agent;

/**
 * How long to wait for the other side.
 *
 * @param loginMs for all of a stranger's login, whatever it says meanwhile
 * @param silenceMs how long the other side may be silent before it counts as gone; both sides speak a hundred times a
 *     second
 * @param freeMs how long a controller waits for the agent to end another one's run
 */
record Patience(int loginMs, int silenceMs, int freeMs) {
    static final Patience USUAL = new Patience(10_000, 10_000, 5_000);
}
