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

    private MemberOptions options;
    private final PairThread thread;
    private final HostThread hosting;
    private final RegisterCalls registerCalls;
    private final PairTimes times;
    private final LifeOwner owner;
    private final Configurations configurations;
    private final AwaitedResync resync = new AwaitedResync();
    private final DeliveryLease lease;
    private final MemberLog log;
    private final PairNode node;
    private final LifeLink link;
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
        this.times = times;
        this.owner = owner;
        configurations = new Configurations(thread, hosting);
        lease = new DeliveryLease(options.clock());
        log = MemberLog.open(options.store(), options.clock(), new LogEvents(thread, this));
        node = new PairNode(options.settings(), options.clock(), log, this);
        link = new LifeLink(log, shipper, told -> thread.execute(() -> told.accept(node)));
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
        link.up(connection);
        node.linkUp(connection.number());
    }

    void linkDown(LinkConnection connection) {
        if (link.down(connection)) {
            node.linkDown(connection.number());
        }
    }

    void received(LinkConnection connection, PairMessage message) {
        if (over || !connection.equals(link.present())) {
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
            configurations.join(node.epoch(), connection, this::leads, link::present, () -> pass(connection, message));
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
        return link.taken(bytes);
    }

    /** Records, or a part of a checkpoint. */
    void received(LinkConnection connection, PairMessage message, int bytes) {
        link.receive(connection, bytes, () -> received(connection, message));
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
        if (!over) {
            link.refuseStore(why);
        }
    }

    private @Nullable PairNode present() {
        return over ? null : node;
    }

    // what the state machine wants

    @Override
    public void send(long number, PairMessage message) {
        link.send(number, message);
    }

    @Override
    public long ship(long number, long epoch, long from, long end) {
        return link.ship(number, epoch, from, end);
    }

    @Override
    public void shipStore(long number, long epoch, long request, EpochStarts starts) {
        if (link.shipStore(number, epoch, request, starts)) {
            needed = 0;
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
        configurations.changed(epoch, this::leads, link::present);
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
    public void stopLeading(String why, boolean relieved) {
        end(why);
        owner.lifeOver(why, relieved);
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
        link.end();
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
        LinkConnection present = link.present();
        if (leads && present != null && isInSyncWithPartner()) {
            present.send(new PairMessage.Resign(node.epoch()));
        }
    }

    /** The active node need not wait for this one any more: it leaves those in sync. */
    void leave() {
        LinkConnection present = link.present();
        if (present != null) {
            present.send(new PairMessage.Leave(node.latestEpoch(), false));
        }
    }

    /** @param answer hears, as {@link PairMember#configurationChanged} says */
    void configurationChanged(CompletableFuture<String> answer) {
        configurations.await(answer);
        if (leads && !over) {
            configurations.changed(node.epoch(), this::leads, link::present);
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
        link.awaits(node.partnerCounts());
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
