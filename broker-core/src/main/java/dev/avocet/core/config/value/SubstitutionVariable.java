package dev.avocet.core.config.value;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What can stand in the filter of a policy for something that is known of the client only. */
public enum SubstitutionVariable {
    /** The authenticated user. */
    USER_ID("${UserID}"),
    /** The common name of the client's certificate. */
    COMMON_NAME("${CommonName}"),
    /** The client identifier. */
    CLIENT_ID("${ClientID}"),
    /** Any of the groups of the user. */
    GROUP_ID("${GroupID}"),
    /** A claim of the token that the client has logged in with; the claim's name stands for NAME. */
    CLAIM("${Claim.NAME}");

    private static final List<String> LITERALS = List.of("${$}", "${*}");
    private static final String CLAIM_BEGIN = "${Claim.";

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
        Set<String> seen = new HashSet<>();
        for (int from = pattern.indexOf("${"); from >= 0; from = pattern.indexOf("${", from + 2)) {
            int end = pattern.indexOf('}', from);
            if (end < 0) {
                throw new InvalidValueException("'" + pattern + "' has ${ without }; a literal dollar sign is ${$}");
            }
            String written = pattern.substring(from, end + 1);
            if (!LITERALS.contains(written)) {
                requireAllowed(written, allowed);
                if (!seen.add(written)) {
                    throw new InvalidValueException(written + " stands there twice; once is the most");
                }
            }
        }
    }

    /** The variable that begins at a place of a pattern, or null where none does. */
    public static @Nullable Use at(String pattern, int from) {
        int end = pattern.startsWith("${", from) ? pattern.indexOf('}', from) : -1;
        if (end < 0) {
            return null;
        }
        String written = pattern.substring(from, end + 1);
        if (written.startsWith(CLAIM_BEGIN)) {
            String claim = written.substring(CLAIM_BEGIN.length(), written.length() - 1);
            return claim.isBlank() ? null : new Use(CLAIM, claim, written.length());
        }
        for (SubstitutionVariable variable : values()) {
            if (variable.text.equals(written)) {
                return new Use(variable, "", written.length());
            }
        }
        return null;
    }

    /** The names of the claims that a pattern asks for, in their order. */
    public static Set<String> claimsIn(String pattern) {
        Set<String> claims = new TreeSet<>();
        for (int from = pattern.indexOf(CLAIM_BEGIN); from >= 0; from = pattern.indexOf(CLAIM_BEGIN, from + 1)) {
            Use use = at(pattern, from);
            if (use != null) {
                claims.add(use.claim());
            }
        }
        return claims;
    }

    private static void requireAllowed(String written, Set<SubstitutionVariable> allowed) throws InvalidValueException {
        Use use = at(written, 0);
        if (use != null && allowed.contains(use.variable())) {
            return;
        }
        String possible = Arrays.stream(values())
                .filter(allowed::contains)
                .map(SubstitutionVariable::toString)
                .collect(Collectors.joining(", "));
        throw new InvalidValueException(written + " cannot be used here; "
                + (possible.isEmpty() ? "no variable can" : "what can is " + possible)
                + ", and ${$} is a literal dollar sign");
    }

    /**
     * A variable as it stands in a pattern.
     *
     * @param claim the name of the claim that {@link #CLAIM} asks for; empty for the others
     * @param length how many characters it takes
     */
    public record Use(SubstitutionVariable variable, String claim, int length) {}
}
