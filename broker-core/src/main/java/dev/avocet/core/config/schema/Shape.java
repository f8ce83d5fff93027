package dev.avocet.core.config.schema;

/** How objects of a type appear in JSON. */
public enum Shape {
    /** Any number of them, by name: {@code "Queue": {"orders": {…}, "bills": {…}}}. */
    NAMED,
    /** Exactly one, which cannot be deleted: {@code "AdminEndpoint": {…}}. */
    SINGLE,
    /** Exactly one, whose properties stand by themselves: {@code "LogLevel": "MAX"}. */
    VALUES
}
