package dev.avocet.core.selector;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A part of a selector. Its value is a String, Boolean, Long or Double; null stands for NULL and for "unknown". */
sealed interface Expression permits Comparison, Arithmetic, Expression.Simple {
    @Nullable Object value(Selector.Properties properties);

    /** What the values are that it can have, NULL aside. */
    Kind kind();

    /** What a value is. */
    enum Kind {
        NUMBER,
        TEXT,
        TRUTH,
        /** That of a property, which depends on the message. */
        ANY;

        /** Whether both can be of one kind in some message. */
        boolean fits(Kind other) {
            return this == ANY || other == ANY || this == other;
        }

        static Kind of(Object constant) {
            return constant instanceof Boolean ? TRUTH : constant instanceof String ? TEXT : NUMBER;
        }
    }

    /** Parts that need little. */
    sealed interface Simple extends Expression permits Literal, Property, And, Or, Not, In, Like, IsNull {
        @Override
        default Kind kind() {
            return Kind.TRUTH;
        }
    }

    record Literal(Object constant) implements Simple {
        @Override
        public Object value(Selector.Properties properties) {
            return constant;
        }

        @Override
        public Kind kind() {
            return Kind.of(constant);
        }
    }

    record Property(String name) implements Simple {
        @Override
        public Kind kind() {
            return Kind.ANY;
        }

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

    /** Unknown of what is no text: then it is neither in nor not in. */
    record In(Expression tested, Set<String> texts) implements Simple {
        @Override
        public @Nullable Object value(Selector.Properties properties) {
            Object value = tested.value(properties);
            return value instanceof String text ? (Boolean) texts.contains(text) : null;
        }
    }

    /** Unknown of what is no text. */
    record Like(Expression tested, LikePattern pattern) implements Simple {
        @Override
        public @Nullable Object value(Selector.Properties properties) {
            Object value = tested.value(properties);
            return value instanceof String text ? (Boolean) pattern.matches(text) : null;
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
