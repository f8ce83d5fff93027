package dev.avocet.ha.role;

import dev.avocet.core.time.Clock;
import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.Register;
import org.jspecify.annotations.Nullable;

/**
 * One node of a pair. It is told what happens, and has its {@link PairPort} and {@link PairLog} do what follows. It
 * knows time by {@link #tick} only, which should come every 20 to 50 ms.
 *
 * <p>Thread of the pair, for every method.
 */
public final class PairNode {
    /** No message may go to a client. */
    public static final long NO_LEASE = Long.MIN_VALUE;

    /** No other node can be promoted, so that this one needs no lease. */
    public static final long NEEDS_NO_LEASE = Long.MAX_VALUE;

    private final PairState state;
    private @Nullable Leading leading;
    private Following following;
    private Role told = Role.STARTING;
    private long toldRevision = -1;

    public PairNode(PairSettings settings, Clock clock, PairLog log, PairPort port) {
        this(settings, new SafetyRules(), clock, log, port);
    }

    PairNode(PairSettings settings, SafetyRules rules, Clock clock, PairLog log, PairPort port) {
        state = new PairState(settings, rules, clock, log, port);
        following = new Following(state, true, false);
    }

    /** Goes by other times and limits from now on. Those of the heartbeat have to be the ones of the other node. */
    public void settings(PairSettings settings) {
        state.settings = settings;
    }

    /** Begins. Everything in the log is durable by now. */
    public void start() {
        state.register.read(state.nowNs());
    }

    /** Time has passed. */
    public void tick() {
        state.register.tick(state.nowNs());
        Leading leader = leading;
        if (leader == null) {
            following.tick();
            takeReceived();
        } else {
            String why = leader.tick();
            if (why != null) {
                stepDown(why, false);
            }
        }
        tell();
    }

    /** There is a link to the partner, in place of the one before. */
    public void linkUp(long link) {
        linkDown(state.link);
        state.link = link;
        if (leading == null) {
            following.linkUp();
        }
    }

    /** That link has ended; nothing more comes from it. */
    public void linkDown(long link) {
        if (link != state.link) {
            return;
        }
        state.link = PairState.NO_LINK;
        if (leading != null) {
            leading.linkDown();
        } else {
            following.linkDown();
        }
    }

    /** The partner has said that. */
    public void received(long link, PairMessage message) {
        if (link != state.link) {
            return;
        }
        Leading leader = leading;
        if (leader != null) {
            receivedAsLeader(leader, link, message);
        } else {
            receivedAsFollower(link, message);
        }
        tell();
    }

    private void receivedAsLeader(Leading leader, long link, PairMessage message) {
        if (message instanceof PairMessage.Follow follow) {
            leader.onFollow(link, follow);
        } else if (message instanceof PairMessage.Confirm confirm) {
            leader.onConfirm(link, confirm);
        } else if (message instanceof PairMessage.Echo echo) {
            leader.onEcho(echo);
        } else if (message instanceof PairMessage.Leave leave) {
            leader.onLeave(leave);
        } else {
            long epoch = epochOf(message);
            if (!state.rules.isCurrent(leader.epoch(), epoch)) {
                state.heardOf(epoch);
                stepDown("the other node is at epoch " + epoch, true);
                receivedAsFollower(link, message);
            } else if (epoch < leader.epoch()) {
                state.send(new PairMessage.Fenced(leader.epoch()));
            }
        }
    }

    private void receivedAsFollower(long link, PairMessage message) {
        if (message instanceof PairMessage.Heartbeat heartbeat) {
            following.onHeartbeat(link, heartbeat);
        } else if (message instanceof PairMessage.Records records) {
            following.onRecords(link, records);
        } else if (message instanceof PairMessage.Sync sync) {
            following.onSync(link, sync);
        } else if (message instanceof PairMessage.Start start) {
            following.onPartOfStore(link, start.epoch(), start);
        } else if (message instanceof PairMessage.Part part) {
            following.onPartOfStore(link, part.epoch(), part);
        } else if (message instanceof PairMessage.Whole whole) {
            following.onPartOfStore(link, whole.epoch(), whole);
        } else if (message instanceof PairMessage.Follow follow) {
            following.onFollow(follow);
        } else if (message instanceof PairMessage.Refuse refuse) {
            following.onRefuse(refuse);
        } else if (message instanceof PairMessage.HandOver handOver) {
            following.onHandOver(handOver);
        } else if (message instanceof PairMessage.Left left) {
            following.onLeft(left);
        } else if (message instanceof PairMessage.Resign resign) {
            following.onResign(resign);
        } else if (message instanceof PairMessage.Fenced fenced) {
            state.heardOf(fenced.epoch());
        }
    }

