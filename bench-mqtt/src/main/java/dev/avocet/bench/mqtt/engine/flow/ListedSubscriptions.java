package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.mqtt.files.ListedFilter;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a client of a list subscribes to.
 *
 * @param options of each filter
 */
public record ListedSubscriptions(List<String> topicFilters, int[] options) implements Subscriptions {
    private static final int QOS_BITS = 3;
    private static final int RETAIN_AS_PUBLISHED = 8;

    public static ListedSubscriptions of(List<ListedFilter> listed) {
        List<String> filters =
                listed.stream().flatMap(filter -> filter.filters().stream()).toList();
        int[] options = listed.stream()
                .flatMapToInt(
                        filter -> IntStream.range(0, filter.filters().size()).map(each -> filter.options()))
                .toArray();
        return new ListedSubscriptions(filters, options);
    }

    public boolean keepsRetain() {
        return IntStream.of(options).anyMatch(each -> (each & RETAIN_AS_PUBLISHED) != 0);
    }

    @Override
    public int count() {
        return options.length;
    }

    @Override
    public int qos() {
        return IntStream.of(options).map(each -> each & QOS_BITS).max().orElse(0);
    }

    @Override
    public int options(int index) {
        return options[index];
    }
}
