package dev.avocet.core.config.value;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * A whole number.
 *
 * @param min smallest
 * @param max largest
 * @param orUnlimited whether the word {@code unlimited} is a value too; it is {@link #UNLIMITED}
 * @param isInt whether records hold it as an int; otherwise as a long
 */
public record NumberValue(long min, long max, boolean orUnlimited, boolean isInt) implements ValueType {
    /** What {@code unlimited} is for those who compare: more than anything. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    static final String UNLIMITED_WORD = "unlimited";

    private static final int LONGEST_DIGITS = 20;

    @Override
    public Object read(Object plain) throws InvalidValueException {
        if (orUnlimited && plain instanceof String word && word.equalsIgnoreCase(UNLIMITED_WORD)) {
            return UNLIMITED;
        }
        BigInteger number = wholeNumber(plain);
        if (number.compareTo(BigInteger.valueOf(min)) < 0 || number.compareTo(BigInteger.valueOf(max)) > 0) {
            throw new InvalidValueException(number + " is outside " + describe());
        }
        return isInt ? (Object) number.intValueExact() : (Object) number.longValueExact();
    }

    private BigInteger wholeNumber(Object plain) throws InvalidValueException {
        if (plain instanceof BigInteger number) {
            return number;
        }
        if (plain instanceof Integer || plain instanceof Long) {
            return BigInteger.valueOf(((Number) plain).longValue());
        }
        if (plain instanceof String text && text.length() <= LONGEST_DIGITS && text.matches("-?[0-9]+")) {
            return new BigInteger(text);
        }
        String problem = plain instanceof BigDecimal || plain instanceof Double ? "is not whole" : "is not a number";
        throw new InvalidValueException(ValueType.describe(plain) + " " + problem + "; write one of " + describe());
    }

    @Override
    public Object plain(Object value) {
        long number = ((Number) value).longValue();
        return orUnlimited && number == UNLIMITED ? UNLIMITED_WORD : (Object) number;
    }

    @Override
    public Object empty() {
        throw new IllegalStateException("a number needs a default or must be required");
    }

    @Override
    public String describe() {
        return min + "-" + max + (orUnlimited ? " or " + UNLIMITED_WORD : "");
    }
}
