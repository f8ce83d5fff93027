package dev.avocet.ha.link;

import dev.avocet.ha.role.PairMessage;

/** Hears what happens to the link, on the link's event loop; it must not block. */
public interface LinkListener {
    /** There is a link, in place of the one before. */
    void up(LinkConnection link);

    void received(LinkConnection link, PairMessage message);

    /** The partner has room for records again. */
    void hasCredit(LinkConnection link);

    /** That link has ended. */
    void down(LinkConnection link, String why);

    /** A connection did not become a link. A leader that hears of a later epoch gives its role up. */
    void refused(LinkRefusal refusal);
}
