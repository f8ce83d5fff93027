package dev.avocet.bench.jms.request;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.jms.plan.RequestPlan;
import dev.avocet.bench.jms.traffic.Connections;
import dev.avocet.bench.jms.traffic.Extremes;
import dev.avocet.bench.jms.traffic.Site;
import dev.avocet.bench.jms.traffic.Traffic;
import dev.avocet.bench.latency.LatencyRecorder;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Requesters and responders at one broker. */
public final class RequestTraffic implements Traffic {
    private final Site site;
    private final RequestPlan plan;
    private final Connections connections;
    private final List<Responder> responders = new ArrayList<>();
    private final List<Requester> requesters = new ArrayList<>();

    public RequestTraffic(Site site, RequestPlan plan) {
        this.site = site;
        this.plan = plan;
        connections = new Connections(site.source(), site.clock(), site.failures());
    }

    @Override
    public void open() throws JMSException {
        for (int i = 0; i < plan.responders(); i++) {
            if (site.share().hasReceiver(i)) {
                responders.add(new Responder(i, site, plan, connections.open(null)));
            }
        }
        for (int i = 0; i < plan.requesters(); i++) {
            if (site.share().hasSender(i)) {
                requesters.add(new Requester(i, site, plan, connections.open(null)));
            }
        }
        connections.start();
    }

    @Override
    public void expect(long startNs) {
        responders.forEach(responder -> responder.begin(startNs));
    }

    @Override
    public void start(long startNs) {
        requesters.forEach(requester -> requester.begin(site, plan.requesters(), startNs));
    }

    @Override
    public void stopSending() {
        requesters.forEach(requester -> requester.pace().stop());
    }

    @Override
    public boolean isSendingOver() {
        return requesters.stream().noneMatch(Thread::isAlive);
    }

    @Override
    public void close() {
        connections.stop();
        connections.close();
    }

    /** A round trip is one message. */
    @Override
    public Tally tally() {
        long sent = requesters.stream().mapToLong(Requester::sent).sum();
        Tally tally = new Tally(sent, sent, 0, 0, 0, 0);
        for (Requester requester : requesters) {
            tally = tally.plus(requester.arrivals().figures());
        }
        return tally;
    }

    @Override
    public long leftOvers() {
        return requesters.stream()
                .mapToLong(requester -> requester.arrivals().leftOvers())
                .sum();
    }

    @Override
    public Connections connections() {
        return connections;
    }

    @Override
    public Map<String, List<LatencyRecorder>> latencies() {
        Map<String, List<LatencyRecorder>> latencies = new LinkedHashMap<>();
        latencies.put("round trip", requesters.stream().map(Requester::latency).toList());
        latencies.put("connect", List.of(connections.latency()));
        return latencies;
    }

    @Override
    public void measureFrom(long ns) {
        for (Requester requester : requesters) {
            Extremes extremes = requester.arrivals().extremes();
            if (extremes != null) {
                extremes.begin(ns);
            }
        }
    }

    /** By queue of requests, in the order of their names. */
    @Override
    public Map<String, Map<String, Long>> counts() {
        Map<String, Map<String, Long>> destinations = new TreeMap<>();
        for (Requester requester : requesters) {
            Extremes extremes = requester.arrivals().extremes();
            if (extremes != null) {
                extremes.addTo(destinations, site.named(requester.queue()));
            }
        }
        return destinations;
    }

    @Override
    public List<Thread> threads() {
        return List.copyOf(requesters);
    }
}
