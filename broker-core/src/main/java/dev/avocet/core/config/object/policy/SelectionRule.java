package dev.avocet.core.config.object.policy;

import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;

/** Whether a selector of a policy is one. */
final class SelectionRule {
    private SelectionRule() {}

    static void check(String rule, ObjectProblems problems) {
        try {
            Selector.compileAccepted(rule); // also of objects that were stored before and are read again
        } catch (InvalidSelectorException e) {
            problems.add("DefaultSelectionRule", "is not a selector: " + e.getMessage());
        }
    }
}
