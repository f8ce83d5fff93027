package dev.avocet.ha;

import dev.avocet.core.journal.DiskFullException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.store.image.StoreTerm;
import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.link.LinkConnection;
import dev.avocet.ha.link.LinkState;
import dev.avocet.ha.log.MemberLog;
import dev.avocet.ha.log.PairTimes;
import dev.avocet.ha.log.ReceivedStore;
import dev.avocet.ha.log.StandbyLag;
import dev.avocet.ha.role.EpochStarts;
import dev.avocet.ha.role.PairMessage;
import dev.avocet.ha.role.PairNode;
import dev.avocet.ha.role.PairPort;
import dev.avocet.ha.role.Role;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of this node, from the opening of its log to the end of its leadership, after which the log is opened anew
 * and another life begins. It connects the state machine with the log, the link, the coordinator and the host.
 *
 * <p>Thread of the pair; what the log and the coordinator say comes from their threads.
 */
final class MemberLife implements PairPort {
    private static final Logger LOG = LoggerFactory.getLogger(MemberLife.class);
    private static final String TOO_OLD_FOR_A_STORE =
            "it lacks more than is kept, and is too old to take a checkpoint: upgrade it";

    private MemberOptions options;
    private final PairThread thread;
    private final HostThread hosting;
    private final RegisterCalls registerCalls;
    private final Shipper shipper;
    private final PairTimes times;
    private final LifeOwner owner;
    private final Configurations configurations;
    private final AwaitedResync resync = new AwaitedResync();
    private final DeliveryLease lease;
    private final MemberLog log;
    private final PairNode node;
    private @Nullable LinkConnection link;

    /** Of the records that came last, if they were taken. */
    private int takenBytes;

    private @Nullable StoreTerm term;
    private @Nullable StandbyLag lag;
    private volatile boolean over;
    private volatile boolean leads;

    /** Position from which on the other node needs the log. */
    private volatile long needed;

    /** Opens the log. Blocks on the disk; {@link #begin} hands all over to the thread of the pair. */
    MemberLife(
            MemberOptions options,
            PairThread thread,
            HostThread hosting,
            Coordinator coordinator,
            Shipper shipper,
            PairTimes times,
            LifeOwner owner)
            throws JournalException {
        this.options = options;
        this.thread = thread;
        this.hosting = hosting;
        registerCalls = new RegisterCalls(coordinator, thread, this::present);
        this.shipper = shipper;
        this.times = times;
        this.owner = owner;
        configurations = new Configurations(thread, hosting);
        lease = new DeliveryLease(options.clock());
        log = MemberLog.open(options.store(), options.clock(), new LogEvents(thread, this));
        node = new PairNode(options.settings(), options.clock(), log, this);
    }

    /** Goes by other settings from now on. */
    void tune(MemberOptions chosen) {
        options = chosen;
        node.settings(chosen.settings());
    }

    /** Takes part from now on. */
    void begin() {
        node.start();
    }

    void tick() {
        if (!over) {
            node.tick();
            if (!isInSyncWithPartner()) {
                configurations.standbyIsOut();
            }
            needed = Math.max(node.partnerNeeds(), log.end() - options.retainedBytes(node.partnerStarts()));
        }
    }

    // what the link says

    void linkUp(LinkConnection connection) {
        link = connection;
        node.linkUp(connection.number());
    }

    void linkDown(LinkConnection connection) {
        shipper.wake();
        if (connection.equals(link)) {
            link = null;
            node.linkDown(connection.number());
        }
    }

    void received(LinkConnection connection, PairMessage message) {
        if (over || !connection.equals(link)) {
            return;
        }
        if (message instanceof PairMessage.Configuration configuration) {
            if (!leads && configuration.epoch() >= node.latestEpoch()) {
                configurations.received(configuration, this::leads, reply -> send(connection.number(), reply));
            }
        } else if (message instanceof PairMessage.ConfigurationKept kept) {
            if (leads && kept.epoch() == node.epoch()) {
                configurations.kept(kept);
            }
        } else if (message instanceof PairMessage.Follow && leads) {
            configurations.join(node.epoch(), connection, this::leads, () -> link, () -> pass(connection, message));
        } else {
            pass(connection, message);
        }
    }

    private void pass(LinkConnection connection, PairMessage message) {
        if (!over) {
            node.received(connection.number(), message);
            measure();
            log.committed(node.committed());
        }
    }

