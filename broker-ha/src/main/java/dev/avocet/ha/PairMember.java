package dev.avocet.ha;

import dev.avocet.core.journal.DiskFullException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.link.LinkConnection;
import dev.avocet.ha.link.LinkEnd;
import dev.avocet.ha.link.LinkState;
import dev.avocet.ha.log.PairTimes;
import dev.avocet.ha.role.PairSettings;
import dev.avocet.ha.role.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as one of a pair: it takes part in the choice of the active node, follows the one that is, or has its
 * {@link PairHost} serve clients. Thread-safe.
 */
public final class PairMember implements AutoCloseable, LifeOwner {
    private static final Logger LOG = LoggerFactory.getLogger(PairMember.class);
    private static final Duration TICK = Duration.ofMillis(25);

    /** After so long a role that was handed over, and not taken, is attempted again. */
    private static final Duration HAND_OVER = Duration.ofSeconds(3);

    /**
     * The node that has taken a role from this one needs the machine for so long, where both are on one: it restores
     * what clients wait for, and this one would read a whole store beside it.
     */
    private static final Duration AFTER_HAND_OVER = Duration.ofSeconds(1);

    private static final long CLOSE_S = 90;
    private static final String CHANGING = "this node changes its role at the moment: ask again";

    /** Written by the thread. */
    private volatile MemberOptions options;

    private final PairTimes times;
    private final PairThread thread;
    private final HostThread hosting;
    private final Coordinator coordinator;
    private final Shipper shipper;
    private final RoomShortage room;
    private final MemberLinks links;
    private final LinkEnd linkEnd;
    private final Coordinator.Watch watch;
    private final ToldStatus status;
    private final NextLife next;
    private volatile LinkState linkState;

    // Of the thread.
    private @Nullable MemberLife life;
    private String refusal = "";
    private boolean closing;
    private boolean failed;

    private PairMember(MemberOptions options, PairTimes times, PairHost host) throws IOException {
        this.options = options;
        this.times = times;
        room = new RoomShortage(options.store().directory());
        thread = new PairThread(this::taskFailed);
        hosting = new HostThread(host);
        shipper = new Shipper(options.catchUpBytesPerSecond(), options.clock());
        links = new MemberLinks(thread, shipper, () -> life);
        status = new ToldStatus(hosting, room);
        next = new NextLife(
                thread, hosting, room, status, this::newLife, this::begin, () -> closing || failed, this::failed);
        try {
            coordinator = Coordinators.open(options);
        } catch (CoordinationException e) {
            shipper.close();
            thread.close();
            hosting.close();
            throw new IOException(e.getMessage(), e);
        }
        MemberLife first = null;
        try {
            first = newLife();
            linkState = first.linkState();
            linkEnd = new LinkEnd(
                    options.link(first.maxRecordBytes()),
                    options.linkAddress(),
                    () -> linkState,
                    links,
                    options.clock(),
                    thread.loop());
            linkEnd.start();
        } catch (IOException | RuntimeException e) {
            if (first != null) {
                first.close();
            }
            coordinator.close();
            shipper.close();
            thread.close();
            hosting.close();
            throw e;
        }
        MemberLife begun = first;
        thread.execute(() -> begin(begun));
        watch = coordinator.watch(value -> thread.execute(() -> registerSeen(value)));
        thread.every(TICK, this::tick);
    }

    /**
     * Reads the store, and takes part from then on. Blocks on the disk.
     *
     * @param times has those of all terms, for the metrics
     * @throws IOException when the store cannot be read, or an address cannot be listened at
     */
    public static PairMember start(MemberOptions options, PairTimes times, PairHost host) throws IOException {
        return new PairMember(options, times, host);
    }

    private MemberLife newLife() throws JournalException {
        return new MemberLife(options, thread, hosting, coordinator, shipper, times, this);
    }

    private void begin(MemberLife begun) {
        if (closing || failed) {
            begun.close();
            return;
        }
        life = begun;
        begun.tune(options);
        begun.begin();
        LinkConnection present = links.present();
        if (present != null && present.isOpen()) {
            begun.linkUp(present);
        }
        tick();
    }

