package dev.avocet.testkit.cost;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How tests wait for an effect, where they do not say it themselves: they look at once, again after a few milliseconds,
 * then ever more seldom, and give up when even a busy machine would have shown it.
 *
 * <p>JUnit finds it by itself.
 */
public final class Waits implements BeforeAllCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    /** Called by JUnit. */
    public Waits() {}

    @Override
    public void beforeAll(final ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval((looks, pause) -> pauseAfter(pause));
    }

    /** The pause before the next look. */
    static Duration pauseAfter(final Duration pause) {
        final Duration doubled = pause.multipliedBy(2);
        if (doubled.compareTo(SHORTEST_PAUSE) < 0) {
            return SHORTEST_PAUSE;
        }
        return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
}
