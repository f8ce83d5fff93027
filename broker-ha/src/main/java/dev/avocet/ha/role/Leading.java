package dev.avocet.ha.role;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A node that leads, in one epoch. What it may acknowledge is the lesser of what is durable here and what the partner
 * has confirmed, as long as the partner counts. Thread of the pair.
 */
final class Leading {
    private static final long UNKNOWN = -1;
    private static final int ISOLATION_FACTOR = 2;

    /** For so long the log is kept for a partner that starts from a checkpoint and is away. */
    private static final Duration START_PATIENCE = Duration.ofMinutes(2);

    private final PairState state;
    private final long epoch;
    private final Progress disk = new Progress();
    private final Progress partner = new Progress();

    /** The link on which the partner follows, and how far it has come. */
    private long followerLink = PairState.NO_LINK;

    private long shipped;
    private boolean shipping;
    private long confirmed = UNKNOWN;

    /** What the partner has had at least, when it was heard last. */
    private long needed;

    /** The link on which a checkpoint and the log that goes with it are under way. */
    private long startLink = PairState.NO_LINK;

    /** Up to where the log was sent that goes with it; 0 while the checkpoint is under way. */
    private long startSent;

    /** The partner starts from a checkpoint, and was not in sync since. */
    private boolean starting;

    /** The partner is about to be named as in sync, and counts already. */
    private boolean joining;

    private boolean partnerIsLate;

    /** Why the partner was told that it cannot follow; empty otherwise. */
    private String refused = "";

    private boolean toldAttended = true;
    private long toldLeaseEndNs = PairNode.NO_LEASE;
    private long registerHeardNs;
    private long linkLostNs;
    private long heartbeatNs;
    private long echoNs;
    private long committed;

    /** Asked to hand over: nothing new is taken. */
    private boolean pausing;

    /** The partner is paused, or gives its store up: it is named no more, and not before it follows anew. */
    private boolean leaving;

    /** Has handed over: nothing is acknowledged or delivered. */
    private boolean handedOver;

    private long switchNs;

    Leading(PairState state, long epoch) {
        this.state = state;
        this.epoch = epoch;
        long nowNs = state.nowNs();
        echoNs = nowNs - state.settings.lease().toNanos();
        disk.reset(state.log.forced(), nowNs);
        partner.reset(0, nowNs);
        linkLostNs = nowNs;
        registerHeardNs = nowNs;
        heartbeatNs = nowNs - state.settings.heartbeat().toNanos();
    }

    long epoch() {
        return epoch;
    }

    boolean hasHandedOver() {
        return handedOver;
    }

    Role role() {
        return state.known().isInSync(state.partner()) ? Role.ACTIVE : Role.ALONE;
    }

    boolean mayAccept() {
        return !pausing && isAttended();
    }

    /** Whether what is published now can be committed soon, by all that have to have it. */
    private boolean isAttended() {
        int required = state.settings.minInSync();
        return required == 1 || state.known().inSync().size() >= required && !partnerIsLate;
    }

    private void tellAttended() {
        boolean isAttended = isAttended();
        if (isAttended != toldAttended) {
            toldAttended = isAttended;
            state.port.attended(isAttended);
        }
    }

    boolean partnerCounts() {
        return state.rules.partnerCounts(state.known(), state.register.attempted(), joining, state.partner());
    }

    private boolean holdsLease() {
        return PairNode.holds(leaseEndNs(), state.nowNs());
    }

    private long leaseEndNs() {
        if (handedOver) {
            return PairNode.NO_LEASE;
        }
        boolean mayBePromoted = state.known().isInSync(state.partner()) || partnerCounts();
        return mayBePromoted
                ? state.rules.leaseEndNs(echoNs, state.settings.lease().toNanos())
                : PairNode.NEEDS_NO_LEASE;
    }

    /** Tells until when messages may go to clients: whenever something has changed that it depends on. */
    private void tellLease() {
        long endNs = leaseEndNs();
        if (endNs != toldLeaseEndNs) {
            toldLeaseEndNs = endNs;
            state.port.mayDeliverUntil(endNs);
        }
    }

    void commit() {
        tellLease();
        if (!holdsLease() || state.known().inSync().size() < state.settings.minInSync()) {
            return;
        }
        PairLog log = state.log;
        log.awaits(partnerCounts() ? confirmed : Long.MAX_VALUE);
        long position = state.rules.committable(log.forced(), log.end(), confirmed, partnerCounts());
        if (position > committed) {
            committed = position;
            state.committedUpTo(position);
            state.port.committed(position);
        }
    }

