package dev.avocet.core.selector;

import org.jspecify.annotations.Nullable;

/** Calculates with numbers. What is none makes the result unknown, and so does a division of whole numbers by zero. */
record Arithmetic(char operator, Expression left, Expression right) implements Expression {
    @Override
    public @Nullable Object value(Selector.Properties properties) {
        Object first = left.value(properties);
        Object second = right.value(properties);
        if (!(first instanceof Number a) || !(second instanceof Number b)) {
            return null;
        }
        return a instanceof Long && b instanceof Long
                ? exact(a.longValue(), b.longValue())
                : approximate(a.doubleValue(), b.doubleValue());
    }

    @Override
    public Kind kind() {
        return Kind.NUMBER;
    }

    private @Nullable Object exact(long a, long b) {
        return switch (operator) {
            case '+' -> a + b;
            case '-' -> a - b;
            case '*' -> a * b;
            default -> b == 0 ? null : (Object) (a / b);
        };
    }

    private Object approximate(double a, double b) {
        return switch (operator) {
            case '+' -> a + b;
            case '-' -> a - b;
            case '*' -> a * b;
            default -> a / b;
        };
    }
}
