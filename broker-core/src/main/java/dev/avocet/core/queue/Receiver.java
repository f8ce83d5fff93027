package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A receiver as its queue sees it: what it wants, and how much it can take. Home loop of the queue. */
final class Receiver {
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
    private final EntryList held = new EntryList();
    private final Set<QueueEntry> refused = new LinkedHashSet<>(0);

    Receiver(ReceiverOptions options, ReceiverPort port, IoLoop loop) {
        this.options = options;
        this.port = port;
        this.loop = loop;
    }

    ReceiverOptions options() {
        return options;
    }

    ReceiverPort port() {
        return port;
    }

    IoLoop loop() {
        return loop;
    }

    ScanPosition scan() {
        return scan;
    }

    boolean isAttached() {
        return attached;
    }

    void attached(boolean now) {
        attached = now;
    }

    int credit() {
        return credit;
    }

    void grant(int more) {
        credit = (int) Math.min(Integer.MAX_VALUE, (long) credit + more);
    }

    void revoke() {
        credit = 0;
    }

    boolean isDraining() {
        return draining;
    }

    void draining(boolean now) {
        draining = now;
    }

    boolean isBlocked() {
        return blocked;
    }

    void blocked(boolean now) {
        blocked = now;
    }

    /** True when a message that arrives may go to it at once. */
    boolean isReady() {
        return attached && credit > 0 && !blocked;
    }

    boolean selects(Message message) {
        return options.selector() == null || options.selector().matches(message);
    }

    boolean hasBegunBrowsing() {
        return browsed;
    }

    /** A browser looks through what is in the queue now. */
    void browse(BrowsePosition from) {
        browsing = from;
        browsed = true;
    }

    /** Where a browser has got to; null before it has begun and when it has seen everything. */
    @Nullable BrowsePosition browsing() {
        return browsing;
    }

    /** A browser has seen everything. */
    void endBrowsing() {
        browsing = null;
    }

    /** What it has in flight. */
    EntryList held() {
        return held;
    }

    /** It does not want to see an entry again. */
    void refused(QueueEntry entry) {
        refused.add(entry);
    }

    void forgetRefused(QueueEntry entry) {
        refused.remove(entry);
    }

    /** Whether there is anything that it does not want to see again. */
    boolean hasRefused() {
        return !refused.isEmpty();
    }

    /** Some of what it does not want to see again and is not over; the receiver forgets it. */
    List<QueueEntry> takeRefused(int most) {
        List<QueueEntry> some = new ArrayList<>();
        Iterator<QueueEntry> all = refused.iterator();
        while (some.size() < most && all.hasNext()) {
            some.add(all.next());
            all.remove();
        }
        return some;
    }

    /** False when it is to go on already in a later turn; now it is. */
    boolean goesOnLater() {
        boolean first = !goingOn;
        goingOn = true;
        return first;
    }

    /** It goes on now. */
    void goesOn() {
        goingOn = false;
    }

    /** Sends a delivery with the others of this batch. */
    void deliver(QueueDelivery delivery, IoLoop home) {
        credit--;
        deliveries++;
        if (outgoing.isEmpty()) {
            home.atBatchEnd(() -> sendBatch(home));
        }
        outgoing.add(delivery);
    }

    /** Deliveries so far. */
    long deliveries() {
        return deliveries;
    }

    /** Tells that credit and messages are used up, behind everything that was delivered. */
    void drained(IoLoop home) {
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
