package dev.avocet.core.policy;

import dev.avocet.core.config.value.SubstitutionVariable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of a policy: text, {@code *} for any characters, and variables that stand for something known of the
 * client. What a variable stands for is plain text, whatever characters are in it. Immutable.
 */
final class TextPattern {
    private static final String BEGIN = "${";
    private static final String LITERAL_DOLLAR = "${$}";
    private static final String LITERAL_ASTERISK = "${*}";

    /** Most texts that one pattern comes to for one client, where its variables have several values. */
    private static final int MOST_CHOICES = 1_000;

    private final List<Piece> pieces;
    /** What it comes to for every client; null when that differs. */
    private final @Nullable List<Glob> forEverybody;

    private final String text;

    private TextPattern(String text, List<Piece> pieces) {
        this.text = text;
        this.pieces = List.copyOf(pieces);
        boolean fixed = pieces.stream().noneMatch(Piece.Variable.class::isInstance);
        this.forEverybody = fixed ? List.of(join(pieces, List.of())) : null;
    }

    /** Takes a pattern apart that the configuration has checked. */
    static TextPattern parse(String text) {
        List<Piece> pieces = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            SubstitutionVariable.Use variable = SubstitutionVariable.at(text, at);
            if (variable != null || text.charAt(at) == '*') {
                pieces.add(new Piece.Literal(literal.toString()));
                literal.setLength(0);
                pieces.add(variable == null ? Piece.Gap.ANY : new Piece.Variable(variable));
                at += variable == null ? 1 : variable.length();
            } else if (text.startsWith(LITERAL_DOLLAR, at) || text.startsWith(LITERAL_ASTERISK, at)) {
                literal.append(text.charAt(at + BEGIN.length()));
                at += LITERAL_DOLLAR.length();
            } else {
                literal.append(text.charAt(at++));
            }
        }
        pieces.add(new Piece.Literal(literal.toString()));
        return new TextPattern(text, pieces);
    }

    /** Whether it comes to the same for every client. */
    boolean isFixed() {
        return forEverybody != null;
    }

    boolean matches(String text, ClientFacts client) {
        for (Glob glob : boundTo(client)) {
            if (glob.matches(text)) {
                return true;
            }
        }
        return false;
    }

    /**
     * What the pattern comes to for a client: a text matches when one of these does. None when a variable has no value.
     */
    List<Glob> boundTo(ClientFacts client) {
        List<Glob> fixed = forEverybody;
        if (fixed != null) {
            return fixed;
        }
        List<List<String>> choices = List.of(List.of());
        for (Piece piece : pieces) {
            if (piece instanceof Piece.Variable variable) {
                choices = extended(choices, valuesOf(variable.use(), client));
            }
        }
        return choices.stream().map(values -> join(pieces, values)).toList();
    }

    /** Each choice with each of the values of the next variable; the first {@value #MOST_CHOICES} of them. */
    private static List<List<String>> extended(List<List<String>> choices, List<String> values) {
        List<List<String>> extended = new ArrayList<>();
        for (List<String> choice : choices) {
            for (String value : values) {
                if (extended.size() < MOST_CHOICES) {
                    List<String> longer = new ArrayList<>(choice);
                    longer.add(value);
                    extended.add(longer);
                }
            }
        }
        return extended;
    }

    private static Glob join(List<Piece> pieces, List<String> values) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        int nextValue = 0;
        for (Piece piece : pieces) {
            if (piece instanceof Piece.Literal literal) {
                part.append(literal.text());
            } else if (piece instanceof Piece.Variable) {
                part.append(values.get(nextValue++));
            } else {
                parts.add(part.toString());
                part.setLength(0);
            }
        }
        parts.add(part.toString());
        return new Glob(parts);
    }

    /** As it was configured. */
    @Override
    public String toString() {
        return text;
    }

    private static List<String> valuesOf(SubstitutionVariable.Use use, ClientFacts client) {
        return switch (use.variable()) {
            case USER_ID -> listOf(client.userId());
            case COMMON_NAME -> listOf(client.commonName());
            case CLIENT_ID -> List.of(client.clientId());
            case GROUP_ID -> client.groups();
            case CLAIM -> client.claims().getOrDefault(use.claim(), List.of());
        };
    }

    private static List<String> listOf(@Nullable String value) {
        return value == null ? List.of() : List.of(value);
    }

    private sealed interface Piece {
        record Literal(String text) implements Piece {}

        record Variable(SubstitutionVariable.Use use) implements Piece {}

        enum Gap implements Piece {
            ANY
        }
    }
}
