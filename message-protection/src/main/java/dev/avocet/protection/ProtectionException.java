package dev.avocet.protection;

/** A message cannot be sealed, or what came is not what its policy asks for. */
public final class ProtectionException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** @param message what happened, and what to do where that can be said */
    public ProtectionException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    ProtectionException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** What is wrong. */
    public enum Reason {
        /** A message that has to be sealed is not. */
        NOT_SEALED,
        /** What came is no envelope that this version reads. */
        MALFORMED,
        /** The bytes were changed on their way: signature or authentication tag do not fit. */
        TAMPERED,
        /** The envelope is of another level than the policy asks for. */
        WRONG_LEVEL,
        /** The envelope uses an algorithm that the policy does not ask for. */
        WRONG_ALGORITHM,
        /** The signer's certificate leads to no trusted one. */
        UNTRUSTED_SIGNER,
        /** The signer is trusted, and not among those that the policy allows. */
        WRONG_SIGNER,
        /** A certificate is not valid yet, or no more. */
        EXPIRED_CERTIFICATE,
        /** The envelope was not made for this receiver's key. */
        NOT_A_RECIPIENT,
        /** The envelope was made for another destination. */
        WRONG_DESTINATION,
        /** The envelope came before. */
        REPLAYED,
        /** The keys at hand do not suffice for what is asked for. */
        NO_KEY
    }
}
