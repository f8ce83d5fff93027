package dev.avocet.core.config;

import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import java.util.List;
import java.util.stream.Collectors;

/** A change of the configuration that was not made, with everything that is wrong with it. Has no stack trace. */
public final class ConfigurationRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigurationProblem> problems;

    /** A change refused for these reasons, at least one. */
    public ConfigurationRefusedException(List<ConfigurationProblem> problems) {
        super(
                problems.stream().map(ConfigurationProblem::toString).collect(Collectors.joining("; ")),
                null,
                false,
                false);
        this.problems = List.copyOf(problems);
    }

    /** A change refused for one reason that concerns no single object. */
    public ConfigurationRefusedException(Kind kind, String message) {
        this(List.of(new ConfigurationProblem(kind, "", "", message)));
    }

    /** All of them. */
    public List<ConfigurationProblem> problems() {
        return problems;
    }
}
