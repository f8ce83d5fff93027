package dev.avocet.core.journal;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Blows once, with the first failure, and is never whole again. Any thread. */
final class Fuse {
    private final AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
    private final Consumer<Throwable> onBlown;

    Fuse(Consumer<Throwable> onBlown) {
        this.onBlown = onBlown;
    }

    boolean isBlown() {
        return cause.get() != null;
    }

    void blow(Throwable failure) {
        if (cause.compareAndSet(null, failure)) {
            onBlown.accept(failure);
        }
    }
}
