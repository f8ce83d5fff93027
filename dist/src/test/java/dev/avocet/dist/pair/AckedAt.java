package dev.avocet.dist.pair;

/**
 * That a node has acknowledged something between two moments of {@link System#nanoTime}.
 *
 * @param node that acknowledged
 * @param sentNs when the client sent what is acknowledged
 * @param heardNs when the client had the answer
 */
record AckedAt(String node, long sentNs, long heardNs) {}