    // what the log says

    void logForced() {
        if (!over) {
            node.forced();
            log.committed(node.committed());
        }
    }

    void logAppended() {
        if (!over) {
            node.appended();
        }
    }

    /** What the log has taken is to be counted so. */
    Runnable taken(int bytes) {
        LinkConnection from = link;
        takenBytes = bytes;
        return from == null ? () -> {} : () -> from.used(bytes);
    }

    /** Records, or a part of a checkpoint: what was not taken takes no room. */
    void received(LinkConnection connection, PairMessage message, int bytes) {
        takenBytes = 0;
        received(connection, message);
        if (takenBytes == 0) {
            connection.used(bytes);
        }
    }

    void logFailed(Throwable cause) {
        boolean hasClients = leads && term != null;
        if (!over && !hasClients && DiskFullException.isCauseOf(cause)) {
            owner.lacksRoom();
        } else if (!over) {
            owner.failed("The log of this node has failed: " + cause.getMessage(), cause);
        }
    }

    void storeCame() {
        if (!over) {
            node.storeReceived();
        }
    }

    void storeRefused(String why) {
        LinkConnection present = link;
        if (!over && present != null) {
            LOG.warn("The store that the active node sends is of no use, and is asked for anew: {}", why);
            present.close("this node cannot use the store that the other one sends");
        }
    }

    private @Nullable LinkConnection linkOf(long number) {
        LinkConnection present = link;
        return !over && present != null && present.number() == number ? present : null;
    }

    private @Nullable PairNode present() {
        return over ? null : node;
    }

    // what the state machine wants

    @Override
    public void send(long number, PairMessage message) {
        LinkConnection present = linkOf(number);
        if (present != null) {
            present.send(message);
        }
    }

    @Override
    public void ship(long number, long epoch, long from, long end) {
        LinkConnection present = linkOf(number);
        if (present != null) {
            shipper.ship(
                    log,
                    present,
                    epoch,
                    from,
                    end,
                    shipped -> thread.execute(() -> node.shipped(number, epoch, shipped)));
        }
    }

    @Override
    public void shipStore(long number, long epoch, long request, EpochStarts starts) {
        LinkConnection present = linkOf(number);
        if (present != null && !present.carriesStores()) {
            present.send(new PairMessage.Refuse(epoch, log.storeId(), TOO_OLD_FOR_A_STORE));
        } else if (present != null) {
            needed = 0;
            shipper.shipStore(
                    log,
                    present,
                    epoch,
                    new Shipper.StoreStart(request, starts),
                    (end, checkpoint) -> thread.execute(() -> node.storeShipped(number, epoch, end, checkpoint)));
        }
    }

    @Override
    public void storeReceived() {
        thread.execute(() -> {
            if (!over) {
                owner.storeOver(
                        "the store of the active node takes the place of its own",
                        () -> ReceivedStore.putInPlace(options.store()));
            }
        });
    }

    @Override
    public void readRegister() {
        registerCalls.read();
    }

    void registerSeen(Register value) {
        if (!over) {
            node.registerSeen(value);
        }
    }

    @Override
    public void writeRegister(Register expected, Register next) {
        if (!over) {
            if (expected.revision() == 0) {
                log.establish();
            }
            registerCalls.write(expected, next);
        }
    }

    @Override
    public void lead(long epoch) {
        leads = true;
        needed = 0;
        LOG.info("This node leads epoch {}, from position {} on", epoch, log.end());
        StandbyLag behind = new StandbyLag(times, options.clock(), log.end());
        lag = behind;
        log.lead(epoch, behind, () -> needed, made -> thread.execute(() -> serve(epoch, made)));
    }

    private void serve(long epoch, StoreTerm made) {
        term = made;
        serving(epoch, made).exceptionally(failure -> {
            thread.execute(() -> {
                if (!over) {
                    owner.failed("This node cannot serve clients: " + failure.getMessage(), failure);
                }
            });
            return null;
        });
        configurations.changed(epoch, this::leads, () -> link);
    }

    private CompletableFuture<Void> serving(long epoch, StoreTerm made) {
        return hosting.run(() -> {
            try {
                if (leads()) {
                    hosting.host().serve(new ActiveTerm(epoch, made, lease));
                }
            } finally {
                made.closeUnused();
            }
        });
    }

