package dev.avocet.ha.role;

import dev.avocet.ha.coordination.Register;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A node that does not lead: it follows the one that does, and attempts to lead when it may and the leader is silent.
 * Thread of the pair.
 */
final class Following {
    private static final long NONE = 0;

    private final PairState state;

    /** Since the start of the process; otherwise since it has led. */
    private final boolean fresh;

    private final boolean wasFenced;
    private final Progress disk = new Progress();

    /** The epoch and link for which the log was cut back, or {@link #NONE}. */
    private long epoch = NONE;

    private long syncedLink = PairState.NO_LINK;
    private long request;
    private long askedNs;
    private long heardNs;
    private long tickNs;
    private boolean promoting;
    private boolean paused;

    /** Another store takes the place of this one, or it is put aside: nothing more is done to the end of this life. */
    private boolean over;

    private final Renewal renewal = new Renewal();
    private final Forcing forcing;
    private final Receiving receiving;

    private boolean refused;
    private String refusal = "";

    /** Where the leader was when it was heard last. */
    private long leaderCommitted;

    private PairMessage.@Nullable HandOver handOver;
    private @Nullable Boolean partnerIsEmpty;

    /**
     * @param fresh since the start of the process
     * @param wasFenced whether it has led until now
     */
    Following(PairState state, boolean fresh, boolean wasFenced) {
        this.state = state;
        this.fresh = fresh;
        this.wasFenced = wasFenced;
        long nowNs = state.nowNs();
        tickNs = nowNs;
        disk.reset(state.log.forced(), nowNs);
        heardNs = fresh
                ? state.rules.lastPromiseNs(
                        nowNs, state.settings.heartbeatTimeout().toNanos())
                : nowNs;
        askedNs = nowNs - state.settings.retry().toNanos();
        forcing = new Forcing(state);
        receiving = new Receiving(state);
    }

    Role role() {
        if (refused) {
            return Role.REFUSED;
        }
        if (!state.register.isKnown()) {
            return Role.STARTING;
        }
        if (paused || over) {
            return Role.STANDBY_PAUSED;
        }
        if (wasFenced && epoch == NONE) {
            return Role.FENCED;
        }
        return epoch != NONE && mayPromote() ? Role.STANDBY_IN_SYNC : Role.STANDBY_SYNCING;
    }

    private boolean mayPromote() {
        return state.mayPromote(epoch != NONE);
    }

    void tick() {
        long nowNs = state.nowNs();
        long timeoutNs = state.settings.heartbeatTimeout().toNanos();
        disk.at(state.log.forced(), state.log.end(), nowNs);
        if (nowNs - tickNs > timeoutNs / 2) {
            heardNs = nowNs; // it is this process that was away
        }
        tickNs = nowNs;
        settlePromotion();
        renewTick(nowNs);
        forcing.tick();
        if (isAway() || promoting || refused || !state.register.isKnown() || state.register.attempted() != null) {
            return;
        }
        if (state.known().revision() == 0) {
            found(nowNs);
        } else if (mayPromote()
                && state.mayAttempt()
                && disk.stalledNs(nowNs) <= state.settings.diskTimeout().toNanos()) {
            promoteIfDue(nowNs, timeoutNs);
        }
        if (!mayPromote() && state.register.attempted() == null && nowNs - heardNs > timeoutNs) {
            state.register.readAgain(nowNs); // it may name this node by now
        }
    }

    private void promoteIfDue(long nowNs, long timeoutNs) {
        if (handOver != null && state.log.forced() >= handOver.end()) {
            handOver = null;
            attempt(state.settings.inSyncAfterHandOver(), nowNs);
            return;
        }
        boolean wasLeader = fresh && state.known().leader().equals(state.self()) && epoch == NONE;
        if (wasLeader && state.known().inSync().size() == 1 || state.rules.isSilent(nowNs - heardNs, timeoutNs)) {
            attempt(Set.of(), nowNs);
        }
    }

    private void attempt(Set<String> alsoInSync, long nowNs) {
        promoting = true;
        state.register.attempt(state.rules.promoted(state.known(), state.self(), alsoInSync), nowNs);
    }

    /** Begins a pair: with what there is, or, of two empty nodes, the one whose name comes first. */
    private void found(long nowNs) {
        boolean first = partnerIsEmpty != null && partnerIsEmpty && state.self().compareTo(state.partner()) < 0;
        if (epoch == NONE && (state.log.end() > 0 || first || state.settings.foundsAlone())) {
            promoting = true;
            state.register.attempt(
                    state.known()
                            .foundedBy(
                                    state.self(),
                                    state.log.storeId(),
                                    state.log.starts().last() + 1),
                    nowNs);
        }
    }

