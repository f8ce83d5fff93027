package dev.avocet.ha.link;

/**
 * Why a connection did not become a link.
 *
 * @param text one line for people: what happened, why, and what to do
 * @param epoch with {@link Reason#OLDER_EPOCH} the epoch that there is
 */
public record LinkRefusal(Reason reason, String text, long epoch) {
    LinkRefusal(Reason reason, String text) {
        this(reason, text, 0);
    }

    /** The numbers are on the wire. */
    public enum Reason {
        /** What came is not what a node of a pair sends. */
        FOREIGN,
        VERSION,
        OTHER_GROUP,
        OTHER_NODE,
        WRONG_SECRET,
        OTHER_STORE,
        OLDER_EPOCH,
        /** The proof took too long. */
        TOO_SLOW,
        CERTIFICATE,
        /** One end speaks TLS, and the other one does not. */
        TLS,
        /** The connection has ended without a word. */
        CLOSED;

        static Reason of(int number) {
            Reason[] all = values();
            return number >= 0 && number < all.length ? all[number] : FOREIGN;
        }
    }
}
