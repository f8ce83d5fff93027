package dev.avocet.ha.role;

/**
 * A follower lacks more than the leader's log has, and is sent a checkpoint and the log that goes with it. Its own
 * store stays as it is until all of that is durable; then the one takes the place of the other. Thread of the pair.
 */
final class Receiving {
    private static final long NOT_TOLD = -1;

    private final PairState state;
    private long link = PairState.NO_LINK;
    private long epoch;
    private long checkpoint;
    private long received;
    private long end;
    private boolean completed;
    private boolean durable;

    Receiving(PairState state) {
        this.state = state;
    }

    private String begin(long onLink, PairMessage.Start start) {
        PairLog log = state.log;
        end();
        if (log.end() > 0 && !start.storeId().equals(log.storeId())) {
            return OutOfSync.otherStore("the leader", start.storeId(), log);
        }
        long cut = state.rules.cut(start.starts(), Long.MAX_VALUE, log.starts(), log.end());
        if (cut < state.committed()) {
            return OutOfSync.leaderLacks(cut, state.committed());
        }
        link = onLink;
        epoch = start.epoch();
        checkpoint = start.checkpoint();
        received = 0;
        end = NOT_TOLD;
        completed = false;
        durable = false;
        log.receive(start);
        return "";
    }

    /** Whether a store is being received on that link. */
    boolean isOpen(long onLink) {
        return link != PairState.NO_LINK && link == onLink;
    }

    /**
     * A part of a store has come.
     *
     * @param request that was asked last
     * @return why it is refused, for people; empty otherwise
     */
    String received(long onLink, long request, PairMessage message) {
        if (message instanceof PairMessage.Start start) {
            return start.request() == request ? begin(onLink, start) : "";
        } else if (message instanceof PairMessage.Part part) {
            onPart(onLink, part);
        } else if (message instanceof PairMessage.Whole whole) {
            onWhole(onLink, whole);
        }
        return "";
    }

    private void onPart(long onLink, PairMessage.Part part) {
        if (isOf(onLink, part.epoch())) {
            state.log.receive(part);
            completeIfWhole();
        }
    }

    void onRecords(long onLink, PairMessage.Records records) {
        if (!isOf(onLink, records.epoch())) {
            return;
        }
        boolean follows = state.rules.follows(records.from(), received)
                || records.from() > received && state.rules.mayLackUpTo(records.from(), checkpoint);
        if (follows) {
            state.log.receive(records);
            received = records.end();
            completeIfWhole();
        } else {
            end(); // it is asked for anew
        }
    }

    private void onWhole(long onLink, PairMessage.Whole whole) {
        if (isOf(onLink, whole.epoch())) {
            end = whole.end();
            completeIfWhole();
            if (!completed) {
                end();
            }
        }
    }

    private boolean isOf(long onLink, long itsEpoch) {
        return isOpen(onLink) && epoch == itsEpoch && !completed;
    }

    private void completeIfWhole() {
        if (state.rules.isWhole(received, end)) {
            completed = true;
            state.log.complete(received);
        }
    }

    /** What has come is on the disk. */
    void forced() {
        durable = completed;
    }

    /** All has come and is durable, and nothing has put an end to it since. */
    boolean isDurable() {
        return link != PairState.NO_LINK && durable;
    }

    /** Nothing comes of it. */
    void end() {
        if (link != PairState.NO_LINK) {
            link = PairState.NO_LINK;
            state.log.dropReceived();
        }
    }
}
