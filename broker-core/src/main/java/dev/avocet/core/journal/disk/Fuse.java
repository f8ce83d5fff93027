package dev.avocet.core.journal.disk;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Blows once, with the first failure, and is never whole again. Any thread. */
public final class Fuse {
    private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
    private final Consumer<Throwable> onBlown;

    public Fuse(Consumer<Throwable> onBlown) {
        this.onBlown = onBlown;
    }

    public boolean isBlown() {
        return cause.get() != null;
    }

    public void blow(Throwable failure) {
        if (cause.compareAndSet(null, failure)) {
            onBlown.accept(failure);
        }
    }
}