    private static long epochOf(PairMessage message) {
        if (message instanceof PairMessage.Heartbeat heartbeat) {
            return heartbeat.epoch();
        } else if (message instanceof PairMessage.Records records) {
            return records.epoch();
        } else if (message instanceof PairMessage.Sync sync) {
            return sync.epoch();
        } else if (message instanceof PairMessage.Start start) {
            return start.epoch();
        } else if (message instanceof PairMessage.Part part) {
            return part.epoch();
        } else if (message instanceof PairMessage.Whole whole) {
            return whole.epoch();
        } else if (message instanceof PairMessage.Fenced fenced) {
            return fenced.epoch();
        } else if (message instanceof PairMessage.Refuse refuse) {
            return refuse.epoch();
        } else if (message instanceof PairMessage.HandOver handOver) {
            return handOver.epoch();
        } else if (message instanceof PairMessage.Left left) {
            return left.epoch();
        } else if (message instanceof PairMessage.Resign resign) {
            return resign.epoch();
        }
        return Long.MAX_VALUE - 1; // not reached: a follower's messages are handled before
    }

    /** The log has more than before, appended by this node as the leader. */
    public void appended() {
        if (leading != null) {
            leading.ship();
        }
    }

    /** More of the log is durable than before. */
    public void forced() {
        if (leading != null) {
            leading.commit();
        } else {
            following.confirm();
        }
    }

    /** What {@link PairPort#ship} was asked for is on its way, up to there. */
    public void shipped(long link, long epoch, long end) {
        if (leading != null && leading.epoch() == epoch) {
            leading.shipped(link, end);
        }
    }

    /**
     * Of what {@link PairPort#shipStore} was asked for so much is on its way.
     *
     * @param checkpoint position of the checkpoint
     */
    public void storeShipped(long link, long epoch, long end, long checkpoint) {
        if (leading != null && leading.epoch() == epoch) {
            leading.storeShipped(link, end, checkpoint);
        }
    }

    /** What {@link PairLog#complete} was told to complete is durable. */
    public void storeReceived() {
        following.storeReceived();
        takeReceived();
    }

    /** At once, or as soon as nothing else is under way. */
    private void takeReceived() {
        if (leading == null && following.takesReceived()) {
            state.port.storeReceived();
        }
    }

    /** The coordinator has told of a value of the register. It may be an old one. */
    public void registerSeen(Register value) {
        settled(state.register.seen(value));
    }

    /** The coordinator has answered {@link PairPort#writeRegister}. */
    public void registerAnswered(CasResult result) {
        settled(state.register.answered(result));
    }

    /** The coordinator has not answered {@link PairPort#writeRegister}. */
    public void registerUnanswered(Register next) {
        state.register.unanswered(next);
    }

    private void settled(@Nullable Register success) {
        Register known = state.known();
        Leading leader = leading;
        if (leader != null && !state.rules.isCurrent(leader.epoch(), known.epoch())) {
            stepDown("the register says that " + known.leader() + " leads epoch " + known.epoch(), true);
        } else if (leader != null) {
            leader.registerChanged();
        } else {
            boolean attempts = following.isPromoting(); // what it has written as the leader before begins nothing
            following.registerChanged();
            boolean named = known.leader().equals(state.self());
            if (named && state.rules.begins(attempts && success != null && success.epoch() == known.epoch())) {
                following.stopTaking();
                leading = new Leading(state, known.epoch());
                state.port.lead(known.epoch());
                leading.tick();
            }
        }
        tell();
    }

    private void stepDown(String why, boolean fenced) {
        boolean relieved = fenced && leading != null && leading.hasHandedOver() && state.settings.minInSync() == 1;
        leading = null;
        following = new Following(state, false, fenced);
        state.port.mayDeliverUntil(NO_LEASE);
        state.port.stopLeading(why, relieved);
        state.register.read(state.nowNs());
        following.linkUp();
    }

