package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Counter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What the requesters and responders of one lane saw. Its loop counts; any thread may read. */
final class RequestFigures {
    final Counter answered = new Counter();

    /** Requests without a response topic, or beyond what may wait. */
    final Counter unanswered = new Counter();

    /** Replies with other correlation data than their request's, or to another client's request. */
    final Counter stray = new Counter();

    static Map<String, Long> sum(List<Lane> lanes) {
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("answered", sum(lanes, each -> each.answered));
        figures.put("unanswered", sum(lanes, each -> each.unanswered));
        figures.put("stray", sum(lanes, each -> each.stray));
        return figures;
    }

    private static long sum(List<Lane> lanes, Function<RequestFigures, Counter> counter) {
        return lanes.stream()
                .mapToLong(lane -> counter.apply(lane.requests).value())
                .sum();
    }
}
