package dev.avocet.dist.pair;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How often the node that acknowledges has changed, by what clients can prove. */
final class Terms {
    private Terms() {}

    /**
     * The least number of leaderships, one after the other, with which these answers can have been given: a change is
     * counted where something was sent to a node after another one had answered. More of them than epochs mean that a
     * node has acknowledged in an epoch that was over.
     */
    static int least(List<AckedAt> answers) {
        List<AckedAt> inOrder = answers.stream()
                .sorted(Comparator.comparingLong(AckedAt::sentNs))
                .toList();
        int terms = 0;
        @Nullable String node = null;
        long firstHeardNs = Long.MAX_VALUE;
        for (AckedAt answer : inOrder) {
            if (node == null || !answer.node().equals(node) && answer.sentNs() - firstHeardNs > 0) {
                terms++;
                node = answer.node();
                firstHeardNs = answer.heardNs();
            } else if (answer.node().equals(node)) {
                firstHeardNs = Math.min(firstHeardNs, answer.heardNs());
            }
        }
        return terms;
    }
}
