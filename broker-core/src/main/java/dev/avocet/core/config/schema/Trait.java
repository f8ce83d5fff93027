package dev.avocet.core.config.schema;

/** What is particular about a property. */
public enum Trait {
    /** The object is known by it; never changed. */
    KEY,
    /** Must be given when the object is created, and cannot be cleared. */
    REQUIRED,
    /** One of those of which a policy needs at least one. */
    FILTER,
    /** Set by the broker alone. */
    READ_ONLY,
    /** Cannot be changed once the object exists. */
    FIXED,
    /** A change acts at the next start of the broker; any other property acts at once. */
    NEEDS_RESTART
}
