package dev.avocet.admin.print;

/** How objects are printed. */
public enum ObjectFormat {
    /** For people. */
    TABLE,
    /** As the broker takes them. */
    JSON,
    /** The same, easier to read. */
    YAML,
    /** A heading and a line for each object. */
    CSV,
    /** The names alone. */
    NAME
}