    @Override
    public void stopLeading(String why) {
        end(why);
        owner.lifeOver(why);
    }

    @Override
    public void committed(long position) {
        log.confirm(position);
    }

    @Override
    public void mayDeliverUntil(long endNs) {
        lease.endsAt(endNs);
    }

    @Override
    public void attended(boolean isAttended) {
        log.attended(isAttended);
        if (!isAttended) {
            LOG.warn("The other node does not answer, and has to have every message: clients' messages are refused");
        } else {
            LOG.info("The other node answers again: clients' messages are taken");
        }
    }

    @Override
    public void roleChanged(Role role, Register register) {
        if (!over) {
            owner.statusChanged();
        }
    }

    // what the member wants

    /** Nothing of this life counts any more; nothing is acknowledged from before this returns. */
    void end(String why) {
        over = true;
        leads = false;
        lease.endsAt(PairNode.NO_LEASE);
        resync.end(why);
        log.stopLeading(why);
        configurations.end(why);
    }

    /** Closes the log. Blocks on the disk; any thread, once the host does not serve any more. */
    void close() {
        log.close();
    }

    boolean leads() {
        return leads;
    }

    boolean isInSyncWithPartner() {
        return node.role() == Role.ACTIVE;
    }

    /** Whether this node leads, or has everything that was acknowledged and room for more. */
    boolean isSafeFromShortage() {
        Role role = node.role();
        return role.leads() || role == Role.STANDBY_IN_SYNC && log.hasRoom();
    }

    /** The store is to be closed without delay. */
    void endInHaste() {
        StoreTerm present = term;
        if (present != null) {
            present.endInHaste();
        }
    }

    /** Hands the role over, as the host serves no client any more; false if that is impossible now. */
    boolean handOver() {
        return node.switchOver();
    }

    /** This standby is to give its store up. */
    void renew(CompletableFuture<Resynced> answer) {
        resync.ask(answer, node::renew);
    }

    @Override
    public void renewed(String refused) {
        if (!over) {
            resync.settled(
                    refused,
                    answer -> thread.execute(() -> owner.storeOver(
                            "this node gives its store up, as an administrator has asked, and begins with an empty"
                                    + " one",
                            () -> answer.complete(Resynced.putAside(options)))));
        }
    }

    /** Returns why that is refused; empty when it is done or begun. */
    String order(StandbyOrder order) {
        String refused = order.give(node);
        if (refused.isEmpty()) {
            LOG.info("An administrator has this standby {}", order.meaning());
        }
        return refused;
    }

    /** The other node may lead, if it has everything; this one does no more. */
    void resign() {
        LinkConnection present = link;
        if (leads && present != null && isInSyncWithPartner()) {
            present.send(new PairMessage.Resign(node.epoch()));
        }
    }

    /** The active node need not wait for this one any more: it leaves those in sync. */
    void leave() {
        LinkConnection present = link;
        if (present != null) {
            present.send(new PairMessage.Leave(node.latestEpoch(), false));
        }
    }

    /** @param answer hears, as {@link PairMember#configurationChanged} says */
    void configurationChanged(CompletableFuture<String> answer) {
        configurations.await(answer);
        if (leads && !over) {
            configurations.changed(node.epoch(), this::leads, () -> link);
        } else {
            configurations.end("it has not begun to lead, or has ended");
        }
    }

    void requestCheckpoint() {
        log.requestCheckpoint();
    }

    void doubt() {
        if (!over) {
            node.doubt();
        }
    }

    private void measure() {
        StandbyLag behind = lag;
        if (behind != null) {
            behind.confirmed(node.partnerHas(), isInSyncWithPartner());
        }
    }

    /** As a node whose disk has room. */
    PairStatus status() {
        measure();
        Register known = node.register();
        return new PairStatus(
                node.role(), known.epoch(), known.leader(), known.inSync(), lag(), false, node.whyNotInSync());
    }

    private Lag lag() {
        StandbyLag behind = lag;
        long end = log.end();
        return behind == null || !leads
                ? new Lag(node.lag(), -1, -1)
                : new Lag(node.lag(), behind.records(end), behind.ageMs(end));
    }

    String refusal() {
        return node.refusal();
    }

    LinkState linkState() {
        return new LinkState(log.storeId(), log.end() == 0, node.epoch(), node.latestEpoch());
    }

    int maxRecordBytes() {
        return log.maxRecordBytes();
    }
}
