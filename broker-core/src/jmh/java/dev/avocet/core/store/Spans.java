package dev.avocet.core.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** When something happened: stretches of time that do not overlap each other. Any thread adds. */
final class Spans {
    private final Queue<Span> spans = new ConcurrentLinkedQueue<>();

    void add(long beginNs, long endNs) {
        spans.add(new Span(beginNs, endNs));
    }

    /** Those that began after a point in time, in order. */
    List<Span> since(long fromNs) {
        List<Span> sorted = new ArrayList<>();
        for (Span span : spans) {
            if (span.beginNs - fromNs >= 0) {
                sorted.add(span);
            }
        }
        sorted.sort(Comparator.comparingLong(Span::beginNs));
        return sorted;
    }

    record Span(long beginNs, long endNs) {
        long lengthNs() {
            return endNs - beginNs;
        }
    }
}
