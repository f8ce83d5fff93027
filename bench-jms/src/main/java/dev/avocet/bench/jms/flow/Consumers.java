package dev.avocet.bench.jms.flow;

import static java.util.Locale.ROOT;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.jms.destination.ClientPosition;
import dev.avocet.bench.jms.destination.DestinationKind;
import dev.avocet.bench.jms.destination.DestinationNames;
import dev.avocet.bench.jms.plan.ConsumerPlan;
import dev.avocet.bench.jms.plan.FlowPlan;
import dev.avocet.bench.jms.plan.ReceiveMode;
import dev.avocet.bench.jms.traffic.Arrivals;
import dev.avocet.bench.jms.traffic.Connections;
import dev.avocet.bench.jms.traffic.Extremes;
import dev.avocet.bench.jms.traffic.Site;
import dev.avocet.bench.latency.LatencyRecorder;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The receiving side at one broker. Owned by the thread that measures. */
final class Consumers {
    private static final long END_MS = TimeUnit.SECONDS.toMillis(5);

    private final Site site;
    private final FlowPlan flow;
    private final ConsumerPlan plan;
    private final Connections connections;
    private final Audience audience;
    private final List<List<Inlet>> inletsByThread = new ArrayList<>();
    private final List<ReceivingSession> sessions = new ArrayList<>();
    private final List<LatencyRecorder> latencies = new ArrayList<>();
    private final List<ConsumerThread> threads = new ArrayList<>();

    Consumers(Site site, FlowPlan flow, Connections connections, Audience audience) {
        this.site = site;
        this.flow = flow;
        this.connections = connections;
        this.audience = audience;
        plan = flow.consumers();
    }

    void open() throws JMSException {
        DestinationNames names = new DestinationNames(plan.layout(), flow.spread());
        Connection connection = null;
        int thread = -1;
        for (ClientPosition position : plan.layout().positions()) {
            if (!site.share().hasReceiver(position.thread())) {
                continue;
            }
            if (connection == null || position.session() == 0) {
                connection = connections.open(clientId(position));
            }
            if (position.thread() != thread) {
                thread = position.thread();
                inletsByThread.add(new ArrayList<>());
            }
            openSession(connection, position, names.of(position));
        }
        for (int i = 0; plan.receiveMode() != ReceiveMode.LISTENER && i < inletsByThread.size(); i++) {
            threads.add(new ConsumerThread(
                    "consumer-" + site.number() + "-" + i,
                    inletsByThread.get(i),
                    plan.receiveMode(),
                    new TimedCall(site.clock(), site.plan().timesCalls()),
                    site.failures()));
        }
        threads.forEach(Thread::start);
    }

    private @Nullable String clientId(ClientPosition position) {
        boolean isNeeded = plan.durable() && flow.kind() == DestinationKind.TOPIC;
        return isNeeded
                ? String.format(ROOT, "jmsbench-%d-%d-%d", site.number(), position.thread(), position.connection())
                : null;
    }

