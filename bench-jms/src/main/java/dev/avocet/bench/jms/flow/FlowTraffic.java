package dev.avocet.bench.jms.flow;

import static java.util.Locale.ROOT;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.jms.destination.DestinationNames;
import dev.avocet.bench.jms.destination.Layout;
import dev.avocet.bench.jms.plan.FlowPlan;
import dev.avocet.bench.jms.plan.ProducerPlan;
import dev.avocet.bench.jms.traffic.Connections;
import dev.avocet.bench.jms.traffic.Site;
import dev.avocet.bench.jms.traffic.Traffic;
import dev.avocet.bench.latency.LatencyRecorder;
import jakarta.jms.JMSException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Producers and consumers at one broker. */
public final class FlowTraffic implements Traffic {
    /**
     * Looking for room costs a look at every client, so a sender asks for many messages at a time: all of them together
     * for this part of what may be under way, and none while less than that is free. So there are never more under way,
     * but for small limits.
     */
    private static final int PART = 16;

    private static final int FEWEST_PER_LOOK = 8;

    private final Site site;
    private final Connections connections;
    private final Consumers consumers;
    private final Producers producers;

    public FlowTraffic(Site site, FlowPlan flow) {
        this.site = site;
        connections = new Connections(site.source(), site.clock(), site.failures());
        requireRoomForTransactions(site.plan().maxUnderWay(), flow.producers());
        List<String> produced = names(flow, flow.producers().layout());
        Audience audience =
                new Audience(flow.kind(), names(flow, flow.consumers().layout()), produced.size());
        consumers = new Consumers(site, flow, connections, audience);
        producers = new Producers(site, flow, connections, audience, this::room);
    }

    /** What is not committed is under way, and would wait for room to be committed. */
    private static void requireRoomForTransactions(long maxUnderWay, ProducerPlan producers) {
        long uncommitted = (long) producers.layout().clients() * producers.messagesPerCommit();
        if (maxUnderWay > 0 && maxUnderWay < 2 * uncommitted) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "%d messages under way: the producers' transactions alone hold %d; allow twice as many, or 0 for any number",
                    maxUnderWay,
                    uncommitted));
        }
    }

    private static List<String> names(FlowPlan flow, Layout layout) {
        DestinationNames names = new DestinationNames(layout, flow.spread());
        return layout.positions().stream()
                .flatMap(position -> names.of(position).stream())
                .toList();
    }

    /** The consumers first: what is sent to a topic without them is lost. */
    @Override
    public void open() throws JMSException {
        consumers.open();
        producers.open();
        connections.start();
    }

    @Override
    public void expect(long startNs) {
        consumers.begin(startNs);
    }

    @Override
    public void start(long startNs) {
        producers.start(startNs);
    }

    /** How many messages a producer may send until it asks again; called by the producers. */
    private long room() {
        long most = site.plan().maxUnderWay();
        if (most == 0) {
            return Long.MAX_VALUE;
        }
        long underWay = producers.expected()
                - consumers.arrived()
                + site.othersUnderWay().get();
        return most - underWay > most / PART ? Math.max(FEWEST_PER_LOOK, most / PART / producers.copiesAtOnce()) : 0;
    }

    @Override
    public void stopSending() {
        producers.stop();
    }

    @Override
    public boolean isSendingOver() {
        return producers.isOver();
    }

    @Override
    public void close() {
        connections.stop();
        consumers.end();
        connections.close();
    }

    @Override
    public Tally tally() {
        return consumers.addTo(producers.tally());
    }

    @Override
    public long leftOvers() {
        return consumers.leftOvers();
    }

    @Override
    public Connections connections() {
        return connections;
    }

    @Override
    public Map<String, List<LatencyRecorder>> latencies() {
        Map<String, List<LatencyRecorder>> latencies = new LinkedHashMap<>();
        latencies.put("message", consumers.latencies());
        latencies.put("connect", List.of(connections.latency()));
        if (site.plan().timesCalls()) {
            latencies.put("create session", List.of(connections.sessionLatency()));
            latencies.put("send", callsOf(producers.threads(), ProducerThread::sends));
            latencies.put("commit", callsOf(producers.threads(), ProducerThread::commits));
            latencies.put("receive", callsOf(consumers.threads(), ConsumerThread::receives));
        }
        return latencies;
    }

    private static <T> List<LatencyRecorder> callsOf(List<T> threads, Function<T, TimedCall> calls) {
        return threads.stream().flatMap(thread -> calls.apply(thread).latency()).toList();
    }

    @Override
    public void measureFrom(long ns) {
        consumers.measureFrom(ns);
    }

    @Override
    public Map<String, Map<String, Long>> counts() {
        return consumers.extremes();
    }

    @Override
    public List<Thread> threads() {
        return Stream.<Thread>concat(producers.threads().stream(), consumers.threads().stream())
                .toList();
    }
}
