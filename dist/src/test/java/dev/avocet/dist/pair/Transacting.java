package dev.avocet.dist.pair;

import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A transacted producer and a transacted consumer of one queue, on threads of their own, until they are stopped. */
final class Transacting {
    private static final String QUEUE = "work";
    private static final int BATCH = 3;
    private static final int PAUSE_MS = 5;
    private static final int RECEIVE_MS = 100;

    private final AvocetConnectionFactory factory;
    private final QueueAccount account = new QueueAccount();
    private volatile boolean finishing;
    private volatile boolean stopped;
    private volatile boolean finished;
    private volatile @Nullable String problem;

    Transacting(int[] ports) {
        factory = new AvocetConnectionFactory("avocet:(127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1]
                + ")?idleTimeout=2000&reconnectDelay=20&reconnectDelayMax=200&closeTimeout=2000");
    }

    QueueAccount account() {
        return account;
    }

    void start() {
        run(this::produce, "producer");
        run(this::consume, "consumer");
    }

    /** No new transaction is begun; what is in the queue is taken. */
    void finish() {
        finishing = true;
    }

    boolean isFinished() {
        return finished;
    }

    void stop() {
        stopped = true;
    }

    @Nullable String problem() {
        List<String> found = account.problems();
        return found.isEmpty() ? problem : found.toString();
    }

    private void produce() throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(session.createQueue(QUEUE))) {
            for (int first = 0; !finishing && !stopped; first += BATCH) {
                int begin = first;
                account.sent(begin, BATCH, Transactions.outcome(() -> {
                    for (int number = begin; number < begin + BATCH; number++) {
                        Message message = session.createMessage();
                        message.setIntProperty("number", number);
                        producer.send(message);
                    }
                    session.commit();
                }));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
            }
        }
        finished = true;
    }

    private void consume() throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE))) {
            connection.start();
            while (!stopped) {
                List<Integer> numbers = new ArrayList<>();
                Message message = consumer.receive(RECEIVE_MS);
                while (message != null) {
                    int number = message.getIntProperty("number");
                    account.received(number);
                    numbers.add(number);
                    message = numbers.size() < BATCH ? consumer.receiveNoWait() : null;
                }
                if (!numbers.isEmpty()) {
                    account.settled(numbers, Transactions.outcome(session::commit));
                }
            }
        }
    }

    private void run(Transactions.Work work, String name) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (JMSException | RuntimeException e) {
                        if (!stopped) {
                            problem = name + ": " + e;
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
