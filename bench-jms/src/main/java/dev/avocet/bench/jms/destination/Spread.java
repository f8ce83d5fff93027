package dev.avocet.bench.jms.destination;

import static java.util.Locale.ROOT;

/**
 * How destinations are spread over clients and over the first level of a topic tree.
 *
 * @param partitions parts of the topic tree, {@code /p0} and so on; 0: the tree is not parted
 * @param roundRobin destinations are dealt to clients in turn, not in blocks
 */
public record Spread(int partitions, boolean roundRobin) {
    public static final Spread PLAIN = new Spread(0, false);

    public Spread {
        if (partitions < 0 || partitions > Layout.LARGEST_COUNT) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "partitions is %d: from 0 (none) to %d", partitions, Layout.LARGEST_COUNT));
        }
    }

    boolean isParted() {
        return partitions > 0;
    }
}
