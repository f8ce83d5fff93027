package dev.avocet.core.selector;

import org.jspecify.annotations.Nullable;

/**
 * Compares values of one kind. Values of different kinds are neither equal nor unequal: the answer is false. With NULL
 * it is unknown.
 */
record Comparison(Operator operator, Expression left, Expression right) implements Expression {
    /** How it compares. */
    enum Operator {
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL;

        boolean isOrder() {
            return this != EQUAL && this != NOT_EQUAL;
        }

        boolean holds(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
            };
        }
    }

    @Override
    public @Nullable Object value(Selector.Properties properties) {
        Object first = left.value(properties);
        Object second = first == null ? null : right.value(properties);
        if (first == null || second == null) {
            return null;
        }
        if (first instanceof Number a && second instanceof Number b) {
            return compare(a, b);
        }
        boolean alike = first.getClass() == second.getClass();
        return alike && !operator.isOrder() && operator.holds(first.equals(second) ? 0 : 1);
    }

    @Override
    public Kind kind() {
        return Kind.TRUTH;
    }

    private boolean compare(Number a, Number b) {
        if (a instanceof Long && b instanceof Long) {
            return operator.holds(Long.compare(a.longValue(), b.longValue()));
        }
        double first = a.doubleValue();
        double second = b.doubleValue();
        if (Double.isNaN(first) || Double.isNaN(second)) {
            return operator == Operator.NOT_EQUAL;
        }
        return operator.holds(first < second ? -1 : first > second ? 1 : 0); // 0.0 and -0.0 are equal
    }
}
