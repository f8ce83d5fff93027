package dev.avocet.ha;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.store.StoreTerm;
import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.link.LinkConnection;
import dev.avocet.ha.link.LinkState;
import dev.avocet.ha.log.MemberLog;
import dev.avocet.ha.role.PairMessage;
import dev.avocet.ha.role.PairNode;
import dev.avocet.ha.role.PairPort;
import dev.avocet.ha.role.Role;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of this node, from the opening of its log to the end of its leadership, after which the log is opened anew
 * and another life begins. It connects the state machine with the log, the link, the coordinator and the host.
 *
 * <p>Thread of the pair; what the log and the coordinator say comes from their threads.
 */
final class MemberLife implements PairPort, MemberLog.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(MemberLife.class);

    private final MemberOptions options;
    private final PairThread thread;
    private final HostThread hosting;
    private final Coordinator coordinator;
    private final Shipper shipper;
    private final Owner owner;
    private final Configurations configurations;
    private final DeliveryLease lease;
    private final MemberLog log;
    private final PairNode node;

    private final AtomicBoolean appendedTold = new AtomicBoolean();
    private final AtomicBoolean forcedTold = new AtomicBoolean();

    private @Nullable LinkConnection link;

    /** Of the records that came last, if they were taken. */
    private int takenBytes;

    private @Nullable StoreTerm term;
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
            Owner owner)
            throws JournalException {
        this.options = options;
        this.thread = thread;
        this.hosting = hosting;
        this.coordinator = coordinator;
        this.shipper = shipper;
        this.owner = owner;
        configurations = new Configurations(thread, hosting);
        lease = new DeliveryLease(options.clock());
        log = MemberLog.open(options.store(), options.clock(), this);
        node = new PairNode(options.settings(), options.clock(), log, this);
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
            needed = Math.max(node.partnerNeeds(), log.end() - options.maxRetainedBytes());
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
            log.committed(node.committed());
        }
    }

    // what the log says, on its threads

    @Override
    public void onForced() {
        if (forcedTold.compareAndSet(false, true)) {
            thread.execute(() -> {
                forcedTold.set(false);
                if (!over) {
                    node.forced();
                    log.committed(node.committed());
                }
            });
        }
    }

    @Override
    public void onAppendedHere() {
        if (appendedTold.compareAndSet(false, true)) {
            thread.execute(() -> {
                appendedTold.set(false);
                if (!over) {
                    node.appended();
                }
            });
        }
    }

    @Override
    public Runnable onTaken(int bytes) {
        LinkConnection from = link;
        takenBytes = bytes;
        return from == null ? () -> {} : () -> from.used(bytes);
    }

    /** Records that were not taken take no room. */
    void receivedRecords(LinkConnection connection, PairMessage.Records records, int bytes) {
        takenBytes = 0;
        received(connection, records);
        if (takenBytes == 0) {
            connection.used(bytes);
        }
    }

    @Override
    public void onFailure(Throwable cause) {
        thread.execute(() -> {
            if (!over) {
                owner.failed("The log of this node has failed: " + cause.getMessage(), cause);
            }
        });
    }

    // what the state machine wants

    @Override
    public void send(long number, PairMessage message) {
        LinkConnection present = link;
        if (!over && present != null && present.number() == number) {
            present.send(message);
        }
    }

    @Override
    public void ship(long number, long epoch, long from, long end) {
        LinkConnection present = link;
        if (!over && present != null && present.number() == number) {
            shipper.ship(
                    log,
                    present,
                    epoch,
                    from,
                    end,
                    shipped -> thread.execute(() -> {
                        if (!over) {
                            node.shipped(number, epoch, shipped);
                        }
                    }));
        }
    }

    @Override
    public void readRegister() {
        if (!over) {
            coordinator.read().whenComplete((value, failure) -> {
                if (failure == null) {
                    thread.execute(() -> registerSeen(value));
                } else {
                    LOG.debug("The register was not read: {}", failure.getMessage());
                }
            });
        }
    }

    void registerSeen(Register value) {
        if (!over) {
            node.registerSeen(value);
        }
    }

    @Override
    public void writeRegister(Register expected, Register next) {
        if (over) {
            return;
        }
        if (expected.revision() == 0) {
            log.establish();
        }
        coordinator
                .compareAndSet(expected, next)
                .whenComplete((result, failure) -> thread.execute(() -> {
                    if (!over) {
                        answered(next, result, failure);
                    }
                }));
    }

    private void answered(Register next, @Nullable CasResult result, @Nullable Throwable failure) {
        if (result != null) {
            node.registerAnswered(result);
        } else {
            LOG.debug("The register was not written", failure);
            node.registerUnanswered(next);
        }
    }

    @Override
    public void lead(long epoch) {
        leads = true;
        needed = 0;
        LOG.info("This node leads epoch {}, from position {} on", epoch, log.end());
        log.lead(epoch, () -> needed, made -> thread.execute(() -> serve(epoch, made)));
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

    /** Returns why that is refused; empty when it is done or begun. */
    String order(StandbyOrder order) {
        String refused =
                switch (order) {
                    case PAUSE -> node.pause();
                    case RESUME -> node.resume();
                };
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

    PairStatus status() {
        Register known = node.register();
        return new PairStatus(node.role(), known.epoch(), known.leader(), known.inSync(), node.lag());
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

    /** Hears of what a life cannot do by itself. Thread of the pair. */
    interface Owner {
        /** This node leads no more: another life has to begin, once the host has stopped. */
        void lifeOver(String why);

        /** There is no way on. */
        void failed(String why, @Nullable Throwable cause);

        void statusChanged();
    }
}
