package dev.avocet.jms.client.message.section;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import org.jspecify.annotations.Nullable;

/** Which type may be read as which: the table of Jakarta Messaging 3.1, sections 3.5.4 and 3.11.3. */
public final class Conversion {
    private Conversion() {}

    public static boolean toBoolean(final @Nullable Object value) throws JMSException {
        if (value instanceof final Boolean flag) {
            return flag;
        }
        if (value == null || value instanceof String) {
            return Boolean.parseBoolean((String) value);
        }
        throw refused(value, "boolean");
    }

    public static byte toByte(final @Nullable Object value) throws JMSException {
        if (value instanceof final Byte number) {
            return number;
        }
        if (value == null || value instanceof String) {
            return Byte.parseByte((String) value);
        }
        throw refused(value, "byte");
    }

    public static short toShort(final @Nullable Object value) throws JMSException {
        if (value instanceof Byte || value instanceof Short) {
            return ((Number) value).shortValue();
        }
        if (value == null || value instanceof String) {
            return Short.parseShort((String) value);
        }
        throw refused(value, "short");
    }

    public static int toInt(final @Nullable Object value) throws JMSException {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
            return ((Number) value).intValue();
        }
        if (value == null || value instanceof String) {
            return Integer.parseInt((String) value);
        }
        throw refused(value, "int");
    }

    public static long toLong(final @Nullable Object value) throws JMSException {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        if (value == null || value instanceof String) {
            return Long.parseLong((String) value);
        }
        throw refused(value, "long");
    }

    public static float toFloat(final @Nullable Object value) throws JMSException {
        if (value instanceof final Float number) {
            return number;
        }
        if (value instanceof final String string) {
            return Float.parseFloat(string);
        }
        if (value == null) {
            throw new NullPointerException("no value to read as float");
        }
        throw refused(value, "float");
    }

    public static double toDouble(final @Nullable Object value) throws JMSException {
        if (value instanceof Float || value instanceof Double) {
            return ((Number) value).doubleValue();
        }
        if (value instanceof final String string) {
            return Double.parseDouble(string);
        }
        if (value == null) {
            throw new NullPointerException("no value to read as double");
        }
        throw refused(value, "double");
    }

    public static char toChar(final @Nullable Object value) throws JMSException {
        if (value instanceof final Character character) {
            return character;
        }
        if (value == null) {
            throw new NullPointerException("no value to read as char");
        }
        throw refused(value, "char");
    }

    public static @Nullable String asString(final @Nullable Object value) throws JMSException {
        if (value instanceof byte[]) {
            throw refused(value, "String");
        }
        return value == null ? null : value.toString();
    }

    public static byte @Nullable [] toBytes(final @Nullable Object value) throws JMSException {
        if (value == null || value instanceof byte[]) {
            return (byte[]) value;
        }
        throw refused(value, "byte[]");
    }

    /** Only these may be values of a property. */
    public static boolean isPropertyType(final @Nullable Object value) {
        return value == null
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Byte
                || value instanceof Short
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Float
                || value instanceof Double;
    }

    /** Only these may be in the body of a map or stream message; an array is copied, section 3.12. */
    public static Object checkBodyType(final Object value) throws JMSException {
        if (value instanceof final byte[] bytes) {
            return bytes.clone();
        }
        if (isPropertyType(value) || value instanceof Character) {
            return value;
        }
        throw new MessageFormatException("a value of " + value.getClass().getName()
                + " cannot be in a message; only primitives, their wrappers, String and byte[] can");
    }

    private static MessageFormatException refused(final Object value, final String type) {
        return new MessageFormatException(
                "a value of " + value.getClass().getSimpleName() + " cannot be read as " + type);
    }
}