    /** Returns why the role has to be given up, or {@code null}. */
    @Nullable String tick() {
        long nowNs = state.nowNs();
        disk.at(state.log.forced(), state.log.end(), nowNs);
        partner.at(confirmed, state.log.end(), nowNs);
        if (nowNs - heartbeatNs >= state.settings.heartbeat().toNanos() && !handedOver) {
            heartbeatNs = nowNs;
            state.send(new PairMessage.Heartbeat(epoch, nowNs, committed));
        }
        if (disk.stalledNs(nowNs) > state.settings.diskTimeout().toNanos()
                && state.known().isInSync(state.partner())) {
            state.send(new PairMessage.Resign(epoch));
            return "the disk has not finished a force within " + state.settings.diskTimeout();
        }
        if (!holdsLease() && state.register.attempted() == null) {
            state.register.readAgain(nowNs); // another node may lead by now
        }
        if (!holdsLease() && nowNs - Math.max(echoNs, registerHeardNs) > isolationNs()) {
            return "neither the other node nor the coordinator has answered for " + isolationNs() / 1_000_000
                    + " ms: another node may be active";
        }
        if (handedOver && nowNs - switchNs > state.settings.syncTimeout().toNanos()) {
            takeBack(nowNs);
        }
        watchPartner(nowNs);
        continueSwitch();
        ship();
        commit();
        return null;
    }

    /** By then the partner would be dropped, if the register could be written. */
    private long isolationNs() {
        return state.settings.lease().toNanos()
                + ISOLATION_FACTOR * state.settings.syncTimeout().toNanos();
    }

    /** A partner that is silent or slow is dropped, first from the register, and only then it counts no more. */
    private void watchPartner(long nowNs) {
        long timeoutNs = state.settings.syncTimeout().toNanos();
        if (state.link == PairState.NO_LINK && nowNs - linkLostNs > START_PATIENCE.toNanos()) {
            starting = false;
        }
        boolean gone = state.link == PairState.NO_LINK
                && nowNs - linkLostNs > state.settings.retry().toNanos(); // before the lease ends
        boolean late = gone || nowNs - echoNs > timeoutNs || partner.stalledNs(nowNs) > timeoutNs;
        partnerIsLate = late;
        tellAttended();
        if (!late || state.register.attempted() != null) {
            return;
        }
        joining = false; // was not attempted, so it is named nowhere
        if (state.known().isInSync(state.partner()) && state.settings.minInSync() == 1) {
            state.register.attempt(state.known().without(state.partner()), nowNs);
        }
    }

    /** The coordinator has answered, whatever it says. */
    void registerChanged() {
        registerHeardNs = state.nowNs();
        detachIfItHasLeft();
        if (state.known().isInSync(state.partner())) {
            joining = false;
            starting = false;
        }
        tellAttended();
        commit();
    }

    /** What the partner has not confirmed, or -1 while it does not follow. */
    long lag() {
        return followerLink == PairState.NO_LINK || confirmed == UNKNOWN
                ? -1
                : Math.max(0, state.log.end() - confirmed);
    }

    /** Up to where the partner has confirmed, or -1 while it does not follow. */
    long partnerHas() {
        return followerLink == PairState.NO_LINK ? UNKNOWN : confirmed;
    }

    /** What keeps the partner from being in sync, in a sentence; empty when it is. */
    String whyPartnerIsOut() {
        if (startLink != PairState.NO_LINK && startLink == state.link) {
            return OutOfSync.ofStarting(state, startSent);
        }
        return OutOfSync.ofPartner(state, followerLink != PairState.NO_LINK, leaving, joining, partnerIsLate, refused);
    }

    /** Position from which on the partner needs the log, or 0 while that is not known. */
    long partnerNeeds() {
        return needed;
    }

    void linkDown() {
        linkLostNs = state.nowNs();
        followerLink = PairState.NO_LINK;
        startLink = PairState.NO_LINK;
        shipping = false;
        confirmed = UNKNOWN;
        if (state.register.attempted() == null) {
            joining = false;
        }
    }

    void onFollow(long link, PairMessage.Follow follow) {
        PairLog log = state.log;
        boolean isEmpty = follow.end() == 0;
        if (!isEmpty && !follow.storeId().equals(log.storeId())) {
            refuse("the store of " + state.partner() + " is another one and not empty: decide which one is kept, and"
                    + " empty the other node's store");
            return;
        }
        long cut = state.rules.cut(log.starts(), log.end(), follow.starts(), follow.end());
        boolean lacks = !follow.storeId().equals(log.storeId()) || cut < committed;
        if (lacks && !state.rules.mayBeginAnew(partnerCounts())) {
            leave();
            return;
        }
        if (!log.reaches(cut)) {
            leave();
            if (state.rules.mayBeginAnew(partnerCounts())) {
                start(link, follow.request());
            }
            return;
        }
        leaving = false;
        refused = "";
        startLink = PairState.NO_LINK;
        followerLink = link;
        needed = cut;
        confirmed = UNKNOWN;
        shipped = cut;
        shipping = false;
        partner.reset(0, state.nowNs());
        state.send(new PairMessage.Sync(follow.request(), epoch, cut, log.storeId()));
        ship();
    }

