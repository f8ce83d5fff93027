package dev.avocet.core.broker.retained;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.Standing;
import dev.avocet.core.message.StoredMessage;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.SubscriptionQueue;
import dev.avocet.core.queue.room.Reservation;
import dev.avocet.core.queue.room.RoomWaiter;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.store.Store;
import dev.avocet.core.topic.RetainedMessages;
import dev.avocet.core.topic.RetainedPlace;
import dev.avocet.core.topic.RetainedWalk;
import dev.avocet.core.topic.Subscription;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Feeds retained messages to a new subscription as its queue has room, so that a subscription to everything neither
 * overflows its own queue nor loses what does not fit at once. A queue that survives gets a durable reference to each,
 * beside the one that retains it, without a second payload. Runs on the queue's home loop and ends with the queue. A
 * client that subscribes again meanwhile begins the replay anew, so there is never more than one for a queue.
 */
public final class RetainedReplay implements Runnable {
    /**
     * Nodes of the retained messages per turn, about a millisecond: other clients of the loop get theirs in between.
     */
    private static final int TURN = 1000;

    private static final long MEMORY_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A message that is retained can be referred to. That it is not any more happens once, seldom twice. */
    private static final int ATTEMPTS = 3;

    private final SubscriptionQueue queue;
    private final @Nullable Store store;
    private final RetainedMessages retained;
    private final @Nullable RetainedReads reads;
    private RetainedWalk walk;
    private Subscription subscription;
    private DeliveryOptions options;
    /** Found and not yet delivered, as there was no room. */
    private @Nullable Message next;
    /** Not read yet in this life of the broker: to be read together. */
    private List<RetainedPlace> unread = new ArrayList<>();
    /** Read for this replay, and not looked at. */
    private final Deque<RetainedPlace> read = new ArrayDeque<>();

    private final RoomWaiter waiter = new RoomWaiter(this::callHome);
    /** Whether references were written in this turn. */
    private boolean written;

    private RetainedReplay(RetainedMessages retained, Subscription subscription, @Nullable Store store) {
        this.store = store;
        this.retained = retained;
        this.reads = store == null ? null : new RetainedReads(retained, store);
        this.walk = retained.walk(subscription.filter());
        this.subscription = subscription;
        this.queue = subscription.queue();
        this.options = subscription.options().asRetained();
    }

    /**
     * Begins a replay, or begins the one anew that the subscription's queue is being fed by. Home loop of the queue.
     */
    public static void begin(RetainedMessages retained, Subscription subscription, @Nullable Store store) {
        if (subscription.queue().feeder() instanceof RetainedReplay running) {
            running.walk = retained.walk(subscription.filter());
            running.subscription = subscription;
            running.options = subscription.options().asRetained();
            running.next = null;
            running.unread = new ArrayList<>(); // what is being read is met again by the new walk
            running.read.clear();
        } else {
            new RetainedReplay(retained, subscription, store).run();
        }
    }

    @Override
    public void run() {
        IoLoop home = queue.home();
        if (!home.inLoop()) {
            home.execute(this); // the session has moved
            return;
        }
        queue.feeder(null);
        feed(home);
        if (store != null && written) {
            written = false;
            // the references are written before whatever their end is written by, on whichever loop the queue is then
            store.writer(home).seal();
        }
    }

    private void feed(IoLoop home) {
        for (int turn = 0; turn < TURN; turn++) {
            if (queue.isClosed()) {
                return;
            }
            if (next == null && read.isEmpty() && !advance()) {
                if (!unread.isEmpty()) {
                    queue.feeder(this);
                    readUnread(home);
                }
                return;
            }
            if (!deliverNext(home)) {
                queue.feeder(this);
                waitForRoom(home);
                return;
            }
        }
        queue.feeder(this);
        home.executeAfterInput(this);
    }

    /** Moves on; false at the end, and when enough is to be read. */
    private boolean advance() {
        if (RetainedReads.isEnough(unread) || !walk.advance()) {
            return false;
        }
        RetainedPlace place = reads == null ? null : walk.place();
        if (place != null) {
            unread.add(place);
        }
        return true;
    }

    private void readUnread(IoLoop home) {
        List<RetainedPlace> places = unread;
        Objects.requireNonNull(reads).read(places, home, () -> onRead(places));
    }

    @SuppressWarnings("ReferenceEquality") // it is this very list
    private void onRead(List<RetainedPlace> places) {
        IoLoop home = queue.home();
        if (!home.inLoop()) {
            home.execute(() -> onRead(places)); // the session has moved
            return;
        }
        if (places == unread) { // or else the replay has begun anew
            unread = new ArrayList<>();
            read.addAll(places);
        }
        run();
    }

    private @Nullable Message nextMessage(IoLoop home) {
        RetainedPlace place = read.poll();
        long nowNs = home.clock().nanoTime();
        return place == null ? walk.message(nowNs) : retained.find(TopicName.of(place.topic()), nowNs);
    }

    /** False when there is a message and no room for it. */
    private boolean deliverNext(IoLoop home) {
        Message message = next == null ? nextMessage(home) : next;
        next = null;
        if (message == null
                || !subscription.wants(message)
                || (subscription.noLocal() && subscription.owner().equals(message.publisher()))) {
            return true;
        }
        if (!queue.hasRoom() || queue.reserveUnstored() != Reservation.GRANTED) {
            next = message;
            return false;
        }
        put(message, home);
        return true;
    }

    private void put(Message message, IoLoop home) {
        DeliveryOptions options =
                message.isDelayed() ? DeliveryOptions.of(this.options, Standing.of(message)) : this.options;
        Store keeper = store;
        if (keeper == null || !isToBeKept(message) || !keeper.acceptsMessages()) {
            queue.put(message, options, home);
            return;
        }
        Message candidate = message;
        for (int attempt = 0; attempt < ATTEMPTS && candidate instanceof StoredMessage stored; attempt++) {
            if (keeper.acquire(stored)) {
                long reference = queue.nextReference();
                keeper.writer(home).enqueue(stored, queue.durableId(), reference, options);
                written = true;
                queue.putStored(stored, options, reference, stored.position(), stored.storedBytes(), home);
                return;
            }
            candidate = retained.find(message.topic(), home.clock().nanoTime()); // another has taken its place
        }
        queue.put(message, options, home);
    }

    /** At QoS 0 nothing is kept; what was published at a higher one lies in the store. */
    private boolean isToBeKept(Message message) {
        return queue.durableId() != DeliverySource.NOT_STORED
                && message.qos().min(options.qos()) != QualityOfService.AT_MOST_ONCE;
    }

    private void callHome() {
        queue.home().execute(() -> {
            queue.stopAwaitingRoom(waiter); // it goes on now, or never
            run();
        });
    }

    private void waitForRoom(IoLoop home) {
        if (home.memory().buffersMessages()) {
            queue.awaitRoom(waiter);
        } else {
            home.timers().schedule(MEMORY_RETRY_NS, this); // no event says when there is memory again
        }
    }
}
