package dev.avocet.ha;

import dev.avocet.ha.link.LinkConnection;
import dev.avocet.ha.log.MemberLog;
import dev.avocet.ha.log.RecentRecords;
import dev.avocet.ha.role.EpochStarts;
import dev.avocet.ha.role.PairMessage;
import dev.avocet.ha.role.PairNode;
import dev.avocet.ha.role.PairPort;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The link in one life of a member: what goes over it, and what of it the log has taken. Thread of the pair. */
final class LifeLink {
    private static final Logger LOG = LoggerFactory.getLogger(LifeLink.class);
    private static final String TOO_OLD_FOR_A_STORE =
            "it lacks more than is kept, and is too old to take a checkpoint: upgrade it";

    private final MemberLog log;
    private final Shipper shipper;
    private final Consumer<Consumer<PairNode>> node;
    private @Nullable LinkConnection present;

    /** Read by the thread that ships. */
    private volatile boolean isAwaited;

    /** Of the records that came last, if they were taken. */
    private int takenBytes;

    /** @param node has the state machine hear something, from any thread */
    LifeLink(MemberLog log, Shipper shipper, Consumer<Consumer<PairNode>> node) {
        this.log = log;
        this.shipper = shipper;
        this.node = node;
    }

    /** Whether clients wait for the other node to have what it is sent, from now on. */
    void awaits(boolean clientsWait) {
        boolean waited = isAwaited;
        isAwaited = clientsWait;
        if (clientsWait && !waited) {
            shipper.wake();
        }
    }

    void up(LinkConnection connection) {
        present = connection;
    }

    /** Returns whether it was the link of now. */
    boolean down(LinkConnection connection) {
        shipper.wake();
        if (!connection.equals(present)) {
            return false;
        }
        present = null;
        RecentRecords recent = log.recent();
        if (recent != null) {
            recent.unwanted();
        }
        return true;
    }

    /** Nothing goes over it any more. */
    void end() {
        present = null;
    }

    @Nullable LinkConnection present() {
        return present;
    }

    private @Nullable LinkConnection of(long number) {
        LinkConnection link = present;
        return link != null && link.number() == number ? link : null;
    }

    /** What the log has taken is to be counted so. */
    Runnable taken(int bytes) {
        LinkConnection from = present;
        takenBytes = bytes;
        return from == null ? () -> {} : () -> from.used(bytes);
    }

    /** Has records, or a part of a checkpoint, received: what was not taken takes no room. */
    void receive(LinkConnection connection, int bytes, Runnable receiving) {
        takenBytes = 0;
        receiving.run();
        if (takenBytes == 0) {
            connection.used(bytes);
        }
    }

    void send(long number, PairMessage message) {
        LinkConnection link = of(number);
        if (link != null) {
            link.send(message);
        }
    }

    /** As {@link PairPort#ship}: a partner that keeps up gets what was appended lately, at once. */
    long ship(long number, long epoch, long from, long end) {
        LinkConnection link = of(number);
        RecentRecords recent = log.recent();
        if (link == null || recent == null) {
            return PairPort.UNDER_WAY; // until that link is down
        }
        PairMessage.Records records = recent.from(epoch, from);
        if (records != null && link.trySend(records, recent.whenWritten())) {
            recent.sent();
            return records.end();
        }
        if (records == null && recent.mayHaveSoon(from)) {
            return from;
        }
        shipper.ship(
                log,
                link,
                epoch,
                from,
                end,
                () -> isAwaited,
                shipped -> node.accept(machine -> machine.shipped(number, epoch, shipped)));
        return PairPort.UNDER_WAY;
    }

    /** As {@link PairPort#shipStore}; returns whether it is begun. */
    boolean shipStore(long number, long epoch, long request, EpochStarts starts) {
        LinkConnection link = of(number);
        if (link == null) {
            return false;
        }
        if (!link.carriesStores()) {
            link.send(new PairMessage.Refuse(epoch, log.storeId(), TOO_OLD_FOR_A_STORE));
            return false;
        }
        shipper.shipStore(
                log,
                link,
                epoch,
                new Shipper.StoreStart(request, starts),
                (end, checkpoint) -> node.accept(machine -> machine.storeShipped(number, epoch, end, checkpoint)));
        return true;
    }

    /** The store that comes is of no use. */
    void refuseStore(String why) {
        LinkConnection link = present;
        if (link != null) {
            LOG.warn("The store that the active node sends is of no use, and is asked for anew: {}", why);
            link.close("this node cannot use the store that the other one sends");
        }
    }
}
