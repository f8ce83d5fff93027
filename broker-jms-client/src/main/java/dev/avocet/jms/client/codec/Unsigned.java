package dev.avocet.jms.client.codec;

import java.math.BigInteger;

/** An AMQP ubyte, ushort, uint or ulong: JMS has none, but identifiers may be of these types and must survive. */
public record Unsigned(Width width, long bits) {
    /** The four sizes. */
    public enum Width {
        UBYTE,
        USHORT,
        UINT,
        ULONG
    }

    /** What JMS can show of it: the number, as the next larger signed type. */
    public Object asSigned() {
        return switch (width) {
            case UBYTE -> (short) bits;
            case USHORT -> (int) bits;
            case UINT -> bits;
            case ULONG -> bits >= 0 ? (Object) bits : new BigInteger(Long.toUnsignedString(bits));
        };
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(bits);
    }
}
