package dev.avocet.bench.jms.flow;

import static java.util.Locale.ROOT;

import dev.avocet.bench.jms.traffic.Failures;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The messages of a session's asynchronous sends: taken by its thread, given back by the client's when the send is
 * complete.
 */
final class SendsUnderWay implements CompletionListener {
    private static final long LONGEST_WAIT_S = 30;

    private final int window;
    private final ArrayBlockingQueue<BytesMessage> idle;
    private final Failures failures;

    SendsUnderWay(Session session, int window, Failures failures) throws JMSException {
        this.window = window;
        this.failures = failures;
        idle = new ArrayBlockingQueue<>(window);
        for (int i = 0; i < window; i++) {
            idle.add(session.createBytesMessage());
        }
    }

    BytesMessage take() throws JMSException {
        try {
            BytesMessage message = idle.poll(LONGEST_WAIT_S, TimeUnit.SECONDS);
            if (message == null) {
                throw new JMSException(String.format(ROOT, "no completion of a send for %d s", LONGEST_WAIT_S));
            }
            return message;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new JMSException("interrupted while it waited for the completion of a send");
        }
    }

    /** Takes all messages out, for which they have to be back. */
    void awaitAll() throws JMSException {
        for (int i = 0; i < window; i++) {
            take();
        }
    }

    @Override
    public void onCompletion(Message message) {
        idle.offer((BytesMessage) message);
    }

    @Override
    public void onException(Message message, Exception failure) {
        failures.add("asynchronous send", failure);
        idle.offer((BytesMessage) message);
    }
}
