package dev.avocet.core.config.value;

/** {@code true} or {@code false}. */
public record BooleanValue() implements ValueType {
    @Override
    public Object read(Object plain) throws InvalidValueException {
        if (plain instanceof Boolean) {
            return plain;
        }
        if (plain instanceof String text && (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false"))) {
            return text.equalsIgnoreCase("true");
        }
        throw new InvalidValueException("must be true or false, not " + ValueType.describe(plain));
    }

    @Override
    public Object plain(Object value) {
        return value;
    }

    @Override
    public Object empty() {
        return false;
    }

    @Override
    public String describe() {
        return "true or false";
    }
}
