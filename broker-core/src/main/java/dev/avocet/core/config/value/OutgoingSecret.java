package dev.avocet.core.config.value;

/**
 * A password that the broker shows to another server, so that it is kept as it is: in the file of the configuration,
 * which only the user of the broker's process can read. What shows it to people shows {@link Secret#MASK}.
 */
public final class OutgoingSecret {
    /** No password. */
    public static final OutgoingSecret NONE = new OutgoingSecret("");

    private final String text;

    private OutgoingSecret(String text) {
        this.text = text;
    }

    /** A password. */
    public static OutgoingSecret of(String password) {
        return password.isEmpty() ? NONE : new OutgoingSecret(password);
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /** The password itself; for the other server alone. */
    public String reveal() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OutgoingSecret that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Shows nothing of it. */
    @Override
    public String toString() {
        return isEmpty() ? "" : Secret.MASK;
    }
}
