package dev.avocet.server.objects;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.schema.ConfigurationProblem;
import java.util.List;

/** What a change must fulfil that cannot be seen from the objects alone. */
@FunctionalInterface
public interface ChangeRule {
    /**
     * What is wrong with the change; empty when nothing is. Called on the {@code configuration} thread before anything
     * is stored.
     */
    List<ConfigurationProblem> problems(Configuration before, Configuration after);
}
