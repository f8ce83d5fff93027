package dev.avocet.server.admin;

import dev.avocet.server.store.StoreFigures;
import org.jspecify.annotations.Nullable;

/** What there is to tell about the process. Any thread. */
public interface Monitored {
    /** How it is. */
    Health health();

    /** What the store holds and does; null while it is being opened, and when nothing is kept on disk. */
    @Nullable StoreFigures store();
}
