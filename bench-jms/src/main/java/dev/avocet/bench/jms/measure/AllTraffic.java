package dev.avocet.bench.jms.measure;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.jms.flow.FlowTraffic;
import dev.avocet.bench.jms.plan.FlowPlan;
import dev.avocet.bench.jms.plan.RequestPlan;
import dev.avocet.bench.jms.plan.RunPlan;
import dev.avocet.bench.jms.plan.TrafficPlan;
import dev.avocet.bench.jms.request.RequestTraffic;
import dev.avocet.bench.jms.traffic.ConnectionSource;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.jms.traffic.Site;
import dev.avocet.bench.jms.traffic.Traffic;
import dev.avocet.bench.latency.LatencyHistory;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The traffic at all brokers of a run, as one. */
final class AllTraffic {
    private final List<Traffic> brokers;
    private final AtomicLong othersUnderWay;

    private AllTraffic(List<Traffic> brokers, AtomicLong othersUnderWay) {
        this.brokers = List.copyOf(brokers);
        this.othersUnderWay = othersUnderWay;
    }

    /**
     * @param sources one for each target of the plan
     * @throws IllegalArgumentException if the sides of the plan do not fit each other
     */
    static AllTraffic of(RunPlan plan, List<ConnectionSource> sources, Share share, RunClock clock, Failures failures) {
        AtomicLong othersUnderWay = new AtomicLong();
        RateSchedule schedule = plan.schedule().times(1.0 / sources.size());
        List<Traffic> brokers = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            brokers.add(traffic(new Site(i, sources.get(i), share, othersUnderWay, schedule, plan, clock, failures)));
        }
        return new AllTraffic(brokers, othersUnderWay);
    }

    private static Traffic traffic(Site site) {
        TrafficPlan traffic = site.plan().traffic();
        return traffic instanceof FlowPlan flow
                ? new FlowTraffic(site, flow)
                : new RequestTraffic(site, (RequestPlan) traffic);
    }

    /** @param messages of the run's other parties, of which each broker has its part */
    void othersUnderWay(long messages) {
        othersUnderWay.set(messages / brokers.size());
    }

    void open() throws JMSException {
        for (Traffic broker : brokers) {
            broker.open();
        }
    }

    void expect(long startNs) {
        brokers.forEach(broker -> broker.expect(startNs));
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
            sum = sum.plus(tally);
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

    void measureFrom(long ns) {
        brokers.forEach(broker -> broker.measureFrom(ns));
    }

    Map<String, Map<String, Long>> counts() {
        Map<String, Map<String, Long>> counts = new LinkedHashMap<>();
        brokers.forEach(broker -> counts.putAll(broker.counts()));
        return counts;
    }

    List<Thread> threads() {
        return brokers.stream().flatMap(broker -> broker.threads().stream()).toList();
    }

    /** By what they measure; the first is the one that counts. */
    Map<String, List<LatencyRecorder>> recorders() {
        Map<String, List<LatencyRecorder>> recorders = new LinkedHashMap<>();
        grouped()
                .forEach((kind, groups) -> recorders.put(
                        kind, groups.stream().flatMap(List::stream).toList()));
        return recorders;
    }

    /** The same with a group for each broker. */
    Map<String, LatencyHistory> latencies() {
        Map<String, LatencyHistory> histories = new LinkedHashMap<>();
        grouped().forEach((kind, groups) -> histories.put(kind, LatencyHistory.ofGroups(groups)));
        return histories;
    }

    private Map<String, List<List<LatencyRecorder>>> grouped() {
        Map<String, List<List<LatencyRecorder>>> grouped = new LinkedHashMap<>();
        brokers.forEach(broker -> broker.latencies()
                .forEach((kind, some) ->
                        grouped.computeIfAbsent(kind, k -> new ArrayList<>()).add(some)));
        return grouped;
    }
}
