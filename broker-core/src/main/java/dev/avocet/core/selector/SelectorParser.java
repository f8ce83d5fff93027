package dev.avocet.core.selector;

import dev.avocet.core.selector.Comparison.Operator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a condition of a selector's words: from OR, which binds least, down to names and literals. */
final class SelectorParser {
    /** Deeper nesting serves no one, and would take a loop's stack. */
    private static final int MAX_DEPTH = 250;

    private final List<Token> tokens;
    private final boolean checksKinds;
    private int next;
    private int depth;

    /** @param checksKinds whether what compares different kinds of literals is refused */
    SelectorParser(String text, boolean checksKinds) throws InvalidSelectorException {
        this.tokens = new Lexer(text).tokens();
        this.checksKinds = checksKinds;
    }

    Expression parse() throws InvalidSelectorException {
        Expression condition = or();
        if (peek().kind() != Token.Kind.END) {
            throw unexpected("AND, OR or the end");
        }
        return condition(condition, tokens.get(0));
    }

    private Expression or() throws InvalidSelectorException {
        Token first = peek();
        Expression left = and();
        while (take("OR")) {
            Token second = peek();
            left = new Expression.Or(condition(left, first), condition(and(), second));
            deeper(second); // a long row is as deep when it is evaluated
        }
        return left;
    }

    private Expression and() throws InvalidSelectorException {
        Token first = peek();
        Expression left = not();
        while (take("AND")) {
            Token second = peek();
            left = new Expression.And(condition(left, first), condition(not(), second));
            deeper(second);
        }
        return left;
    }

    private Expression not() throws InvalidSelectorException {
        if (!take("NOT")) {
            return predicate();
        }
        Token first = peek();
        deeper(first);
        Expression negated = new Expression.Not(condition(not(), first));
        depth--;
        return negated;
    }

    private Expression predicate() throws InvalidSelectorException {
        Token first = peek();
        Expression left = sum();
        Operator operator = operator();
        if (operator != null) {
            return comparison(operator, left, first);
        }
        if (take("IS")) {
            boolean negated = take("NOT");
            expect("NULL");
            return negatedIf(negated, new Expression.IsNull(left));
        }
        boolean negated = take("NOT");
        if (take("BETWEEN")) {
            return negatedIf(negated, between(left, first));
        } else if (take("IN")) {
            expectKind(Expression.Kind.TEXT, left, first);
            return negatedIf(negated, new Expression.In(left, strings()));
        } else if (take("LIKE")) {
            expectKind(Expression.Kind.TEXT, left, first);
            return negatedIf(negated, new Expression.Like(left, pattern()));
        } else if (negated) {
            throw unexpected("BETWEEN, IN or LIKE");
        }
        return left;
    }

    private Expression comparison(Operator operator, Expression left, Token first) throws InvalidSelectorException {
        Token at = peek();
        Expression right = sum();
        boolean hasOrder = !isUnordered(left) && !isUnordered(right);
        if (operator.isOrder() && !hasOrder) {
            throw new InvalidSelectorException(
                    "only numbers are less or greater; at character " + (at.position() + 1) + " use = or <>",
                    at.position());
        }
        if (operator.isOrder()) {
            expectKind(Expression.Kind.NUMBER, left, first);
            expectKind(Expression.Kind.NUMBER, right, at);
        } else if (checksKinds && !left.kind().fits(right.kind())) {
            throw new InvalidSelectorException(
                    "what begins at character " + (at.position() + 1)
                            + " is never of the same type as what it is compared with",
                    at.position());
        }
        return new Comparison(operator, left, right);
    }

    /** Refuses what can never have a value of this kind. */
    private void expectKind(Expression.Kind kind, Expression operand, Token at) throws InvalidSelectorException {
        if (checksKinds && !operand.kind().fits(kind)) {
            String wanted = kind == Expression.Kind.NUMBER ? "number" : "string";
            throw new InvalidSelectorException(
                    "what begins at character " + (at.position() + 1) + " is no " + wanted
                            + ", and there has to be one",
                    at.position());
        }
    }

    private static boolean isUnordered(Expression expression) {
        return expression instanceof Expression.Literal literal && !(literal.constant() instanceof Number);
    }

    private @Nullable Operator operator() {
        Token token = peek();
        Operator operator = token.kind() != Token.Kind.SYMBOL
                ? null
                : switch (token.text()) {
                    case "=" -> Operator.EQUAL;
                    case "<>" -> Operator.NOT_EQUAL;
                    case "<" -> Operator.LESS;
                    case "<=" -> Operator.LESS_OR_EQUAL;
                    case ">" -> Operator.GREATER;
                    case ">=" -> Operator.GREATER_OR_EQUAL;
                    default -> null;
                };
        next += operator == null ? 0 : 1;
        return operator;
    }

