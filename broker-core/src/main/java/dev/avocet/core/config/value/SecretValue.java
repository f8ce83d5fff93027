package dev.avocet.core.config.value;

/**
 * A password.
 *
 * @param maxLength most characters
 * @param use who proves what with it, and so what is kept of it
 */
public record SecretValue(int maxLength, Use use) implements ValueType {
    /** Who proves what with a password. */
    public enum Use {
        /** Users prove with it who they are: a {@link Secret}. */
        INCOMING {
            @Override
            Object none() {
                return Secret.NONE;
            }

            @Override
            Object of(String password) {
                return Secret.plain(password);
            }
        },
        /** This broker proves with it to another server who it is: an {@link OutgoingSecret}. */
        OUTGOING {
            @Override
            Object none() {
                return OutgoingSecret.NONE;
            }

            @Override
            Object of(String password) {
                return OutgoingSecret.of(password);
            }
        };

        abstract Object none();

        abstract Object of(String password);
    }

    @Override
    public Object read(Object plain) throws InvalidValueException {
        if (!(plain instanceof String password)) {
            throw new InvalidValueException("must be text in quotes");
        }
        TextValue.checkLength(password, maxLength);
        return use.of(password);
    }

    /** The mask, never the password. */
    @Override
    public Object plain(Object value) {
        return value.toString();
    }

    @Override
    public Object empty() {
        return use.none();
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
