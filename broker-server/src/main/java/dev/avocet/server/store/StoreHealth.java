package dev.avocet.server.store;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How the store is, as {@code /health} and {@code $SYS} tell it.
 *
 * @param mode such as {@code sync}
 * @param state how it is
 * @param checkpointAgeMs since the last checkpoint; null when there is nothing on disk
 */
public record StoreHealth(
        String mode, State state, @Nullable Long checkpointAgeMs) {
    /** Of a broker that keeps nothing on disk. */
    public static StoreHealth ofMemory(String mode) {
        return new StoreHealth(mode, State.ACCEPTING, null);
    }

    /** Of a store that is being read. */
    public static StoreHealth opening(String mode) {
        return new StoreHealth(mode, State.OPENING, null);
    }

    /** Of a store in use. */
    public static StoreHealth of(String mode, StoreFigures figures) {
        long ageMs = TimeUnit.NANOSECONDS.toMillis(figures.contents().checkpointAgeNs());
        return new StoreHealth(mode, stateOf(figures), ageMs);
    }

    /** The same, failed. */
    public StoreHealth inFailure() {
        return new StoreHealth(mode, State.FAILED, checkpointAgeMs);
    }

    private static State stateOf(StoreFigures figures) {
        if (figures.failed()) {
            return State.FAILED;
        }
        return figures.acceptsMessages() ? State.ACCEPTING : State.FULL;
    }

    /** How a store is. */
    public enum State {
        /** What it holds is being read. */
        OPENING("opening"),
        /** It takes messages. */
        ACCEPTING("accepting"),
        /** It takes no messages until there is room on the disk. */
        FULL("full"),
        /** The disk has failed; the process is about to end. */
        FAILED("failed");

        private final String jsonName;

        State(String jsonName) {
            this.jsonName = jsonName;
        }

        @Override
        public String toString() {
            return jsonName;
        }
    }
}
