package dev.avocet.bench.jms.flow;

import dev.avocet.bench.check.Counter;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.jms.traffic.Pace;
import jakarta.jms.JMSException;
import java.util.List;

/** A thread that sends through its outlets in turn, until it is stopped or a send fails. */
final class ProducerThread extends Thread {
    private final List<Outlet> outlets;
    private final Pace pace;
    private final Failures failures;
    private final TimedCall sends;
    private final TimedCall commits;
    private final Counter sent = new Counter();
    private final Counter expected = new Counter();

    ProducerThread(
            String name, List<Outlet> outlets, Pace pace, TimedCall sends, TimedCall commits, Failures failures) {
        super(name);
        this.outlets = List.copyOf(outlets);
        this.pace = pace;
        this.sends = sends;
        this.commits = commits;
        this.failures = failures;
        setDaemon(true);
    }

    @Override
    public void run() {
        sendAll();
    }

    /** On the calling thread. */
    void sendAll() {
        try {
            long intendedNs = pace.await();
            for (int next = 0; intendedNs != Pace.OVER; next = next + 1 == outlets.size() ? 0 : next + 1) {
                send(outlets.get(next), intendedNs);
                intendedNs = pace.await();
            }
            finish();
        } catch (JMSException | RuntimeException failure) {
            failures.add("send", failure);
        }
    }

    private void send(Outlet outlet, long intendedNs) throws JMSException {
        long beginNs = sends.begin();
        outlet.send(intendedNs);
        sends.end(beginNs);
        sent.increment();
        expected.add(outlet.copies());
        if (outlet.session().isCommitDue()) {
            beginNs = commits.begin();
            outlet.session().commit();
            commits.end(beginNs);
            pace.endMoment();
        }
    }

    private void finish() throws JMSException {
        for (Outlet outlet : outlets) {
            outlet.session().finish();
        }
    }

    Pace pace() {
        return pace;
    }

    TimedCall sends() {
        return sends;
    }

    TimedCall commits() {
        return commits;
    }

    long sent() {
        return sent.value();
    }

    /** How many arrivals what was sent is to make. */
    long expected() {
        return expected.value();
    }
}