    private void registerSeen(Register value) {
        MemberLife present = life;
        if (present != null) {
            present.registerSeen(value);
        } else if (room.isPresent()) {
            status.waitsForRoom(value);
        }
    }

    private void tick() {
        MemberLife present = life;
        if (present != null) {
            present.tick();
        }
        publish();
    }

    private void publish() {
        MemberLife present = life;
        if (present == null) {
            return;
        }
        linkState = present.linkState();
        if (present.isSafeFromShortage()) {
            room.ends();
        }
        status.tell(present.status());
        if (!present.refusal().equals(refusal)) {
            refusal = present.refusal();
            if (!refusal.isEmpty()) {
                LOG.error("This node cannot follow: {}", refusal);
            }
        }
    }

    @Override
    public void statusChanged() {
        thread.execute(this::publish);
    }

    @Override
    public void lifeOver(String why, boolean relieved) {
        MemberLife ended = life;
        life = null;
        if (ended == null) {
            return;
        }
        LOG.warn("This node is not active any more: {}", why);
        beginAnew(ended, Role.FENCED, why, () -> {}, relieved ? AFTER_HAND_OVER : Duration.ZERO);
    }

    @Override
    public void lacksRoom() {
        MemberLife ended = life;
        life = null;
        if (ended == null) {
            return;
        }
        String why = "the disk of this node is full";
        Duration pause = room.begins();
        ended.leave();
        ended.end(why);
        beginAnew(ended, Role.STANDBY_SYNCING, why, () -> {}, pause);
    }

    private void taskFailed(Throwable failure) {
        MemberLife present = life;
        if (present != null && !present.leads() && DiskFullException.isCauseOf(failure)) {
            lacksRoom();
        } else {
            failed("Internal error in the pair", failure);
        }
    }

    /** Another life takes the place of this one, as {@link NextLife} says. */
    private void beginAnew(MemberLife ended, Role until, String why, StoreChange between, Duration pause) {
        status.tell(until, why);
        linkState = new LinkState(linkState.storeId(), linkState.isEmpty(), 0, linkState.latestEpoch());
        links.close("this node begins anew as a standby: " + why);
        next.follow(ended, why, between, pause);
    }

    @Override
    public void failed(String why, @Nullable Throwable cause) {
        if (failed) {
            return;
        }
        failed = true;
        LOG.error("{}. This node takes no part in the pair any more; restart it once that is mended", why, cause);
        MemberLife ended = life;
        life = null;
        if (ended != null) {
            ended.end(why);
        }
        links.close(why);
        status.tell(Role.REFUSED, why);
        hosting.run(() -> {
                    hosting.host().stopServing(why);
                    if (ended != null) {
                        ended.close();
                    }
                    hosting.host().ended(why);
                })
                .exceptionally(failure -> {
                    LOG.error("The host did not stop", failure);
                    return null;
                });
    }

    /** Goes by other settings from now on, which have the same nodes. Any thread. */
    public void tune(PairSettings settings, long maxRetainedBytes, long catchUpBytesPerSecond) {
        shipper.catchUp(catchUpBytesPerSecond);
        thread.execute(() -> {
            options = options.with(settings, maxRetainedBytes, catchUpBytesPerSecond);
            MemberLife present = life;
            if (present != null) {
                present.tune(options);
            }
        });
    }

    /** What this node knows now. */
    public PairStatus status() {
        return status.now();
    }

    /** Where the link of this node listens; 0 where it is the one that dials. */
    public int linkPort() {
        return linkEnd.port();
    }

    /**
     * Hands the role over to the other node: has the host stop serving first. False when this node is not active, or
     * the other one is not in sync. Returns at once; the status tells how it goes on.
     */
    public boolean switchOver() {
        return thread.ask(this::switchNow);
    }

    /** Has this node, a standby, do that. Returns why that is refused, for people; empty when it is done or begun. */
    public String order(StandbyOrder order) {
        return thread.ask(() -> {
            MemberLife present = life;
            return present == null ? CHANGING : present.order(order);
        });
    }

