package dev.avocet.bench.jms.measure;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.jms.traffic.Traffic;
import dev.avocet.bench.latency.LatencyHistory;
import dev.avocet.bench.latency.LatencyRecorder;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The traffic at all brokers of a run, as one. */
final class AllTraffic {
    private final List<Traffic> brokers;

    AllTraffic(List<Traffic> brokers) {
        this.brokers = List.copyOf(brokers);
    }

    void open() throws JMSException {
        for (Traffic broker : brokers) {
            broker.open();
        }
    }

    void start(long startNs) {
        brokers.forEach(broker -> broker.start(startNs));
    }

    void stopSending() {
        brokers.forEach(Traffic::stopSending);
    }

    boolean isSendingOver() {
        return brokers.stream().allMatch(Traffic::isSendingOver);
    }

    void close() {
        brokers.forEach(Traffic::close);
    }

    /** One for each broker. */
    List<Tally> tallies() {
        return brokers.stream().map(Traffic::tally).toList();
    }

    Tally tally() {
        return sum(tallies());
    }

    static Tally sum(List<Tally> tallies) {
        Tally sum = Tally.NONE;
        for (Tally tally : tallies) {
            sum = new Tally(
                    sum.sent() + tally.sent(),
                    sum.expected() + tally.expected(),
                    sum.received() + tally.received(),
                    sum.duplicates() + tally.duplicates(),
                    sum.outOfOrder() + tally.outOfOrder(),
                    sum.corrupt() + tally.corrupt());
        }
        return sum;
    }

    long leftOvers() {
        return brokers.stream().mapToLong(Traffic::leftOvers).sum();
    }

    long connections() {
        return brokers.stream()
                .mapToLong(broker -> broker.connections().count())
                .sum();
    }

    long connectionsLost() {
        return brokers.stream().mapToLong(broker -> broker.connections().lost()).sum();
    }

    List<Thread> threads() {
        return brokers.stream().flatMap(broker -> broker.threads().stream()).toList();
    }

    /** By what they measure, in a group for each broker; the first is the one that counts. */
    Map<String, LatencyHistory> latencies() {
        Map<String, List<List<LatencyRecorder>>> recorders = new LinkedHashMap<>();
        brokers.forEach(broker -> broker.latencies()
                .forEach((kind, some) ->
                        recorders.computeIfAbsent(kind, k -> new ArrayList<>()).add(some)));
        Map<String, LatencyHistory> histories = new LinkedHashMap<>();
        recorders.forEach((kind, all) -> histories.put(kind, LatencyHistory.ofGroups(all)));
        return histories;
    }
}
