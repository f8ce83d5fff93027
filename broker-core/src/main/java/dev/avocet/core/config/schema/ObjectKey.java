package dev.avocet.core.config.schema;

/**
 * Which object is meant.
 *
 * @param type its type
 * @param name its name; empty where there is only one object of the type
 */
public record ObjectKey(ObjectType type, String name) {
    /** In words, for messages. */
    @Override
    public String toString() {
        return name.isEmpty() ? type.name() : type.name() + " '" + name + "'";
    }
}
