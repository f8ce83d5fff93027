package dev.avocet.ha;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The wish of an administrator that this standby gives its store up: one at a time. Thread of the pair. */
final class AwaitedResync {
    private @Nullable CompletableFuture<Resynced> answer;

    /** @param renew returns why that is refused; empty otherwise */
    void ask(CompletableFuture<Resynced> wish, Supplier<String> renew) {
        String refused = answer != null ? "this node is asked for that already: wait for the answer" : renew.get();
        if (refused.isEmpty()) {
            answer = wish;
        } else {
            wish.complete(Resynced.refused(refused));
        }
    }

    /**
     * The leader has answered, or has not.
     *
     * @param refused why the store stays; empty when it is of no use any more
     * @param useless hears of the wish then, which it completes
     */
    void settled(String refused, Consumer<CompletableFuture<Resynced>> useless) {
        CompletableFuture<Resynced> wish = answer;
        answer = null;
        if (wish != null && refused.isEmpty()) {
            useless.accept(wish);
        } else if (wish != null) {
            wish.complete(Resynced.refused(refused));
        }
    }

    /** The life is over, and with it the wish. */
    void end(String why) {
        if (answer != null) {
            answer.complete(Resynced.refused(why));
            answer = null;
        }
    }
}
