package dev.avocet.core.selector;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A part of a selector. Its value is a String, Boolean, Long or Double; null stands for NULL and for "unknown". */
sealed interface Expression permits Comparison, Arithmetic, Expression.Simple {
    @Nullable Object value(Selector.Properties properties);

    /** True when the value is a truth value, or that of a property, which may be one. */
    default boolean isCondition() {
        return true;
    }

    /** Parts that need little. */
    sealed interface Simple extends Expression permits Literal, Property, And, Or, Not, In, Like, IsNull {}

    record Literal(Object constant) implements Simple {
        @Override
        public Object value(Selector.Properties properties) {
            return constant;
        }

        @Override
        public boolean isCondition() {
            return constant instanceof Boolean;
        }
    }

    record Property(String name) implements Simple {
        @Override
        public @Nullable Object value(Selector.Properties properties) {
            return properties.get(name);
        }
    }

    record And(Expression left, Expression right) implements Simple {
        @Override
        public @Nullable Object value(Selector.Properties properties) {
            Boolean first = truth(left.value(properties));
            if (Boolean.FALSE.equals(first)) {
                return first;
            }
            Boolean second = truth(right.value(properties));
            return Boolean.FALSE.equals(second) || Boolean.TRUE.equals(first) ? second : null;
        }
    }

    record Or(Expression left, Expression right) implements Simple {
        @Override
        public @Nullable Object value(Selector.Properties properties) {
            Boolean first = truth(left.value(properties));
            if (Boolean.TRUE.equals(first)) {
                return first;
            }
            Boolean second = truth(right.value(properties));
            return Boolean.TRUE.equals(second) || Boolean.FALSE.equals(first) ? second : null;
        }
    }

    record Not(Expression condition) implements Simple {
        @Override
        public @Nullable Object value(Selector.Properties properties) {
            Boolean truth = truth(condition.value(properties));
            return truth == null ? null : (Boolean) !truth;
        }
    }

    record In(Expression tested, Set<String> texts) implements Simple {
        @Override
        public @Nullable Object value(Selector.Properties properties) {
            Object value = tested.value(properties);
            return value == null ? null : (Boolean) (value instanceof String text && texts.contains(text));
        }
    }

    record Like(Expression tested, LikePattern pattern) implements Simple {
        @Override
        public @Nullable Object value(Selector.Properties properties) {
            Object value = tested.value(properties);
            return value == null ? null : (Boolean) (value instanceof String text && pattern.matches(text));
        }
    }

    record IsNull(Expression tested) implements Simple {
        @Override
        public Object value(Selector.Properties properties) {
            return tested.value(properties) == null;
        }
    }

    /** What is no truth value is neither true nor false. */
    private static @Nullable Boolean truth(@Nullable Object value) {
        return value instanceof Boolean truth ? (truth ? Boolean.TRUE : Boolean.FALSE) : null;
    }
}