    private boolean switchNow() {
        MemberLife present = life;
        if (present == null || !present.leads() || !present.isInSyncWithPartner()) {
            return false;
        }
        present.endInHaste();
        hosting.run(() -> hosting.host()
                        .stopServing("the role is handed over to "
                                + options.settings().partner()))
                .whenComplete((done, failure) -> thread.execute(() -> {
                    if (life == present) {
                        if (failure == null && present.handOver()) {
                            restartIfNotTaken(present);
                        } else {
                            restart(present, "the role could not be handed over");
                        }
                    }
                }));
        return true;
    }

    private void restartIfNotTaken(MemberLife present) {
        thread.after(HAND_OVER, () -> {
            if (life == present) {
                restart(present, "the other node has not taken the role");
            }
        });
    }

    private void restart(MemberLife present, String why) {
        present.end(why);
        lifeOver(why, false);
    }

    /**
     * Has this node, a standby, put its store aside and get everything from the active node. Completed once the store
     * is aside, or is known to stay.
     */
    public CompletableFuture<Resynced> resync() {
        CompletableFuture<Resynced> answer = new CompletableFuture<>();
        thread.execute(() -> {
            MemberLife present = life;
            if (present == null) {
                answer.complete(Resynced.refused(CHANGING));
            } else {
                present.renew(answer);
            }
        });
        return answer;
    }

    @Override
    public void storeOver(String why, StoreChange between) {
        MemberLife ended = life;
        life = null;
        if (ended != null) {
            ended.end(why);
            beginAnew(ended, Role.STANDBY_SYNCING, why, between, Duration.ZERO);
        }
    }

    /**
     * The host has another configuration than before, which the other node is to have.
     *
     * @return empty once the other node has it on its disk, or is not in sync; otherwise what is wrong and what to do
     */
    public CompletableFuture<String> configurationChanged() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        thread.execute(() -> {
            MemberLife present = life;
            if (present != null) {
                present.configurationChanged(answer);
            } else {
                answer.complete("this node is not active any more: make the change on the active one");
            }
        });
        return answer;
    }

    /**
     * Leaves the pair in good order: what was taken is acknowledged, the host stops serving, and the other node takes
     * over at once if it is in sync. Waits for that.
     */
    @Override
    public void close() {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        thread.execute(() -> {
            closing = true;
            hosting.run(() -> hosting.host().stopServing("the broker stops"))
                    .whenComplete((done, failure) -> stopped.complete(null));
        });
        join(stopped);
        leave(true);
    }

    /** Wants a checkpoint of the standby's image soon, whatever is due. For tests. */
    void requestCheckpoint() {
        thread.execute(() -> {
            MemberLife present = life;
            if (present != null) {
                present.requestCheckpoint();
            }
        });
    }

    /** Leaves as at a crash: the other node is not told, and nothing more is acknowledged. For tests. */
    void abandon() {
        thread.execute(() -> closing = true);
        leave(false);
    }

    private void leave(boolean resigns) {
        CompletableFuture<@Nullable MemberLife> left = new CompletableFuture<>();
        thread.execute(() -> left.complete(endLife(resigns)));
        MemberLife last = join(left);
        hosting.run(() -> hosting.host().stopServing("the broker stops")).exceptionally(failure -> {
            LOG.warn("The host did not stop", failure);
            return null;
        });
        watch.close();
        linkEnd.close();
        shipper.close();
        thread.close();
        hosting.close();
        if (last != null) {
            last.close();
        }
        coordinator.close();
    }

    private @Nullable MemberLife endLife(boolean resigns) {
        MemberLife present = life;
        life = null;
        if (present != null) {
            if (resigns) {
                present.resign();
            }
            present.end("the broker stops");
        }
        return present;
    }

    private static <T> @Nullable T join(CompletableFuture<T> future) {
        try {
            return future.get(CLOSE_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The pair was not left in good order", e);
        }
        return null;
    }
}