    /** Hands the role over to the partner; false if it is not in sync, or this node does not lead. */
    public boolean switchOver() {
        return leading != null && leading.switchOver();
    }

    /**
     * This standby leaves those in sync, and is neither promoted nor gets records until {@link #resume}.
     *
     * @return why that is refused, for people; empty otherwise
     */
    public String pause() {
        if (leading != null) {
            return isActive();
        }
        String refused = following.pause();
        tell();
        return refused;
    }

    /**
     * This standby leaves those in sync, to give its store up; {@link PairPort#renewed} hears once it may.
     *
     * @return why that is refused, for people; empty otherwise
     */
    public String renew() {
        return leading == null ? following.renew() : isActive();
    }

    /**
     * This standby is to lead although it may lack what was acknowledged: it attempts that once it has read the
     * register anew, and if that has not changed by then.
     *
     * @return why that is refused, for people; empty otherwise
     */
    public String promote() {
        return leading == null
                ? following.promote()
                : "this node, " + state.self() + ", is the active one already: nothing has to be done";
    }

    private String isActive() {
        return "this node, " + state.self() + ", is the active one: ask the standby, or hand the role over first";
    }

    /**
     * Follows again.
     *
     * @return why that is refused, for people; empty otherwise
     */
    public String resume() {
        String refused = leading == null && following.resume()
                ? ""
                : "this node, " + state.self() + ", is not paused: ask the one that is";
        tell();
        return refused;
    }

    /** Whether clients may publish and acknowledge: what they do will be committed, if nothing comes between. */
    public boolean mayAccept() {
        return leading != null && leading.mayAccept();
    }

    /** Whether messages may go to clients at that time, by what {@link PairPort#mayDeliverUntil} was told. */
    public static boolean holds(long endNs, long nowNs) {
        return endNs == NEEDS_NO_LEASE || endNs != NO_LEASE && nowNs - endNs < 0;
    }

    public Role role() {
        return leading != null ? leading.role() : following.role();
    }

    /** The epoch in which this node leads, or 0. */
    public long epoch() {
        return leading != null ? leading.epoch() : 0;
    }

    /** What this node knows of the register. */
    public Register register() {
        return state.known();
    }

    /** The latest epoch that this node knows of. */
    public long latestEpoch() {
        return state.latestEpoch();
    }

    /** Everything before that position was committed, as far as this node has heard. */
    public long committed() {
        return state.committed();
    }

    /** How much of the leader's log is not on the standby's disk, in positions; -1 when it is not known. */
    public long lag() {
        return leading != null ? leading.lag() : following.lag();
    }

    /** As the leader: up to where the partner has confirmed; -1 while it does not follow. */
    public long partnerHas() {
        return leading != null ? leading.partnerHas() : -1;
    }

    /** What keeps the standby, this node or its partner, from being in sync, in a sentence; empty when nothing does. */
    public String whyNotInSync() {
        return leading != null
                ? leading.whyPartnerIsOut()
                : OutOfSync.ofSelf(state, following.role(), following.refusal());
    }

    /** As the leader: whether nothing is committed that the partner has not confirmed. */
    public boolean partnerCounts() {
        return leading != null && leading.partnerCounts();
    }

    /** As the leader: the position from which on the partner needs the log; 0 while that is not known. */
    public long partnerNeeds() {
        return leading != null ? leading.partnerNeeds() : 0;
    }

    /** As the leader: whether the partner starts from a checkpoint, and was not in sync since. */
    public boolean partnerStarts() {
        return leading != null && leading.partnerStarts();
    }

    /** Why a role is {@link Role#REFUSED}; empty otherwise. */
    public String refusal() {
        return leading != null ? "" : following.refusal();
    }

    /** The coordinator should be asked now: an unknown node says that there is a later epoch. */
    public void doubt() {
        state.register.read(state.nowNs());
    }

    private void tell() {
        Role role = role();
        if (role != told || state.known().revision() != toldRevision) {
            told = role;
            toldRevision = state.known().revision();
            state.port.roleChanged(role, state.known());
        }
    }
}
