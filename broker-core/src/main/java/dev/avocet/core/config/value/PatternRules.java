package dev.avocet.core.config.value;

/** How the filters of policies must be built. */
final class PatternRules {
    private PatternRules() {}

    /** An asterisk in an identifier means something only at its end; one that means itself is written {@code ${*}}. */
    static void checkIdPattern(String pattern) throws InvalidValueException {
        int asterisk = pattern.replace("${*}", "").indexOf('*');
        if (asterisk >= 0 && asterisk < pattern.replace("${*}", "").length() - 1) {
            throw new InvalidValueException("'" + pattern
                    + "' has * before its end; * stands for any rest at the end only, and ${*} is a literal asterisk");
        }
    }
}
