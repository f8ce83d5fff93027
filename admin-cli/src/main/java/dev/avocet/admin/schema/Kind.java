package dev.avocet.admin.schema;

/** What sort of values a property has. */
public enum Kind {
    /** True or false. */
    BOOLEAN,
    /** One of a few words. */
    CHOICE,
    /** Several of a few words. */
    CHOICES,
    /** A whole number, or the word unlimited. */
    NUMBER,
    /** The name of another object. */
    REFERENCE,
    /** Names of other objects, in their order. */
    REFERENCES,
    /** A password. */
    SECRET,
    /** A number with KB, MB or GB. */
    SIZE,
    /** Any text. */
    TEXT;

    /** Whether a value is several, with commas between. */
    public boolean isList() {
        return this == CHOICES || this == REFERENCES;
    }
}