    private Expression between(Expression tested, Token first) throws InvalidSelectorException {
        Token second = peek();
        Expression low = sum();
        expect("AND");
        Token third = peek();
        Expression high = sum();
        expectKind(Expression.Kind.NUMBER, tested, first);
        expectKind(Expression.Kind.NUMBER, low, second);
        expectKind(Expression.Kind.NUMBER, high, third);
        return new Expression.And(
                new Comparison(Operator.GREATER_OR_EQUAL, tested, low),
                new Comparison(Operator.LESS_OR_EQUAL, tested, high));
    }

    private Set<String> strings() throws InvalidSelectorException {
        Set<String> texts = new HashSet<>();
        expect("(");
        do {
            texts.add(string());
        } while (take(","));
        expect(")");
        return texts;
    }

    private LikePattern pattern() throws InvalidSelectorException {
        Token at = peek();
        String text = string();
        int escape = -1;
        if (take("ESCAPE")) {
            Token character = peek();
            String its = string();
            if (its.length() != 1) {
                throw new InvalidSelectorException(
                        "ESCAPE at character " + (character.position() + 1) + " takes one character, not '" + its + "'",
                        character.position());
            }
            escape = its.charAt(0);
        }
        LikePattern pattern = LikePattern.of(text, escape);
        if (pattern == null) {
            throw new InvalidSelectorException(
                    "the pattern at character " + (at.position() + 1) + " ends with its escape character",
                    at.position());
        }
        return pattern;
    }

    private String string() throws InvalidSelectorException {
        if (peek().kind() != Token.Kind.STRING) {
            throw unexpected("a string in single quotes");
        }
        return tokens.get(next++).text();
    }

    private Expression sum() throws InvalidSelectorException {
        Token first = peek();
        Expression left = product();
        while (peek().is("+") || peek().is("-")) {
            Token sign = tokens.get(next++);
            Token second = peek();
            left = arithmetic(sign, left, first, product(), second);
        }
        return left;
    }

    private Expression product() throws InvalidSelectorException {
        Token first = peek();
        Expression left = signed();
        while (peek().is("*") || peek().is("/")) {
            Token sign = tokens.get(next++);
            Token second = peek();
            left = arithmetic(sign, left, first, signed(), second);
        }
        return left;
    }

    private Expression arithmetic(Token sign, Expression left, Token first, Expression right, Token second)
            throws InvalidSelectorException {
        expectKind(Expression.Kind.NUMBER, left, first);
        expectKind(Expression.Kind.NUMBER, right, second);
        deeper(sign);
        return new Arithmetic(sign.text().charAt(0), left, right);
    }

    private Expression signed() throws InvalidSelectorException {
        Token sign = peek();
        if (!sign.is("+") && !sign.is("-")) {
            return primary();
        }
        next++;
        if (sign.is("-") && peek().value() == Token.LEAST_LONG) {
            next++;
            return new Expression.Literal(Long.MIN_VALUE); // whose digits are a number only together with their sign
        }
        deeper(sign);
        Token second = peek();
        Expression operand = signed();
        expectKind(Expression.Kind.NUMBER, operand, second);
        depth--;
        return sign.is("+") ? operand : new Arithmetic('-', new Expression.Literal(0L), operand);
    }

    private Expression primary() throws InvalidSelectorException {
        Token token = peek();
        if (take("(")) {
            deeper(token);
            Expression inner = or();
            expect(")");
            depth--;
            return inner;
        }
        if (take("TRUE")) {
            return new Expression.Literal(true);
        }
        if (take("FALSE")) {
            return new Expression.Literal(false);
        }
        if (token.value() == Token.LEAST_LONG) {
            throw new InvalidSelectorException(
                    "what begins at character " + (token.position() + 1) + " is a larger number than a long can hold",
                    token.position());
        }
        return switch (token.kind()) {
            case NAME -> new Expression.Property(tokens.get(next++).text());
            case STRING, NUMBER -> new Expression.Literal(tokens.get(next++).value());
            default -> throw unexpected("a property, a number or a string in single quotes");
        };
    }

    private static Expression negatedIf(boolean negated, Expression condition) {
        return negated ? new Expression.Not(condition) : condition;
    }

    private static Expression condition(Expression expression, Token at) throws InvalidSelectorException {
        if (!expression.kind().fits(Expression.Kind.TRUTH)) {
            throw new InvalidSelectorException(
                    "what begins at character " + (at.position() + 1) + " is neither true nor false", at.position());
        }
        return expression;
    }

    private void deeper(Token at) throws InvalidSelectorException {
        if (++depth > MAX_DEPTH) {
            throw new InvalidSelectorException(
                    "at character " + (at.position() + 1) + " the selector is nested more than " + MAX_DEPTH
                            + " deep; use IN for long lists of values",
                    at.position());
        }
    }

    private Token peek() {
        return tokens.get(next);
    }

    private boolean take(String word) {
        boolean there = peek().is(word);
        next += there ? 1 : 0;
        return there;
    }

    private void expect(String word) throws InvalidSelectorException {
        if (!take(word)) {
            throw unexpected(word);
        }
    }

    private InvalidSelectorException unexpected(String wanted) {
        Token found = peek();
        return new InvalidSelectorException(
                "at character " + (found.position() + 1) + " there should be " + wanted + ", not " + found.shown(),
                found.position());
    }
}
