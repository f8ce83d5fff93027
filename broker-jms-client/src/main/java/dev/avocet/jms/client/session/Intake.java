package dev.avocet.jms.client.session;

import dev.avocet.jms.client.call.ArrivalQueue;
import dev.avocet.jms.client.wire.ReceiverEvents;
import dev.avocet.jms.client.wire.ReceiverSpec;
import dev.avocet.jms.client.wire.WireConnection;
import dev.avocet.jms.client.wire.WireReceiver;
import dev.avocet.jms.client.wire.WireSession;
import dev.avocet.jms.client.wire.route.WireException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.jspecify.annotations.Nullable;

/**
 * The half of a consumer that faces the server: its link, the credit that it gives there, and the cache of what has
 * come. The event loop fills the cache and the session's thread empties it; credit is given again when a quarter of it
 * is used. Owned by the event loop, but for the methods that say otherwise.
 */
final class Intake implements ReceiverEvents {
    /** Servers are known that sometimes do not answer when they are asked for the last of the credit. */
    private static final long DRAIN_PATIENCE_S = 5;

    private final JmsConsumer consumer;
    private final WireConnection loop;
    private final int cacheSize;
    /** Each holds its message as its linked resource. */
    private final ArrivalQueue cache = new ArrivalQueue();

    private @Nullable WireReceiver link;
    /** What receiveBody could not give in the type that was asked for, and what comes next therefore. */
    private volatile @Nullable IncomingDelivery putBack;

    private volatile boolean creditGiven;
    private long arrivedCount;
    /** Credit that was given and not used. */
    private long creditLeft;
    /** Deliveries that other sessions have and have not settled. */
    private int lent;
    /** What is to be done when they have. */
    private @Nullable Runnable onReturned;
    /** How many were taken; written by the session's thread. */
    private volatile long takenCount;
    /** Of the session's thread. */
    private long takenAtRefill;

    /** @param cacheSize 0: each message is asked for when it is wanted */
    Intake(final JmsConsumer consumer, final WireConnection loop, final int cacheSize) {
        this.consumer = consumer;
        this.loop = loop;
        this.cacheSize = cacheSize;
    }

    CompletableFuture<Void> attach(final WireSession to, final ReceiverSpec spec) {
        final WireReceiver made = to.receiver(spec, this);
        link = made;
        return made.opened();
    }

    /** From any thread. */
    WireReceiver link() {
        if (link == null) {
            throw new IllegalStateException("the consumer is not attached");
        }
        return link;
    }

    boolean hasCache() {
        return cacheSize > 0;
    }

    /** So many are taken before credit is given again. From any thread. */
    int refillAt() {
        return Math.max(1, cacheSize / 4);
    }

    // ----- What the link tells.

    @Override
    public void arrived(final byte[] message, final IncomingDelivery delivery) {
        arrivedCount++;
        creditLeft--;
        delivery.setLinkedResource(message);
        cache.add(delivery);
    }

    @Override
    public void readComplete() {
        consumer.wake();
    }

    /** What is cached unsettled is the server's again; it sends it once more, on the next line. */
    @Override
    public void interrupted() {
        consumer.lineLost();
        creditLeft = 0;
        lent = 0;
        returned();
        final IncomingDelivery again = putBack;
        if (again != null && !again.isRemotelySettled()) {
            putBack = null;
        }
        cache.withdraw(arrived -> !arrived.isRemotelySettled(), arrived -> arrivedCount--);
        consumer.wake();
    }

    @Override
    public void restored() {
        topUp();
        // A waiting receive without a cache asks again.
        consumer.wake();
    }

    @Override
    public void ended(final WireException cause) {
        consumer.ended(cause, link != null && !link.opened().isCompletedExceptionally());
    }

    // ----- Credit.

    /** From now on there is credit. From any thread. */
    void start() {
        if (!creditGiven) {
            creditGiven = true;
            loop.run(this::topUp);
        }
    }

    /** Gives credit up to the size of the cache; without one, for one message where a listener waits. */
    void topUp() {
        if (!creditGiven) {
            return;
        }
        if (cacheSize == 0 && consumer.isListening()) {
            askForOne();
        } else if (cacheSize > 0 && !consumer.isClosed()) {
            give(cacheSize - creditLeft - cached());
        }
    }

    void askForOne() {
        if (!consumer.isClosed() && creditLeft + cached() == 0) {
            give(1);
        }
    }

    private long cached() {
        return Math.max(0, arrivedCount - takenCount);
    }

    private void give(final long credit) {
        if (credit > 0) {
            creditLeft += credit;
            link().addCredit((int) credit);
        }
    }

    /** Ends when nothing more can come, or the server has not said so for long: not always on the event loop. */
    CompletableFuture<Void> drain() {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        link().drain(() -> {
            creditLeft = 0;
            done.complete(null);
        });
        return done.completeOnTimeout(null, DRAIN_PATIENCE_S, TimeUnit.SECONDS);
    }

    // ----- What has come.

    /** The next message; null: there is none. Of the session's thread. */
    @Nullable IncomingDelivery poll() {
        final IncomingDelivery again = putBack;
        if (again != null) {
            putBack = null;
            return again;
        }
        final IncomingDelivery arrived = cache.poll();
        if (arrived != null) {
            final long taken = takenCount + 1;
            takenCount = taken;
            if (taken - takenAtRefill >= refillAt()) {
                takenAtRefill = taken;
                loop.run(this::topUp);
            }
        }
        return arrived;
    }

    /** Nothing that came from the server waits. Of the session's thread. */
    boolean isEmpty() {
        return cache.isEmpty();
    }

    /** It is the next again. Of the session's thread. */
    void putBack(final IncomingDelivery arrived) {
        putBack = arrived;
    }

    /** Gives what is cached back; what came settled stays. */
    void releaseCached() {
        final IncomingDelivery again = putBack;
        if (again != null && !again.isRemotelySettled()) {
            putBack = null;
            link().settle(again, WireReceiver.RELEASED);
        }
        cache.withdraw(arrived -> !arrived.isRemotelySettled(), arrived -> {
            arrivedCount--;
            link().settle(arrived, WireReceiver.RELEASED);
        });
    }

    /** It came on the line that there is now. */
    boolean isCurrent(final IncomingDelivery delivery) {
        return link().isCurrent(delivery);
    }

    void settle(final IncomingDelivery delivery, final DeliveryState state) {
        link().settle(delivery, state);
        if (lent > 0 && link().isCurrent(delivery)) {
            lent--;
            returned();
        }
    }

    // ----- What other sessions have.

    /** So many that were taken go to other sessions. From any thread, before they do. */
    void lend(final int deliveries) {
        loop.run(() -> lent += deliveries);
    }

    private void returned() {
        final Runnable then = onReturned;
        if (lent == 0 && then != null) {
            onReturned = null;
            then.run();
        }
    }

    /**
     * Closes the link. What other sessions have yet they can settle only as long as there is the link; no caller waits
     * for them.
     */
    CompletableFuture<Void> close(final boolean forGood) {
        if (lent == 0) {
            return link().close(forGood);
        }
        onReturned = () -> link().close(forGood);
        return CompletableFuture.completedFuture(null);
    }
}
