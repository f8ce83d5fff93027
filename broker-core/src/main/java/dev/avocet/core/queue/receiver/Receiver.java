package dev.avocet.core.queue.receiver;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.queue.ranked.BrowsePosition;
import dev.avocet.core.queue.ranked.EntryHolder;
import dev.avocet.core.queue.ranked.ScanPosition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A receiver as its queue sees it: what it wants, and how much it can take. Home loop of the queue. */
public final class Receiver extends EntryHolder {
    private final ReceiverOptions options;
    private final ReceiverPort port;
    private final IoLoop loop;
    private final ScanPosition scan = new ScanPosition();
    private List<QueueDelivery> outgoing = new ArrayList<>();

    private int credit;
    private long deliveries;
    /** It wants to hear when nothing more is there for it. */
    private boolean draining;
    /** What comes next for it is on its way back from the store. */
    private boolean blocked;

    private boolean attached;
    private @Nullable BrowsePosition browsing;
    private boolean browsed;
    private boolean goingOn;

    Receiver(ReceiverOptions options, ReceiverPort port, IoLoop loop) {
        this.options = options;
        this.port = port;
        this.loop = loop;
    }

    /** What it wants. */
    public ReceiverOptions options() {
        return options;
    }

    /** Its end on the consumer's loop; only that loop calls it. */
    public ReceiverPort port() {
        return port;
    }

    /** The consumer's. */
    public IoLoop loop() {
        return loop;
    }

    /** How far it has looked through what waits. */
    public ScanPosition scan() {
        return scan;
    }

    /** Whether the queue serves it. */
    public boolean isAttached() {
        return attached;
    }

    /** The queue begins to serve it, or does so no longer. */
    public void attached(boolean now) {
        attached = now;
    }

    /** How many deliveries it may get. */
    public int credit() {
        return credit;
    }

    /** Allows so many deliveries more. */
    public void grant(int more) {
        credit = (int) Math.min(Integer.MAX_VALUE, (long) credit + more);
    }

    /** Takes all credit back. */
    public void revoke() {
        credit = 0;
    }

    /** True while it wants to hear when nothing more is there for it. */
    public boolean isDraining() {
        return draining;
    }

    /** It wants to hear when nothing more is there for it, or has heard it. */
    public void draining(boolean now) {
        draining = now;
    }

    /** True while what comes next for it is on its way back from the store. */
    public boolean isBlocked() {
        return blocked;
    }

    /** What comes next for it is being read, or is there. */
    public void blocked(boolean now) {
        blocked = now;
    }

    /** True when a message that arrives may go to it at once. */
    boolean isReady() {
        return attached && credit > 0 && !blocked;
    }

    /** Whether its selector wants a message. */
    public boolean selects(Message message) {
        return options.selector() == null || options.selector().matches(message);
    }

    /** True from its first look on, of a browser. */
    public boolean hasBegunBrowsing() {
        return browsed;
    }

    /** A browser looks through what is in the queue now. */
    public void browse(BrowsePosition from) {
        browsing = from;
        browsed = true;
    }

    /** Where a browser has got to; null before it has begun and when it has seen everything. */
    public @Nullable BrowsePosition browsing() {
        return browsing;
    }

    /** A browser has seen everything. */
    public void endBrowsing() {
        browsing = null;
    }

    /** False when it is to go on already in a later turn; now it is. */
    public boolean goesOnLater() {
        boolean first = !goingOn;
        goingOn = true;
        return first;
    }

    /** It goes on now. */
    public void goesOn() {
        goingOn = false;
    }

    /** Sends a delivery with the others of this batch. */
    public void deliver(QueueDelivery delivery, IoLoop home) {
        credit--;
        deliveries++;
        if (outgoing.isEmpty()) {
            home.atBatchEnd(() -> sendBatch(home));
        }
        outgoing.add(delivery);
    }

    /** Deliveries so far. */
    public long deliveries() {
        return deliveries;
    }

    /** Tells that credit and messages are used up, behind everything that was delivered. */
    public void drained(IoLoop home) {
        draining = false;
        credit = 0;
        home.atBatchEnd(() -> home.post(loop, port::onDrained));
    }

    private void sendBatch(IoLoop home) {
        List<QueueDelivery> batch = outgoing;
        outgoing = new ArrayList<>();
        home.post(loop, () -> port.onDeliveries(batch));
    }
}
