package dev.avocet.ha.coordination;

/** What a coordinator says of a compare-and-set. That it does not say anything is a {@link CoordinationException}. */
public sealed interface CasResult {
    /** What is in the register now. */
    Register current();

    /** The new value is there, and no other one will ever follow the expected value. */
    record Written(Register current) implements CasResult {}

    /** Another value than the expected one was there; the new value is not there and never will be. */
    record Refused(Register current) implements CasResult {}

    /** The answer that follows from what is in the register after an attempt to write {@code next}. */
    static CasResult of(Register current, Register next) {
        return current.equals(next) ? new Written(current) : new Refused(current);
    }
}
