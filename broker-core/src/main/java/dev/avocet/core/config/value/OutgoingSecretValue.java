package dev.avocet.core.config.value;

/**
 * A password for another server.
 *
 * @param maxLength most characters
 */
public record OutgoingSecretValue(int maxLength) implements ValueType {
    @Override
    public Object read(Object plain) throws InvalidValueException {
        if (!(plain instanceof String password)) {
            throw new InvalidValueException("must be text in quotes");
        }
        TextValue.checkLength(password, maxLength);
        return OutgoingSecret.of(password);
    }

    /** The mask, never the password. */
    @Override
    public Object plain(Object value) {
        return value.toString();
    }

    @Override
    public Object empty() {
        return OutgoingSecret.NONE;
    }

    @Override
    public boolean isSecret() {
        return true;
    }

    @Override
    public String describe() {
        return "a password of at most " + maxLength + " characters";
    }
}
