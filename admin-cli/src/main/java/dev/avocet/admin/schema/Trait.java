package dev.avocet.admin.schema;

/** What is particular about a property. */
public enum Trait {
    /** The object is known by it. */
    KEY,
    /** Must be given when the object is created. */
    REQUIRED,
    /** One of those of which a policy needs at least one. */
    FILTER,
    /** Set by the broker alone. */
    READ_ONLY,
    /** Cannot be changed once the object exists. */
    FIXED,
    /** A change acts at the next start of the broker. */
    NEEDS_RESTART
}
