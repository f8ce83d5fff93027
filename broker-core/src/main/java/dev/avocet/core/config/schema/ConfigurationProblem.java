package dev.avocet.core.config.schema;

/**
 * Something that is wrong with a change of the configuration.
 *
 * @param kind what sort of problem
 * @param object which object, in words; empty for the change as a whole
 * @param property which property of it; empty for the object as a whole
 * @param message the rule that is broken and, where it is not obvious, how to mend it
 */
public record ConfigurationProblem(Kind kind, String object, String property, String message) {
    /** What sort of problem. */
    public enum Kind {
        /** A value or a combination of values breaks a rule. */
        INVALID,
        /** There is no such object. */
        NOT_FOUND,
        /** The object cannot be deleted while something else needs it. */
        IN_USE,
        /** Another administrator changed the configuration in the meantime. */
        STALE
    }

    /** A sentence for people. */
    @Override
    public String toString() {
        String where = object + (object.isEmpty() || property.isEmpty() ? "" : ": ") + property;
        return where.isEmpty() ? message : where + ": " + message;
    }
}
