package dev.avocet.core.config.object;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** Sets of choices keep their order, so that they read alike wherever they are shown. */
final class Choices {
    private Choices() {}

    static <E> Set<E> copyOf(Set<E> choices) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(choices));
    }
}
