package dev.avocet.ha.role;

import dev.avocet.ha.coordination.Register;

/** What a {@link PairNode} has others do. Nothing here blocks, and nothing calls the node back before it returns. */
public interface PairPort {
    /** Sends, if that link is still there. */
    void send(long link, PairMessage message);

    /** {@link #ship} has yet to send. */
    long UNDER_WAY = -1;

    /**
     * Sends records from {@code from} on as {@link PairMessage.Records} on that link, at once where it has them at
     * hand.
     *
     * @param end up to where about, more than {@code from}
     * @return up to where they were sent, {@code from} for none, as more is told of soon; or {@link #UNDER_WAY} while
     *     they have to be read, which ends with {@link PairNode#shipped}
     */
    long ship(long link, long epoch, long from, long end);

    /**
     * Sends a checkpoint and what the log still has, on that link: {@link PairMessage.Start}, parts, records and
     * {@link PairMessage.Whole}. Calls {@link PairNode#storeShipped} now and then. Nothing that was asked for before is
     * sent behind the start.
     *
     * @param request that of the {@link PairMessage.Follow} which it answers
     * @param starts of the log
     */
    void shipStore(long link, long epoch, long request, EpochStarts starts);

    /** The store that was received is whole: it takes the place of this one, and another life begins. */
    void storeReceived();

    /** Asks the coordinator; {@link PairNode#registerSeen} hears of the answer. */
    void readRegister();

    /**
     * Asks the coordinator. {@link PairNode#registerAnswered} hears what it says, {@link PairNode#registerUnanswered}
     * that it says nothing.
     */
    void writeRegister(Register expected, Register next);

    /** From now on clients may be served, and records are of that epoch. */
    void lead(long epoch);

    /**
     * Clients must not be served any more.
     *
     * @param relieved whether the partner has the role, as this node wanted it to, and can do without this node
     */
    void stopLeading(String why, boolean relieved);

    /** Everything before that position may be acknowledged, and delivered as long as the node may deliver. */
    void committed(long position);

    /**
     * Messages may go to clients until then, by the clock of the node: checked before each write, as a process may be
     * stopped at any time. {@link PairNode#NO_LEASE} for not at all, {@link PairNode#NEEDS_NO_LEASE} without end.
     */
    void mayDeliverUntil(long endNs);

    /**
     * What has become of {@link PairNode#renew}.
     *
     * @param refused empty when the store may be put aside, and this node begin anew with an empty one; otherwise why
     *     the store has to stay, for people
     */
    void renewed(String refused);

    /** Whether messages that clients publish may be taken: false while the standby has to have them and is away. */
    void attended(boolean isAttended);

    /** For people, figures and logs. */
    void roleChanged(Role role, Register register);
}
