package dev.avocet.bench.jms.flow;

import dev.avocet.bench.jms.plan.ReceiveMode;
import dev.avocet.bench.jms.traffic.Failures;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that receives from its consumers in turn, until it is stopped or a receive fails. */
final class ConsumerThread extends Thread {
    private static final long TIMEOUT_MS = 10;
    private static final long NOTHING_CAME_NS = 50_000;

    private final List<Inlet> inlets;
    private final ReceiveMode mode;
    private final TimedCall receives;
    private final Failures failures;
    private final AtomicBoolean stopped = new AtomicBoolean();

    ConsumerThread(String name, List<Inlet> inlets, ReceiveMode mode, TimedCall receives, Failures failures) {
        super(name);
        this.inlets = List.copyOf(inlets);
        this.mode = mode;
        this.receives = receives;
        this.failures = failures;
        setDaemon(true);
    }

    /** A blocking receive ends when its consumer is closed. */
    void end() {
        stopped.set(true);
    }

    /** Those calls that gave a message. */
    TimedCall receives() {
        return receives;
    }

    @Override
    public void run() {
        try {
            while (!stopped.get()) {
                boolean came = false;
                for (int i = 0; i < inlets.size(); i++) {
                    came |= receive(inlets.get(i));
                }
                if (!came && mode == ReceiveMode.NO_WAIT) {
                    LockSupport.parkNanos(this, NOTHING_CAME_NS);
                }
            }
        } catch (JMSException | RuntimeException failure) {
            if (!stopped.get()) {
                failures.add("receive", failure);
            }
        }
    }

    private boolean receive(Inlet inlet) throws JMSException {
        long beginNs = receives.begin();
        Message message = next(inlet.consumer());
        if (message != null) {
            receives.end(beginNs);
            inlet.take(message);
        } else if (mode == ReceiveMode.BLOCKING) {
            // Closed.
            end();
        }
        return message != null;
    }

    private @Nullable Message next(MessageConsumer consumer) throws JMSException {
        return switch (mode) {
            case BLOCKING -> consumer.receive();
            case TIMED -> consumer.receive(TIMEOUT_MS);
            case NO_WAIT -> consumer.receiveNoWait();
            case LISTENER -> throw new IllegalStateException("listeners are called");
        };
    }
}
