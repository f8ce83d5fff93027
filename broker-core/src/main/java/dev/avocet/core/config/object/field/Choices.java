package dev.avocet.core.config.object.field;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** Sets of choices keep their order, so that they read alike wherever they are shown. */
public final class Choices {
    private Choices() {}

    public static <E> Set<E> copyOf(Set<E> choices) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(choices));
    }
}
