package dev.avocet.jms.client.session;

import dev.avocet.jms.client.options.Option;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** DUPS_OK_ACKNOWLEDGE: many together, when there are enough of them or time is up. */
final class LazyAcknowledgement extends AutoAcknowledgement {
    private final List<Delivered> collected = new ArrayList<>();
    private final AtomicBoolean timer = new AtomicBoolean();

    LazyAcknowledgement(final JmsSession session) {
        super(session);
    }

    @Override
    void accept(final Delivered one) {
        final boolean full;
        synchronized (collected) { // The event loop's timer takes from it.
            collected.add(one);
            full = collected.size() >= one.consumer().intake().refillAt();
        }
        if (full) {
            flush();
        } else if (timer.compareAndSet(false, true)) {
            final JmsConnection connection = session.connection();
            connection.wire().runLater(this::flush, connection.options().ms(Option.ACK_INTERVAL_MS));
        }
    }

    @Override
    void flush() {
        timer.set(false);
        final List<Delivered> now;
        synchronized (collected) { // As above.
            now = List.copyOf(collected);
            collected.clear();
        }
        accept(now);
    }
}
