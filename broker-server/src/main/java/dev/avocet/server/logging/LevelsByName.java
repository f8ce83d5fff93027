package dev.avocet.server.logging;

import ch.qos.logback.classic.Level;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Levels of loggers and of everything below them. Immutable. */
final class LevelsByName {
    private final Map<String, Level> levels;

    LevelsByName(Map<String, Level> levels) {
        this.levels = Map.copyOf(levels);
    }

    Set<String> names() {
        return levels.keySet();
    }

    /** The level of the longest name that fits; null when none does. */
    @Nullable Level of(String logger) {
        for (String name = logger; ; name = name.substring(0, name.lastIndexOf('.'))) {
            Level level = levels.get(name);
            if (level != null || name.indexOf('.') < 0) {
                return level;
            }
        }
    }

    /** Whether an event of that level is wanted; what has no level here is. */
    boolean wants(String logger, Level level) {
        Level least = of(logger);
        return least == null || level.isGreaterOrEqual(least);
    }
}
