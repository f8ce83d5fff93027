package dev.avocet.core.selector;

import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/** That a property has one text: true of every message that the selector matches. */
public record Equality(String property, String value) {
    /** The value of the property in a message, if that is a text. */
    public static @Nullable String valueOf(Message message, String property) {
        return message.properties().property(property) instanceof String text ? text : null;
    }

    /** What a condition demands. */
    static @Nullable Equality in(Expression condition) {
        if (condition instanceof Expression.And and) {
            Equality left = in(and.left());
            return left == null ? in(and.right()) : left;
        }
        if (condition instanceof Comparison comparison && comparison.operator() == Comparison.Operator.EQUAL) {
            Equality there = of(comparison.left(), comparison.right());
            return there == null ? of(comparison.right(), comparison.left()) : there;
        }
        return null;
    }

    private static @Nullable Equality of(Expression property, Expression literal) {
        return property instanceof Expression.Property named
                        && literal instanceof Expression.Literal fixed
                        && fixed.constant() instanceof String text
                ? new Equality(named.name(), text)
                : null;
    }
}
