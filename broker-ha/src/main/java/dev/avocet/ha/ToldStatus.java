package dev.avocet.ha;

import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.role.Role;
import java.util.Collections;

/** What a member knows of its pair, and has told its host. Written by the thread of the pair, read by any. */
final class ToldStatus {
    private final HostThread hosting;
    private final RoomShortage room;
    private volatile PairStatus now =
            new PairStatus(Role.STARTING, 0, "", Collections.emptySortedSet(), Lag.UNKNOWN, false, "this node starts");

    /** Of the thread. */
    private PairStatus told = now;

    ToldStatus(HostThread hosting, RoomShortage room) {
        this.hosting = hosting;
        this.room = room;
    }

    PairStatus now() {
        return now;
    }

    /** Tells the host if more has changed than how far the standby lags. */
    void tell(PairStatus known) {
        PairStatus status = room.isPresent() ? known.withDiskFull(room.sentence()) : known;
        now = status;
        if (!status.isAs(told)) {
            told = status;
            hosting.tell(status);
        }
    }

    /** Tells of a node that takes no part at the moment; the rest is what was known last. */
    void tell(Role role, String why) {
        tell(new PairStatus(role, now.epoch(), now.leader(), now.inSync(), Lag.UNKNOWN, false, why));
    }

    /** What the register says goes on while a node waits for room on its disk. The value may be an old one. */
    void waitsForRoom(Register seen) {
        if (seen.epoch() >= now.epoch()) {
            tell(new PairStatus(now.role(), seen.epoch(), seen.leader(), seen.inSync(), Lag.UNKNOWN, true, ""));
        }
    }
}
