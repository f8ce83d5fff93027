package dev.avocet.ha;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Hears of what a life cannot do by itself. Thread of the pair. */
interface LifeOwner {
    /**
     * This node leads no more: another life has to begin, once the host has stopped.
     *
     * @param relieved whether the other node has the role that this one has handed over, and can do without this one
     */
    void lifeOver(String why, boolean relieved);

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
