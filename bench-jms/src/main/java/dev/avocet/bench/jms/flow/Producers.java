package dev.avocet.bench.jms.flow;

import static java.util.Locale.ROOT;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.jms.destination.ClientPosition;
import dev.avocet.bench.jms.destination.DestinationKind;
import dev.avocet.bench.jms.destination.DestinationNames;
import dev.avocet.bench.jms.plan.FlowPlan;
import dev.avocet.bench.jms.plan.ProducerPlan;
import dev.avocet.bench.jms.traffic.Bodies;
import dev.avocet.bench.jms.traffic.Connections;
import dev.avocet.bench.jms.traffic.Pace;
import dev.avocet.bench.jms.traffic.Site;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The sending side at one broker. Owned by the thread that measures. */
final class Producers {
    private static final int NONE = -1;

    private final Site site;
    private final FlowPlan flow;
    private final ProducerPlan plan;
    private final Connections connections;
    private final Audience audience;
    private final LongSupplier findRoom;
    private final List<ProducerThread> threads = new ArrayList<>();
    private final List<Integer> numbers = new ArrayList<>();
    private int streams;
    private int mostCopies = 1;

    Producers(Site site, FlowPlan flow, Connections connections, Audience audience, LongSupplier findRoom) {
        this.site = site;
        this.flow = flow;
        this.connections = connections;
        this.audience = audience;
        this.findRoom = findRoom;
        plan = flow.producers();
    }

    void open() throws JMSException {
        DestinationNames names = new DestinationNames(plan.layout(), flow.spread());
        Connection connection = null;
        Bodies bodies = new Bodies(site.plan().sizes());
        List<Outlet> outlets = new ArrayList<>();
        int thread = NONE;
        for (ClientPosition position : plan.layout().positions()) {
            List<String> own = names.of(position);
            if (!site.share().hasSender(position.thread())) {
                streams += own.size();
                continue;
            }
            if (position.thread() != thread) {
                addThread(thread, outlets);
                outlets.clear();
                bodies = new Bodies(site.plan().sizes());
                thread = position.thread();
            }
            if (connection == null || position.session() == 0) {
                connection = connections.open(null);
            }
            outlets.addAll(openSession(connection, bodies, own));
        }
        addThread(thread, outlets);
    }

    private List<Outlet> openSession(Connection connection, Bodies bodies, List<String> names) throws JMSException {
        boolean isTransacted = plan.messagesPerCommit() > 0;
        Session session = connections.openSession(
                connection, isTransacted, isTransacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
        SendsUnderWay underWay =
                plan.asyncWindow() == 0 ? null : new SendsUnderWay(session, plan.asyncWindow(), site.failures());
        SendingSession sending = new SendingSession(session, plan.messagesPerCommit(), bodies, underWay);
        MessageProducer anonymous = plan.anonymous() ? producer(session, null) : null;
        List<Outlet> outlets = new ArrayList<>();
        for (String name : names) {
            Destination destination =
                    flow.kind() == DestinationKind.QUEUE ? session.createQueue(name) : session.createTopic(name);
            outlets.add(
                    anonymous == null
                            ? new Outlet(producer(session, destination), null, sending, streams, copies(name))
                            : new Outlet(anonymous, destination, sending, streams, copies(name)));
            streams++;
        }
        return outlets;
    }

    private MessageProducer producer(Session session, @Nullable Destination destination) throws JMSException {
        MessageProducer producer = session.createProducer(destination);
        producer.setDeliveryMode(plan.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        return producer;
    }

    private int copies(String name) {
        int copies = audience.copies(name);
        if (copies == 0) {
            throw new IllegalArgumentException(String.format(
                    ROOT, "no consumer receives what is sent to '%s': give the consumers names that meet it", name));
        }
        mostCopies = Math.max(mostCopies, copies);
        return copies;
    }

    private void addThread(int number, List<Outlet> outlets) {
        if (number == NONE) {
            return;
        }
        numbers.add(number);
        Pace pace = new Pace(site.clock(), site.plan().messages(), findRoom);
        threads.add(new ProducerThread(
                "producer-" + site.number() + "-" + number,
                outlets,
                pace,
                new TimedCall(site.clock(), site.plan().timesCalls()),
                new TimedCall(site.clock(), site.plan().timesCalls()),
                site.failures()));
    }

    void start(long startNs) {
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i)
                    .pace()
                    .begin(
                            site.schedule(),
                            numbers.get(i),
                            plan.layout().threadCount(),
                            startNs + numbers.get(i) * site.plan().startDelayNs());
        }
        threads.forEach(Thread::start);
    }

    void stop() {
        threads.forEach(thread -> thread.pace().stop());
    }

    boolean isOver() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    long expected() {
        long expected = 0;
        for (int i = 0; i < threads.size(); i++) {
            expected += threads.get(i).expected();
        }
        return expected;
    }

    /** How many arrivals it makes when all threads of all parties send one message, at most. */
    long copiesAtOnce() {
        return (long) plan.layout().threadCount() * mostCopies;
    }

    Tally tally() {
        long sent = threads.stream().mapToLong(ProducerThread::sent).sum();
        return new Tally(sent, expected(), 0, 0, 0, 0);
    }

    List<ProducerThread> threads() {
        return threads;
    }
}
