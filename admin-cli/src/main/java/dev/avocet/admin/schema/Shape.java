package dev.avocet.admin.schema;

/** How objects of a type appear in JSON. */
public enum Shape {
    /** Any number of them, by name. */
    NAMED,
    /** Exactly one, which cannot be deleted. */
    SINGLE,
    /** Exactly one, whose properties stand by themselves. */
    VALUES
}