    private void openSession(Connection connection, ClientPosition position, List<String> names) throws JMSException {
        Session session = connections.openSession(
                connection,
                plan.acknowledgeMode().isTransacted(),
                plan.acknowledgeMode().number());
        ReceivingSession receiving = new ReceivingSession(session, plan, site.failures());
        sessions.add(receiving);
        LatencyRecorder latency = new LatencyRecorder();
        latencies.add(latency);
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            String durableName = plan.durable() ? subscription(name, position, i) : null;
            MessageConsumer consumer = consumer(session, name, durableName);
            Arrivals arrivals =
                    new Arrivals(site.clock(), latency, site.plan().sizes().largest(), audience.shared(name));
            if (site.plan().keepsExtremes()) {
                arrivals.keepExtremes();
            }
            Inlet inlet = new Inlet(
                    name,
                    consumer,
                    receiving,
                    arrivals,
                    plan.workUs(),
                    site.failures(),
                    durableName,
                    isSharedElsewhere());
            inletsByThread.get(inletsByThread.size() - 1).add(inlet);
            if (plan.receiveMode() == ReceiveMode.LISTENER) {
                consumer.setMessageListener(inlet);
            }
        }
    }

    private boolean isSharedElsewhere() {
        return flow.kind() == DestinationKind.SHARED && site.share().count() > 1;
    }

    /** Those who share one must name it alike; others have it for themselves, below their client identifier. */
    private String subscription(String name, ClientPosition position, int consumer) {
        return flow.kind() == DestinationKind.SHARED
                ? "jmsbench " + name
                : String.format(
                        ROOT,
                        "jmsbench %s %d-%d-%d-%d",
                        name,
                        position.thread(),
                        position.connection(),
                        position.session(),
                        consumer);
    }

    private MessageConsumer consumer(Session session, String name, @Nullable String durableName) throws JMSException {
        if (flow.kind() == DestinationKind.QUEUE) {
            return session.createConsumer(session.createQueue(name));
        }
        Topic topic = session.createTopic(name);
        if (flow.kind() == DestinationKind.SHARED) {
            return durableName == null
                    ? session.createSharedConsumer(topic, "jmsbench " + name)
                    : session.createSharedDurableConsumer(topic, durableName);
        }
        return durableName == null ? session.createConsumer(topic) : session.createDurableConsumer(topic, durableName);
    }

    void begin(long startNs) {
        inlets().forEach(inlet -> inlet.arrivals().begin(startNs));
    }

    void measureFrom(long ns) {
        for (Inlet inlet : inlets()) {
            Extremes extremes = inlet.arrivals().extremes();
            if (extremes != null) {
                extremes.begin(ns);
            }
        }
    }

    /** By destination, in the order of their names. */
    Map<String, Map<String, Long>> extremes() {
        Map<String, Map<String, Long>> destinations = new TreeMap<>();
        for (Inlet inlet : inlets()) {
            Extremes extremes = inlet.arrivals().extremes();
            if (extremes != null) {
                extremes.addTo(destinations, site.named(inlet.destination()));
            }
        }
        return destinations;
    }

    /** After the connections have been stopped: nothing calls a listener any more. */
    void end() {
        threads.forEach(ConsumerThread::end);
        if (plan.receiveMode() == ReceiveMode.BLOCKING) {
            inlets().forEach(Inlet::close);
        }
        threads.forEach(this::join);
        sessions.forEach(ReceivingSession::finish);
        inlets().forEach(Inlet::close);
        Set<String> ended = new HashSet<>();
        inlets().forEach(inlet -> inlet.unsubscribe(ended));
    }

    private void join(Thread thread) {
        try {
            thread.join(END_MS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            site.failures().add("a receiving thread does not end");
        }
    }

    private List<Inlet> inlets() {
        return inletsByThread.stream().flatMap(List::stream).toList();
    }

    Tally addTo(Tally tally) {
        Tally sum = tally;
        for (List<Inlet> inlets : inletsByThread) {
            for (Inlet inlet : inlets) {
                sum = sum.plus(inlet.arrivals().figures());
            }
        }
        return sum;
    }

    /** Arrivals that happened for the first time. */
    long arrived() {
        long arrived = 0;
        for (int i = 0; i < inletsByThread.size(); i++) {
            List<Inlet> inlets = inletsByThread.get(i);
            for (int j = 0; j < inlets.size(); j++) {
                arrived += inlets.get(j).arrivals().figures().received()
                        - inlets.get(j).arrivals().figures().duplicates();
            }
        }
        return arrived;
    }

    long leftOvers() {
        return inlets().stream()
                .mapToLong(inlet -> inlet.arrivals().leftOvers())
                .sum();
    }

    List<LatencyRecorder> latencies() {
        return latencies;
    }

    List<ConsumerThread> threads() {
        return threads;
    }
}
