package dev.avocet.bench.jms.flow;

import dev.avocet.bench.check.Counter;
import dev.avocet.bench.jms.traffic.Failures;
import dev.avocet.bench.jms.traffic.Pace;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.run.RunClock;
import jakarta.jms.JMSException;
import java.util.List;

/** A thread that sends through its outlets in turn, until it is stopped or a send fails. */
final class ProducerThread extends Thread {
    private final List<Outlet> outlets;
    private final Pace pace;
    private final Failures failures;
    private final Calls calls;
    private final Counter sent = new Counter();
    private final Counter expected = new Counter();

    /** The durations of {@code send} and {@code commit}. */
    static final class Calls {
        private final RunClock clock;
        private final boolean isTimed;
        private final LatencyRecorder sends = new LatencyRecorder();
        private final LatencyRecorder commits = new LatencyRecorder();

        Calls(RunClock clock, boolean isTimed) {
            this.clock = clock;
            this.isTimed = isTimed;
        }

        LatencyRecorder sends() {
            return sends;
        }

        LatencyRecorder commits() {
            return commits;
        }

        private long begin() {
            return isTimed ? clock.nanoTime() : 0;
        }

        private void end(LatencyRecorder recorder, long beginNs) {
            if (isTimed) {
                recorder.record(clock.nanoTime() - beginNs);
            }
        }
    }

    ProducerThread(String name, List<Outlet> outlets, Pace pace, Calls calls, Failures failures) {
        super(name);
        this.outlets = List.copyOf(outlets);
        this.pace = pace;
        this.calls = calls;
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
        long beginNs = calls.begin();
        outlet.send(intendedNs);
        calls.end(calls.sends, beginNs);
        sent.increment();
        expected.add(outlet.copies());
        if (outlet.session().isCommitDue()) {
            beginNs = calls.begin();
            outlet.session().commit();
            calls.end(calls.commits, beginNs);
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

    Calls calls() {
        return calls;
    }

    long sent() {
        return sent.value();
    }

    /** How many arrivals what was sent is to make. */
    long expected() {
        return expected.value();
    }
}
