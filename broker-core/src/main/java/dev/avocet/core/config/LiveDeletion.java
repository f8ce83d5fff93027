package dev.avocet.core.config;

import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.LiveUse.Use;
import java.util.Optional;

/** How an object is deleted on which something in the running broker depends. */
final class LiveDeletion {
    private LiveDeletion() {}

    /** What the administrator must say to be allowed to. */
    static Optional<DeleteOption> missingOption(Use use) {
        return switch (use) {
            case MESSAGES -> Optional.of(DeleteOption.DISCARD_MESSAGES);
            case SHARERS -> Optional.of(DeleteOption.DISCARD_SHARERS);
            case FREE, SUBSCRIPTIONS -> Optional.empty();
        };
    }

    static String refusal(Use use, DeleteOption option) {
        String what = use == Use.MESSAGES ? "still holds messages" : "still has clients that share it";
        return what + "; delete it with " + option + "=true to lose them";
    }

    /** Whether it stays until the broker has let go of it. */
    static boolean isLater(Use use) {
        return use != Use.FREE;
    }
}
