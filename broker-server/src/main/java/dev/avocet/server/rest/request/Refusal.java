package dev.avocet.server.rest.request;

import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import java.util.List;

/** A request that was not fulfilled, and why. Has no stack trace. */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final Code code;
    private final transient List<ConfigurationProblem> problems;

    public Refusal(Code code, String message) {
        this(code, message, List.of());
    }

    private Refusal(Code code, String message, List<ConfigurationProblem> problems) {
        super(message, null, false, false);
        this.code = code;
        this.problems = List.copyOf(problems);
    }

    public static Refusal of(ConfigurationRefusedException refused) {
        List<Kind> kinds = refused.problems().stream()
                .map(ConfigurationProblem::kind)
                .distinct()
                .toList();
        Code code = kinds.size() == 1 ? codeOf(kinds.get(0)) : Code.INVALID;
        return new Refusal(code, String.valueOf(refused.getMessage()), refused.problems());
    }

    private static Code codeOf(Kind kind) {
        return switch (kind) {
            case INVALID -> Code.INVALID;
            case NOT_FOUND -> Code.NOT_FOUND;
            case IN_USE -> Code.IN_USE;
            case STALE -> Code.STALE;
        };
    }

    public Code code() {
        return code;
    }

    /** What is wrong with single objects; may be empty. */
    List<ConfigurationProblem> problems() {
        return problems;
    }
}
