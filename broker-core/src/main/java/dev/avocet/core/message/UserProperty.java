package dev.avocet.core.message;

import java.util.Objects;

/** A name and a value that applications attach to a message. Names may repeat and their order is kept. */
public record UserProperty(String name, String value) {
    public UserProperty {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
    }
}
