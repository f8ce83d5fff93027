package dev.avocet.core.policy;

import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;
import org.jspecify.annotations.Nullable;

/** The selectors of policies, which were checked when they were configured. */
final class SelectionRules {
    private SelectionRules() {}

    static @Nullable Selector compiled(String rule) {
        try {
            return Selector.compileAccepted(rule);
        } catch (InvalidSelectorException e) {
            throw new IllegalArgumentException("DefaultSelectionRule: " + e.getMessage(), e);
        }
    }
}
