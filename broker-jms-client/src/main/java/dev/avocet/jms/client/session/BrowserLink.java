package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.Await;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.wire.LinkProtection;
import dev.avocet.jms.client.wire.ReceiverEvents;
import dev.avocet.jms.client.wire.ReceiverSpec;
import dev.avocet.jms.client.wire.WireReceiver;
import dev.avocet.jms.client.wire.route.WireException;
import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.jspecify.annotations.Nullable;

/**
 * The link of one enumeration. Batch after batch is asked for and drained, so that the end is seen and no message
 * waited for.
 */
final class BrowserLink implements ReceiverEvents {
    private static final int BATCH = 100;
    /** Artemis at times never says that it has no more. */
    private static final int PATIENCE_S = 5;

    private final JmsSession session;
    private final ConcurrentLinkedQueue<byte[]> arrived = new ConcurrentLinkedQueue<>();
    private @Nullable WireReceiver link;
    private boolean used;
    /** What came since a batch was asked for. */
    private int taken;
    /** An answer that brings nothing may be the one to an earlier batch, which was over with its last message. */
    private boolean answersMayBeLate;

    private BrowserLink(final JmsSession session) {
        this.session = session;
    }

    static BrowserLink open(final JmsSession session, final ReceiverSpec spec) throws JMSException {
        final BrowserLink browser = new BrowserLink(session);
        session.connection()
                .onLoop(
                        () -> {
                            final WireReceiver made = session.wire().receiver(spec, browser);
                            browser.link = made;
                            return made.opened();
                        },
                        "creating a browser");
        return browser;
    }

    @Nullable LinkProtection protection() {
        final WireReceiver from = link;
        return from == null ? null : from.protection();
    }

    boolean isUsed() {
        return used;
    }

    void use() {
        used = true;
    }

    byte @Nullable [] next() throws JMSException {
        final byte[] ready = arrived.poll();
        final WireReceiver from = link;
        if (ready != null || from == null) {
            taken++;
            return ready;
        }
        final byte[] asked = ask(from);
        return asked == null && answersMayBeLate ? ask(from) : asked;
    }

    private byte @Nullable [] ask(final WireReceiver from) throws JMSException {
        answersMayBeLate |= taken >= BATCH;
        session.connection()
                .onLoop(
                        () -> {
                            final CompletableFuture<Void> drained = new CompletableFuture<>();
                            from.drain(BATCH, () -> drained.complete(null));
                            return drained.completeOnTimeout(null, PATIENCE_S, TimeUnit.SECONDS);
                        },
                        "browsing");
        final byte[] first = arrived.poll();
        taken = first == null ? 0 : 1;
        return first;
    }

    void close() throws JMSException {
        final WireReceiver open = link;
        link = null;
        if (open != null) {
            Await.of(
                    session.connection().later(() -> open.close(true)),
                    session.connection().options().ms(Option.CLOSE_TIMEOUT_MS),
                    "closing a browser");
        }
    }

    @Override
    public void arrived(final byte[] message, final IncomingDelivery delivery) {
        arrived.add(message);
        // A server that sends copies unsettled is told that they have come.
        if (!delivery.isRemotelySettled() && link != null) {
            link.settle(delivery, WireReceiver.ACCEPTED);
        }
    }

    @Override
    public void readComplete() {
        // Who waits, waits for the drain.
    }

    @Override
    public void restored() {
        // The enumeration goes on with its next batch, from the queue's beginning.
    }

    @Override
    public void interrupted() {
        // Copies need no acknowledgement.
    }

    @Override
    public void ended(final WireException cause) {
        // The next batch finds nothing.
    }
}
