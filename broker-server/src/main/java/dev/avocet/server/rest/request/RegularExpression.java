package dev.avocet.server.rest.request;

import dev.avocet.core.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression of an administrator, which fits what it is found anywhere in, as in the reference product. One
 * that takes too long, as some do with long names, is given up: it would keep a thread of the administration for hours.
 */
public final class RegularExpression implements Predicate<String> {
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(1);

    private final Pattern pattern;
    private final Clock clock;

    private RegularExpression(Pattern pattern, Clock clock) {
        this.pattern = pattern;
        this.clock = clock;
    }

    /** @param name of the parameter that has it */
    public static RegularExpression of(String name, String text, Clock clock) throws Refusal {
        try {
            return new RegularExpression(Pattern.compile(text), clock);
        } catch (PatternSyntaxException e) {
            throw new Refusal(
                    Code.INVALID, name + ": '" + text + "' is not a regular expression: " + e.getDescription());
        }
    }

    /** {@link TooSlowException} when this one name alone takes longer than a second. */
    @Override
    public boolean test(String name) {
        return pattern.matcher(new Timed(name, clock, clock.nanoTime() + LONGEST_NS))
                .find();
    }

    /** An expression that cannot be used. */
    public static final class TooSlowException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private TooSlowException(CharSequence name) {
            super("the regular expression takes longer than a second with '" + name + "'; write it without repetition"
                    + " within repetition");
        }
    }

    /** A name that can be looked at only until a time. */
    private record Timed(String name, Clock clock, long endNs) implements CharSequence {
        @Override
        public char charAt(int index) {
            if (clock.nanoTime() - endNs > 0) {
                throw new TooSlowException(name);
            }
            return name.charAt(index);
        }

        @Override
        public int length() {
            return name.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return name.subSequence(start, end);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
