package dev.avocet.core.config.value;

/**
 * The name of an object, which must exist.
 *
 * @param target its type
 */
public record ReferenceValue(String target) implements ValueType {
    @Override
    public Object read(Object plain) throws InvalidValueException {
        if (!(plain instanceof String)) {
            throw new InvalidValueException("must be the name of a " + target + ", not " + ValueType.describe(plain));
        }
        return plain;
    }

    @Override
    public Object plain(Object value) {
        return value;
    }

    @Override
    public Object empty() {
        return "";
    }

    @Override
    public String describe() {
        return "the name of a " + target;
    }
}