    void registerChanged() {
        settlePromotion();
        Register known = state.known();
        if (isAway() && !known.isInSync(state.self())) {
            syncedLink = PairState.NO_LINK;
        }
        boolean other = known.revision() > 0 && !known.storeId().equals(state.log.storeId());
        if (other && state.log.end() > 0) {
            refuse(OutOfSync.otherStore("the pair", known.storeId(), state.log));
        } else {
            refused = false;
        }
        forceIfUnchanged();
    }

    /** What the leader has sent meanwhile was not taken, so it has to begin anew. */
    private void settlePromotion() {
        if (promoting && state.register.attempted() == null) {
            promoting = false;
            stopTaking();
        }
    }

    /** What the leader sends from now on is asked for anew. */
    void stopTaking() {
        syncedLink = PairState.NO_LINK;
        receiving.end();
    }

    /** Returns why that is refused; empty when it is paused. */
    String pause() {
        if (state.settings.minInSync() > 1) {
            return "both nodes have to have what is acknowledged (MinInSync " + state.settings.minInSync()
                    + "), so without this one no message would be taken: set MinInSync of HighAvailability to 1 first";
        }
        if (isAboutToLead()) {
            return "this node, " + state.self() + ", is about to become active: look at its role, and ask the standby";
        }
        paused = true;
        return "";
    }

    /** It attempts to lead, and does not know yet whether it does. */
    boolean isPromoting() {
        return promoting;
    }

    private boolean isAboutToLead() {
        return promoting || handOver != null || state.register.attempted() != null;
    }

    /** Returns why that is refused; empty when the register is asked. */
    String promote() {
        String why = forcing.refusal(isAway(), isAboutToLead(), mayPromote(), heardNs);
        if (why.isEmpty()) {
            forcing.begin();
        }
        return why;
    }

    private void forceIfUnchanged() {
        if (forcing.settle() && forcing.isAllowed(heardNs) && !isAway() && !isAboutToLead()) {
            promoting = true;
            state.register.attempt(state.rules.forced(state.known(), state.self()), state.nowNs());
        }
    }

    /** Neither follows, but for what is left until the register does not name this node, nor is promoted. */
    private boolean isAway() {
        return paused || over || renewal.isOpen();
    }

    /** Returns why that is refused; empty when the leader is asked. */
    String renew() {
        String why = Renewal.refusal(state, state.link != PairState.NO_LINK && !isLeaderSilent(), isAboutToLead());
        if (why.isEmpty()) {
            renewal.begin(state.nowNs());
        }
        return why;
    }

    private boolean isLeaderSilent() {
        return state.rules.isSilent(
                state.nowNs() - heardNs, state.settings.heartbeatTimeout().toNanos());
    }

    /** A node that waits for a leader which is gone would keep the pair from having another one. */
    private void renewTick(long nowNs) {
        if (renewal.isOpen() && (renewal.isLate(nowNs) || isLeaderSilent())) {
            endRenewal("the active node, " + state.partner() + ", does not answer any more, or has not left this one"
                    + " out within " + Renewal.PATIENCE.toSeconds() + " s: look at its log, and ask again");
        }
    }

    void onLeft(PairMessage.Left message) {
        if (!renewal.isOpen() || !isLatest(message.epoch())) {
            return;
        }
        renewal.end();
        over = true;
        state.port.renewed("");
    }

    private void endRenewal(String why) {
        renewal.end();
        if (!isAway()) {
            follow();
        }
        state.port.renewed(why);
    }

    /** Returns whether it was paused. */
    boolean resume() {
        boolean was = paused;
        paused = false;
        if (was && !isAway()) {
            follow();
        }
        return was;
    }

    void linkUp() {
        forcing.reached();
        stopTaking();
        if (!isAway()) {
            follow();
        }
    }

    void linkDown() {
        stopTaking();
        handOver = null;
    }

    /** A new life takes part once it has read the register: the life before may have led a later epoch. */
    private boolean answersLeader() {
        return state.register.isKnown() && state.rules.answersLeader(promoting);
    }

    private void follow() {
        askedNs = state.nowNs();
        syncedLink = PairState.NO_LINK;
        request = state.nextRequest();
        receiving.end();
        state.send(new PairMessage.Follow(request, state.log.storeId(), state.log.starts(), state.log.end()));
    }

    void onFollow(PairMessage.Follow follow) {
        partnerIsEmpty = follow.end() == 0;
    }

