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
    private static final long FORCE_PATIENCE_NS = 5_000_000_000L;

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
    private final Renewal renewal = new Renewal();

    /** What the register said when an administrator wanted this node to lead by force. */
    private @Nullable Register forcedFrom;

    private long forcedNs;
    private long linkedNs;
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
        linkedNs = nowNs - state.settings.heartbeatTimeout().toNanos();
    }

    Role role() {
        if (refused) {
            return Role.REFUSED;
        }
        if (!state.register.isKnown()) {
            return Role.STARTING;
        }
        if (paused) {
            return Role.STANDBY_PAUSED;
        }
        if (wasFenced && epoch == NONE) {
            return Role.FENCED;
        }
        return epoch != NONE && mayPromote() ? Role.STANDBY_IN_SYNC : Role.STANDBY_SYNCING;
    }

    private boolean mayPromote() {
        return state.rules.mayPromote(state.known(), state.self(), state.log.storeId());
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
        if (forcedFrom != null && nowNs - forcedNs > FORCE_PATIENCE_NS) {
            forcedFrom = null; // the coordinator does not answer
        }
        if (isAway() || promoting || refused || !state.register.isKnown() || state.register.attempted() != null) {
            return;
        }
        if (state.known().revision() == 0) {
            found(nowNs);
        } else if (mayPromote()
                && disk.stalledNs(nowNs) <= state.settings.diskTimeout().toNanos()) {
            promoteIfDue(nowNs, timeoutNs);
        }
        if (!mayPromote() && state.register.attempted() == null && nowNs - heardNs > timeoutNs) {
            state.register.readAgain(nowNs); // it may name this node by now
        }
    }

    private void promoteIfDue(long nowNs, long timeoutNs) {
        PairMessage.HandOver handed = handOver;
        if (handed != null && state.log.forced() >= handed.end()) {
            handOver = null;
            attempt(Set.of(state.self(), state.partner()), nowNs);
            return;
        }
        boolean wasLeader = fresh && state.known().leader().equals(state.self()) && epoch == NONE;
        boolean mayHaveAPartner = state.known().inSync().size() > 1;
        if (wasLeader && !mayHaveAPartner || state.rules.isSilent(nowNs - heardNs, timeoutNs)) {
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
            refuse("the pair has store " + known.storeId() + ", and this node has store " + state.log.storeId()
                    + ", which is not empty: decide which one is kept, and empty the other node's store");
        } else {
            refused = false;
        }
        forceIfUnchanged();
    }

    /** What the leader has sent meanwhile was not taken, so it has to begin anew. */
    private void settlePromotion() {
        if (promoting && state.register.attempted() == null) {
            promoting = false;
            syncedLink = PairState.NO_LINK;
        }
    }

    /** Returns why that is refused; empty when it is paused. */
    String pause() {
        if (state.settings.minInSync() > 1) {
            return "both nodes have to have what is acknowledged (--ha-min-in-sync " + state.settings.minInSync()
                    + "), so without this one no message would be taken: give both nodes --ha-min-in-sync 1 first";
        }
        if (isAboutToLead()) {
            return "this node, " + state.self() + ", is about to become active: look at its role, and ask the standby";
        }
        paused = true;
        return "";
    }

    private boolean isAboutToLead() {
        return promoting || handOver != null || state.register.attempted() != null;
    }

    /** Returns why that is refused; empty when the register is asked. */
    String promote() {
        Register known = state.known();
        if (!state.register.isKnown() || known.revision() == 0) {
            return "this node does not know the register of the pair: see that it reaches the coordinator";
        }
        if (isAway()) {
            return "this node is paused: resume it first; if it is in sync, it takes over by itself then";
        }
        if (isAboutToLead() || forcedFrom != null) {
            return "this node is about to become active: look at its role";
        }
        if (mayPromote()) {
            return "this node has everything that was acknowledged, and becomes active by itself where the other one"
                    + " does not answer: to exchange the roles ask the active node to switch";
        }
        if (!state.rules.mayForceStore(known, state.log.storeId())) {
            return "the store of this node is not that of the pair, which is " + known.storeId()
                    + ": it has nothing of what the pair has acknowledged";
        }
        if (!mayForceNow()) {
            return "the active node, " + known.leader() + ", answers this node: ask it to switch once both are in sync";
        }
        forcedFrom = known;
        forcedNs = state.nowNs();
        state.register.read(forcedNs);
        return "";
    }

    private boolean mayForceNow() {
        long silentNs = state.nowNs() - (state.link == PairState.NO_LINK ? heardNs : Math.max(heardNs, linkedNs));
        return state.rules.mayForce(silentNs, state.settings.heartbeatTimeout().toNanos());
    }

    /** The register has answered: nothing has changed since the administrator has looked at it, or no force is used. */
    private void forceIfUnchanged() {
        Register from = forcedFrom;
        if (from != null) {
            forcedFrom = null;
            if (from.equals(state.known()) && mayForceNow() && !isAway() && !isAboutToLead()) {
                promoting = true;
                state.register.attempt(state.rules.forced(from, state.self()), state.nowNs());
            }
        }
    }

    /** Neither follows, but for what is left until the register does not name this node, nor is promoted. */
    private boolean isAway() {
        return paused || renewal.isOpen();
    }

    /** Returns why that is refused; empty when the leader is asked. */
    String renew() {
        boolean isHeard = state.link != PairState.NO_LINK
                && !state.rules.isSilent(
                        state.nowNs() - heardNs,
                        state.settings.heartbeatTimeout().toNanos());
        if (!state.register.isKnown() || !isHeard || isAboutToLead()) {
            return "the active node, which has to keep the whole log for that, does not answer this node: look at the"
                    + " log of both for what keeps them from each other";
        }
        if (state.settings.minInSync() > 1 && state.known().isInSync(state.self())) {
            return "both nodes have to have what is acknowledged (--ha-min-in-sync " + state.settings.minInSync()
                    + "): give both nodes --ha-min-in-sync 1 first";
        }
        renewal.begin(state.nowNs());
        return "";
    }

    private void renewTick(long nowNs) {
        if (renewal.isOpen() && renewal.isLate(nowNs)) {
            endRenewal("the active node has not left this one out within " + Renewal.PATIENCE.toSeconds()
                    + " s: look at its log, and ask again");
        }
    }

    void onLeft(PairMessage.Left message) {
        if (!renewal.isOpen() || !isLatest(message.epoch())) {
            return;
        }
        if (message.isOut()) {
            renewal.end();
            paused = true; // to the end of this life
            state.port.renewed("");
        } else {
            endRenewal("the active node, " + state.partner() + ", does not keep its whole log any more, and this node"
                    + " would not get what is missing: stop both nodes and copy the store of " + state.partner()
                    + " to this one");
        }
    }

    private void endRenewal(String why) {
        renewal.end();
        if (!paused) {
            follow();
        }
        state.port.renewed(why);
    }

    /** Returns whether it was paused. */
    boolean resume() {
        boolean was = paused;
        paused = false;
        if (was) {
            follow();
        }
        return was;
    }

    void linkUp() {
        linkedNs = state.nowNs();
        syncedLink = PairState.NO_LINK;
        if (!isAway()) {
            follow();
        }
    }

    void linkDown() {
        syncedLink = PairState.NO_LINK;
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
        PairLog log = state.log;
        state.send(new PairMessage.Follow(request, log.storeId(), log.starts(), log.end()));
    }

    void onFollow(PairMessage.Follow follow) {
        partnerIsEmpty = follow.end() == 0;
    }

    void onHeartbeat(long link, PairMessage.Heartbeat heartbeat) {
        if (!isCurrent(heartbeat.epoch()) || !answersLeader()) {
            return;
        }
        heardNs = state.nowNs();
        handOver = null;
        leaderCommitted = heartbeat.committed();
        if (heartbeat.epoch() != epoch || syncedLink != link) {
            if (!refused
                    && !isAway()
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
                refuse("the leader has store " + sync.storeId() + ", and this node has store " + log.storeId()
                        + ", which is not empty: decide which one is kept, and empty the other node's store");
                return;
            }
            log.adopt(sync.storeId());
        }
        if (sync.cut() < state.committed()) {
            refuse("the leader lacks what was acknowledged between the positions " + sync.cut() + " and "
                    + state.committed() + ": decide which store is kept, and empty the other node's store");
            return;
        }
        if (state.rules.mustCut(sync.cut(), log.end())) {
            log.cutBack(sync.cut());
        }
        epoch = sync.epoch();
        syncedLink = link;
        disk.reset(log.forced(), state.nowNs());
        confirm();
    }

    void onRefuse(PairMessage.Refuse refuse) {
        if (isCurrent(refuse.epoch())) {
            refuse(refuse.why());
        }
    }

    private void refuse(String why) {
        refused = true;
        refusal = why;
    }

    String refusal() {
        return refused ? refusal : "";
    }

    long lag() {
        return epoch == NONE ? -1 : Math.max(0, leaderCommitted - state.log.forced());
    }

    void onRecords(long link, PairMessage.Records records) {
        if (!isCurrent(records.epoch()) || !answersLeader()) {
            return;
        }
        if (records.epoch() != epoch || link != syncedLink) {
            return;
        }
        if (state.rules.follows(records.from(), state.log.end())) {
            state.log.append(records);
        } else {
            syncedLink = PairState.NO_LINK;
        }
    }

    /** Tells the leader what is durable here. */
    void confirm() {
        disk.at(state.log.forced(), state.log.end(), state.nowNs());
        if (epoch != NONE
                && syncedLink != PairState.NO_LINK
                && syncedLink == state.link
                && isLatest(epoch)
                && answersLeader()) {
            state.send(new PairMessage.Confirm(epoch, state.rules.confirmable(state.log.forced(), state.log.end())));
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
