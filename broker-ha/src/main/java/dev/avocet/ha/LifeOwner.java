package dev.avocet.ha;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Hears of what a life cannot do by itself. Thread of the pair. */
interface LifeOwner {
    /** This node leads no more: another life has to begin, once the host has stopped. */
    void lifeOver(String why);

    /**
     * The other node has taken the role that this one has handed over, and can do without it: another life has to
     * begin, after a while.
     */
    void relieved(String why);

    /** The disk has no room for the log, and no client is served: another life has to begin, once there is room. */
    void lacksRoom();

    /**
     * This standby is to begin anew with another store.
     *
     * @param between puts that in place of this one, which is closed by then
     */
    void storeOver(String why, StoreChange between);

    /** What happens to a store that is closed. Blocks on the disk. */
    interface StoreChange {
        void run() throws IOException;
    }

    /** There is no way on. */
    void failed(String why, @Nullable Throwable cause);

    void statusChanged();
}