    void onHeartbeat(long link, PairMessage.Heartbeat heartbeat) {
        if (!isCurrent(heartbeat.epoch())) {
            return;
        }
        forcing.reached(); // also by one that is not answered, as this node attempts to lead
        if (!answersLeader()) {
            return;
        }
        heardNs = state.nowNs();
        handOver = null;
        leaderCommitted = heartbeat.committed();
        if (heartbeat.epoch() != epoch || syncedLink != link) {
            if (!refused
                    && !isAway()
                    && !receiving.isOpen(link)
                    && heardNs - askedNs >= state.settings.retry().toNanos()) {
                follow();
            }
        } else {
            state.committedUpTo(Math.min(heartbeat.committed(), state.log.end()));
        }
        if (isAway()) {
            state.send(new PairMessage.Leave(heartbeat.epoch(), renewal.isOpen()));
        }
        state.send(new PairMessage.Echo(heartbeat.epoch(), heartbeat.sentNs()));
    }

    void onSync(long link, PairMessage.Sync sync) {
        if (sync.request() != request || !isCurrent(sync.epoch()) || !answersLeader()) {
            return;
        }
        PairLog log = state.log;
        if (!sync.storeId().equals(log.storeId())) {
            if (log.end() > 0) {
                refuse(OutOfSync.otherStore("the leader", sync.storeId(), log));
                return;
            }
            log.adopt(sync.storeId());
        }
        if (sync.cut() < state.committed()) {
            refuse(OutOfSync.leaderLacks(sync.cut(), state.committed()));
            return;
        }
        if (state.rules.mustCut(sync.cut(), log.end())) {
            log.cutBack(sync.cut());
        }
        epoch = sync.epoch();
        syncedLink = link;
        heardNs = state.nowNs(); // or a register that has it in sync before the next heartbeat would have it promoted
        disk.reset(log.forced(), state.nowNs());
        confirm();
    }

    void onRefuse(PairMessage.Refuse refuse) {
        if (isCurrent(refuse.epoch())) {
            refuse(refuse.why());
        }
    }

    private void refuse(String why) {
        refused = !why.isEmpty();
        refusal = why;
    }

    String refusal() {
        return refused ? refusal : "";
    }

    long lag() {
        return epoch == NONE ? -1 : Math.max(0, leaderCommitted - state.log.forced());
    }

    /** A part of a store that comes anew. */
    void onPartOfStore(long link, long messageEpoch, PairMessage message) {
        if (isCurrent(messageEpoch) && answersLeader() && !isAway()) {
            refuse(receiving.received(link, request, message));
        }
    }

    /** The store that was received is durable. */
    void storeReceived() {
        receiving.forced();
    }

    /** Returns whether a store that was received takes the place of this one; then this node does no more. */
    boolean takesReceived() {
        if (!receiving.isDurable() || isAboutToLead() || forcing.isOpen() || isAway()) {
            return false;
        }
        over = true;
        return true;
    }

    void onRecords(long link, PairMessage.Records records) {
        if (!isCurrent(records.epoch()) || !answersLeader()) {
            return;
        }
        if (receiving.isOpen(link)) {
            receiving.onRecords(link, records);
            return;
        }
        if (records.epoch() != epoch || link != syncedLink) {
            return;
        }
        if (state.rules.follows(records.from(), state.log.end())) {
            state.log.append(records);
            if (state.settings.confirmsInMemory()) {
                confirm();
            }
        } else {
            syncedLink = PairState.NO_LINK;
        }
    }

    /** Tells the leader what is durable here, or what has come. */
    void confirm() {
        disk.at(state.log.forced(), state.log.end(), state.nowNs());
        if (epoch != NONE
                && syncedLink != PairState.NO_LINK
                && syncedLink == state.link
                && isLatest(epoch)
                && answersLeader()) {
            state.send(new PairMessage.Confirm(epoch, state.confirmable()));
        }
    }

    void onHandOver(PairMessage.HandOver message) {
        if (message.epoch() == epoch && isLatest(epoch)) {
            handOver = message;
            tick();
        }
    }

    void onResign(PairMessage.Resign resign) {
        if (resign.epoch() == epoch && isLatest(epoch)) {
            heardNs = state.nowNs() - 2 * state.settings.heartbeatTimeout().toNanos();
            tick();
        }
    }

    private boolean isLatest(long messageEpoch) {
        return state.rules.isCurrent(messageEpoch, state.latestEpoch());
    }

    private boolean isCurrent(long messageEpoch) {
        if (isLatest(messageEpoch)) {
            state.heardOf(messageEpoch);
            return true;
        }
        state.send(new PairMessage.Fenced(state.latestEpoch()));
        return false;
    }
}
