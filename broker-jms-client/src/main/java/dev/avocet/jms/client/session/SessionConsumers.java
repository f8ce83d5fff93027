package dev.avocet.jms.client.session;

import dev.avocet.jms.client.message.JmsDestination;
import dev.avocet.jms.client.wire.WireReceiver;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The consumers of a session: those that are open, from any thread, and those that are closed and not yet done, of the
 * session's thread.
 */
final class SessionConsumers implements Iterable<JmsConsumer> {
    private final JmsSession session;
    private final List<JmsConsumer> open = new CopyOnWriteArrayList<>();
    /** They wait for the acknowledgement of what they delivered. */
    private final List<JmsConsumer> retired = new ArrayList<>();

    SessionConsumers(final JmsSession session) {
        this.session = session;
    }

    /** Those that are open. */
    @Override
    public Iterator<JmsConsumer> iterator() {
        return open.iterator();
    }

    void add(final JmsConsumer consumer) {
        open.add(consumer);
    }

    boolean consumeFrom(final JmsDestination destination) {
        return open.stream().anyMatch(consumer -> consumer.destination().equals(destination));
    }

    /** The consumer is closed; its link stays while something that it delivered is unacknowledged. */
    void retire(final JmsConsumer consumer) throws JMSException {
        open.remove(consumer);
        session.acknowledgement().flush();
        if (session.acknowledgement().holds(consumer)) {
            retired.add(consumer);
        } else {
            consumer.closeLink();
        }
    }

    void closeRetired() throws JMSException {
        for (final JmsConsumer consumer : retired) {
            consumer.closeLink();
        }
        retired.clear();
    }

    boolean isEmpty() {
        return open.isEmpty() && retired.isEmpty();
    }

    void releaseNames() {
        open.forEach(JmsConsumer::releaseName);
        retired.forEach(JmsConsumer::releaseName);
    }

    /** Those that are open and those that are not yet done. */
    List<JmsConsumer> all() {
        final List<JmsConsumer> all = new ArrayList<>(open);
        all.addAll(retired);
        return all;
    }

    /**
     * What those that are open have cached goes back to the server, so that what comes back there comes before it. Of
     * the event loop.
     */
    CompletableFuture<Void> returnCached() {
        return drained(session.isClosed() ? List.of() : List.copyOf(open), List.of());
    }

    /** After {@link #returnCached}. Of the event loop. */
    void topUp() {
        if (!session.isClosed()) {
            open.forEach(consumer -> consumer.intake().topUp());
        }
    }

    /**
     * When nothing is on its way to these consumers, what has failed goes back, and then what they have cached. Of the
     * event loop.
     *
     * @param failed what the application has seen: it counts as delivered
     */
    CompletableFuture<Void> drained(final List<JmsConsumer> consumers, final List<Delivered> failed) {
        return CompletableFuture.allOf(consumers.stream()
                        .map(consumer -> consumer.intake().drain())
                        .toArray(CompletableFuture<?>[]::new))
                .thenRunAsync(
                        () -> giveBack(consumers, failed), session.connection().wire()::run);
    }

    private static void giveBack(final List<JmsConsumer> consumers, final List<Delivered> failed) {
        for (final Delivered one : failed) {
            one.settle(WireReceiver.FAILED);
        }
        for (final JmsConsumer consumer : consumers) {
            consumer.intake().releaseCached();
            consumer.intake().topUp();
        }
    }
}