    /** The partner lacks more than the log has: it gets a checkpoint, and the log from there on. */
    private void start(long link, long request) {
        leaving = false;
        refused = "";
        starting = true;
        startLink = link;
        startSent = 0;
        followerLink = PairState.NO_LINK;
        shipping = false;
        confirmed = UNKNOWN;
        needed = 0; // which checkpoint it is, and what goes with it, is not known yet
        state.port.shipStore(link, epoch, request, state.log.starts());
    }

    void storeShipped(long link, long end, long checkpoint) {
        if (link == startLink) {
            startSent = end;
            needed = Math.max(needed, state.rules.keptWhileStarting(end, checkpoint));
        }
    }

    boolean partnerStarts() {
        return starting;
    }

    private void refuse(String why) {
        refused = why;
        state.send(new PairMessage.Refuse(epoch, state.log.storeId(), why));
    }

    /** A partner that has lost what it had leaves the set of those in sync; it asks again until it has. */
    private void leave() {
        if (state.register.attempted() == null) {
            joining = false;
            if (state.known().isInSync(state.partner())) {
                state.register.attempt(state.known().without(state.partner()), state.nowNs());
            }
        }
    }

    /** The partner wants to leave. It counts until the register names it no more, and confirms until then. */
    void onLeave(PairMessage.Leave message) {
        if (message.epoch() != epoch || pausing || partnerCounts() && state.settings.minInSync() > 1) {
            return;
        }
        leaving = true;
        if (message.forGood()) {
            needed = 0;
        }
        leave();
        detachIfItHasLeft();
        if (message.forGood() && !partnerCounts()) {
            state.send(new PairMessage.Left(epoch));
        }
    }

    private void detachIfItHasLeft() {
        if (leaving && !partnerCounts()) {
            followerLink = PairState.NO_LINK;
            shipping = false;
            confirmed = UNKNOWN;
        }
    }

    void onConfirm(long link, PairMessage.Confirm confirm) {
        if (link != followerLink || confirm.epoch() != epoch) {
            return;
        }
        long nowNs = state.nowNs();
        confirmed = Math.max(confirmed, confirm.position());
        if (!leaving) {
            needed = confirmed;
        }
        partner.at(confirmed, state.log.end(), nowNs);
        admit(nowNs);
        commit();
        continueSwitch();
        ship();
    }

    private void admit(long nowNs) {
        if (leaving || state.known().isInSync(state.partner()) || state.register.attempted() != null) {
            return;
        }
        if (!joining && state.log.end() - confirmed <= state.settings.joinLag()) {
            joining = true;
            echoNs = Math.max(echoNs, nowNs - state.settings.lease().toNanos());
            tellLease();
        }
        if (joining && state.rules.mayAdmit(confirmed, committed)) {
            state.register.attempt(state.known().with(state.partner()), nowNs);
        }
    }

    void onEcho(PairMessage.Echo echo) {
        if (echo.epoch() == epoch && !(handedOver || echo.sentNs() < switchNs)) {
            echoNs = Math.max(echoNs, echo.sentNs());
            commit();
        }
    }

    void shipped(long link, long end) {
        if (link == followerLink) {
            shipping = false;
            shipped = Math.max(shipped, end);
            ship();
        }
    }

    /** Sends what the partner has not got, as far as the window allows. */
    void ship() {
        long end = Math.min(state.log.end(), Math.max(confirmed, 0) + state.settings.window());
        while (followerLink != PairState.NO_LINK && !shipping && shipped < end) {
            long sent = state.port.ship(followerLink, epoch, shipped, end);
            if (sent == shipped) {
                return; // the log tells when there is more
            }
            shipping = sent == PairPort.UNDER_WAY;
            shipped = Math.max(shipped, sent);
        }
    }

    /** Returns whether the role will be handed over, if nothing comes between. */
    boolean switchOver() {
        if (!state.known().isInSync(state.partner()) || state.register.attempted() != null || pausing) {
            return false;
        }
        pausing = true;
        switchNs = state.nowNs();
        continueSwitch();
        return true;
    }

    private void continueSwitch() {
        if (!pausing || handedOver) {
            return;
        }
        long nowNs = state.nowNs();
        if (nowNs - switchNs > state.settings.syncTimeout().toNanos()) {
            pausing = false;
            return;
        }
        commit();
        if (committed == state.log.end() && state.register.attempted() == null) {
            handedOver = true;
            tellLease();
            switchNs = nowNs;
            state.send(new PairMessage.HandOver(epoch, committed));
        }
    }

    /** The partner has not taken over. It may still do so, and until it promises otherwise nothing is delivered. */
    private void takeBack(long nowNs) {
        handedOver = false;
        pausing = false;
        switchNs = nowNs;
        echoNs = Math.min(echoNs, nowNs - state.settings.lease().toNanos());
        partner.reset(confirmed, nowNs);
    }
}
