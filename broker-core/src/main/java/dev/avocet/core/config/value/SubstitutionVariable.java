package dev.avocet.core.config.value;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What can stand in the filter of a policy for something that is known of the client only. */
public enum SubstitutionVariable {
    /** The authenticated user. */
    USER_ID("${UserID}"),
    /** The common name of the client's certificate. */
    COMMON_NAME("${CommonName}"),
    /** The client identifier. */
    CLIENT_ID("${ClientID}"),
    /** Any of the groups of the user. */
    GROUP_ID("${GroupID}");

    private static final List<String> LITERALS = List.of("${$}", "${*}");

    private final String text;

    SubstitutionVariable(String text) {
        this.text = text;
    }

    /** As it is written. */
    @Override
    public String toString() {
        return text;
    }

    /** Refuses variables that do not exist, are not among the allowed ones, or stand there twice. */
    static void check(String pattern, Set<SubstitutionVariable> allowed) throws InvalidValueException {
        Set<SubstitutionVariable> seen = EnumSet.noneOf(SubstitutionVariable.class);
        for (int from = pattern.indexOf("${"); from >= 0; from = pattern.indexOf("${", from + 2)) {
            int end = pattern.indexOf('}', from);
            if (end < 0) {
                throw new InvalidValueException("'" + pattern + "' has ${ without }; a literal dollar sign is ${$}");
            }
            String written = pattern.substring(from, end + 1);
            if (!LITERALS.contains(written) && !seen.add(allowed(written, allowed))) {
                throw new InvalidValueException(written + " stands there twice; once is the most");
            }
        }
    }

    private static SubstitutionVariable allowed(String written, Set<SubstitutionVariable> allowed)
            throws InvalidValueException {
        for (SubstitutionVariable variable : allowed) {
            if (variable.text.equals(written)) {
                return variable;
            }
        }
        String possible = Arrays.stream(values())
                .filter(allowed::contains)
                .map(SubstitutionVariable::toString)
                .collect(Collectors.joining(", "));
        throw new InvalidValueException(written + " cannot be used here; "
                + (possible.isEmpty() ? "no variable can" : "what can is " + possible)
                + ", and ${$} is a literal dollar sign");
    }
}
