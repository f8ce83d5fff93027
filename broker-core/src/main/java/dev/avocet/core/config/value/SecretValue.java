package dev.avocet.core.config.value;

/**
 * A password.
 *
 * @param maxLength most characters
 */
public record SecretValue(int maxLength) implements ValueType {
    @Override
    public Object read(Object plain) throws InvalidValueException {
        if (!(plain instanceof String password)) {
            throw new InvalidValueException("must be text in quotes");
        }
        TextValue.checkLength(password, maxLength);
        return Secret.plain(password);
    }

    /** The mask, never the password. */
    @Override
    public Object plain(Object value) {
        return value.toString();
    }

    @Override
    public Object empty() {
        return Secret.NONE;
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
