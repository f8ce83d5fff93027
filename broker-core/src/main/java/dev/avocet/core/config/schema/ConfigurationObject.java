package dev.avocet.core.config.schema;

/**
 * One object of the configuration, such as an endpoint or a policy. Implementations are immutable records whose
 * components carry {@link Doc} and the annotations beside it; {@link ObjectType} reads them.
 */
public interface ConfigurationObject {
    /** What it is known by among the objects of its type; empty where there is only one. */
    default String name() {
        return "";
    }

    /** Reports what is wrong with how its properties go together; each by itself is known to be valid. */
    default void check(ObjectProblems problems) {}
}
