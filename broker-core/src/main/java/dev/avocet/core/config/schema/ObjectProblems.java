package dev.avocet.core.config.schema;

import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import java.util.List;

/** Collects what is wrong with one object. */
public final class ObjectProblems {
    private final List<ConfigurationProblem> found;
    private final String object;
    private final int before;

    /** Adds to the list, which the caller keeps. */
    public ObjectProblems(List<ConfigurationProblem> found, ObjectKey key) {
        this(found, key.toString());
    }

    /** Adds to the list, which the caller keeps; for an object that has no key. */
    public ObjectProblems(List<ConfigurationProblem> found, String object) {
        this.found = found;
        this.object = object;
        this.before = found.size();
    }

    /** Whether nothing was found since this was made. */
    public boolean isEmpty() {
        return found.size() == before;
    }

    /** A problem with one property. */
    public void add(String property, String message) {
        found.add(new ConfigurationProblem(Kind.INVALID, object, property, message));
    }

    /** A problem with the object as a whole. */
    public void add(Kind kind, String message) {
        found.add(new ConfigurationProblem(kind, object, "", message));
    }
}
