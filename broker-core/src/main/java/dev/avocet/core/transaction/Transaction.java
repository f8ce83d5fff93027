package dev.avocet.core.transaction;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.MessageQueue;
import dev.avocet.core.queue.transit.Unsettled;
import dev.avocet.core.time.TimerWheel.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages and acknowledgements that take effect together. Until it is to be committed or prepared they are here, in
 * memory and within the {@linkplain TransactionLimits limits}: no client sees the messages, and what is acknowledged
 * stays in flight.
 *
 * <p>Begun by {@link Transactions#begin}, ended by the broker. Owned by its loop; {@link #id}, {@link #loop},
 * {@link #state} and {@link #branch} are for any thread.
 */
public final class Transaction {
    private final Transactions registry;
    private final long id;
    private final IoLoop loop;
    private final int timeoutSeconds;
    private final Consumer<Transaction> onTimeout;
    private final List<Message> messages = new ArrayList<>(0);
    private final List<TransactedDelivery> deliveries = new ArrayList<>(0);
    private List<TransactedMessage> routed = List.of();
    private long bytes;
    private @Nullable Timer timer;
    private boolean timedOut;
    private boolean inStore;
    private boolean inDoubt;
    private volatile TransactionState state = TransactionState.ACTIVE;
    private volatile @Nullable BranchId branch;
    private volatile long preparedAtMs;
    private volatile @Nullable String owner;

    Transaction(Transactions registry, long id, IoLoop loop, int timeoutSeconds, Consumer<Transaction> onTimeout) {
        this.registry = registry;
        this.id = id;
        this.loop = loop;
        this.timeoutSeconds = timeoutSeconds;
        this.onTimeout = onTimeout;
    }

    /** Unique in the broker's life, and among what is prepared; more than 0. */
    public long id() {
        return id;
    }

    public IoLoop loop() {
        return loop;
    }

    public TransactionState state() {
        return state;
    }

    /** What its coordinator calls it; null for one that has no name, or not yet. */
    public @Nullable BranchId branch() {
        return branch;
    }

    /** The user who has prepared it; null where there is no user name. */
    public @Nullable String owner() {
        return owner;
    }

    /** The same, said before it is prepared. */
    public void owner(@Nullable String userName) {
        owner = userName;
    }

    /**
     * Publishes a message once the transaction commits, to who wants it then.
     *
     * @throws TransactionException when the transaction holds enough, or is not active any more; nothing has changed
     *     then
     */
    public void publish(Message message) {
        requireActive("take a message");
        requireRoom();
        registry.takeBytes(this, bytes, message.sizeBytes());
        startTimer();
        bytes += message.sizeBytes();
        messages.add(message);
    }

    /**
     * Acknowledges a delivery once the transaction commits; when it rolls back, the queue delivers the message again.
     * From now on the delivery is the transaction's: its consumer must neither settle it nor give it back.
     *
     * @param queue from which it came; where an outpost stands between, the outpost's queue
     * @param reference as it came with the delivery
     * @throws TransactionException when the transaction holds enough, or is not active any more; the delivery is the
     *     consumer's then
     */
    public void acknowledge(MessageQueue queue, Message message, long reference) {
        acknowledge(queue, message, reference, Unsettled.AS_BEFORE);
    }

    /**
     * The same from a subscription whose consumer counts the deliveries.
     *
     * @param deliveryCount as of {@link Unsettled#deliveryCount}, should it come again
     */
    public void acknowledge(MessageQueue queue, Message message, long reference, int deliveryCount) {
        requireActive("take an acknowledgement");
        requireRoom();
        startTimer();
        deliveries.add(new TransactedDelivery(queue, message, reference, deliveryCount));
    }

    /** Messages that have not been routed. */
    public List<Message> messages() {
        return messages;
    }

    /** What it has acknowledged. */
    public List<TransactedDelivery> deliveries() {
        return deliveries;
    }

    /** Its messages, once there is room for all of them. */
    public List<TransactedMessage> routed() {
        return routed;
    }

    public void routed(List<TransactedMessage> withRoom) {
        routed = withRoom;
    }

    public boolean isEmpty() {
        return messages.isEmpty() && deliveries.isEmpty();
    }

    /** True from when its first entry is written under its number, until its last one is durable. */
    public boolean isInStore() {
        return inStore;
    }

    /** Its entries are being written, under its number. */
    public void inStore() {
        inStore = true;
    }

    /** It is to be prepared under this name. */
    public void preparing(BranchId name) {
        requireActive("be prepared");
        if (!name.equals(branch)) {
            registry.takeBranch(name, this);
            branch = name;
        }
        stopTimer();
        state = TransactionState.PREPARING;
    }

    public void prepared() {
        inDoubt = true;
        preparedAtMs = loop.clock().wallTimeMs();
        state = TransactionState.PREPARED;
    }

    /** When it was prepared, or came back after a restart, in milliseconds since 1970; 0 before. Any thread. */
    public long preparedAtMs() {
        return preparedAtMs;
    }

    /** True from when it is prepared until its end is durable. */
    public boolean isInDoubt() {
        return inDoubt;
    }

    /** It is to end. */
    public void ending() {
        if (state != TransactionState.ACTIVE && state != TransactionState.PREPARED) {
            throw wrongState("end");
        }
        stopTimer();
        state = TransactionState.ENDING;
    }

    /** It took too long, and was rolled back for that. */
    public boolean isTimedOut() {
        return timedOut;
    }

    /** It has this name from its beginning, and from now on its time runs. */
    void named(BranchId name) {
        registry.takeBranch(name, this);
        branch = name;
        startTimer();
    }

    /** It is over, and forgotten. */
    public void ended(TransactionState how) {
        state = how;
        inStore = false;
        inDoubt = false;
        messages.clear();
        deliveries.clear();
        routed = List.of();
        registry.forget(this, bytes);
    }

    @Override
    public String toString() {
        return "transaction " + id + (branch == null ? "" : " (" + branch + ")");
    }

    /** With what it holds first, unless it has a name: until then it keeps nothing from others. */
    private void startTimer() {
        if (timeoutSeconds > 0 && timer == null && isEmpty()) {
            timer = loop.timers().schedule(TimeUnit.SECONDS.toNanos(timeoutSeconds), this::timeOut);
        }
    }

    private void timeOut() {
        timer = null;
        timedOut = true;
        onTimeout.accept(this);
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void requireActive(String what) {
        if (state != TransactionState.ACTIVE) {
            throw wrongState(what);
        }
    }

    private TransactionException wrongState(String what) {
        return new TransactionException(
                TransactionException.Reason.WRONG_STATE,
                this + " is " + state + (timedOut ? ", as it took too long," : "") + " and cannot " + what);
    }

    private void requireRoom() {
        int most = registry.limits().maxOperations();
        if (messages.size() + deliveries.size() >= most) {
            throw new TransactionException(
                    TransactionException.Reason.TOO_MANY_OPERATIONS,
                    this + " holds " + most
                            + " messages and acknowledgements, which is the most that are allowed: commit earlier");
        }
    }
}
