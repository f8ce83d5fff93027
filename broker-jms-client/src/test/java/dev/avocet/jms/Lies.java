package dev.avocet.jms;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Values of AMQP that claim more than comes with them, and what the client calls them. */
@SuppressWarnings("ImmutableEnumChecker") // they are copied
public enum Lies {
    LIST_OF_MANY_BYTES("list32 of 2147483647 bytes", value(0xd0, Integer.MAX_VALUE, 1, 0x40)),
    LIST_OF_MANY_ELEMENTS("list32 that claims 2147483647 elements", value(0xd0, 5, Integer.MAX_VALUE, 0x40)),
    LIST_OF_NEGATIVE_COUNT("list32 that claims 4294967295 elements", value(0xd0, 5, -1, 0x40)),
    MAP_OF_MANY_BYTES("map32 of 2147483647 bytes", value(0xd1, Integer.MAX_VALUE, 2, 0x41, 0x41)),
    MAP_OF_MANY_ELEMENTS("map32 that claims 2147483646 elements", value(0xd1, 6, Integer.MAX_VALUE - 1, 0x41, 0x41)),
    ARRAY_OF_MANY_BYTES("array32 of 2147483647 bytes", value(0xf0, Integer.MAX_VALUE, 1, 0x56, 1)),
    ARRAY_OF_MANY_NUMBERS("array32 that claims 2147483647 elements", value(0xf0, 6, Integer.MAX_VALUE, 0x52, 1)),
    ARRAY_OF_MANY_TRUTHS("array32 that claims 2147483647 elements", value(0xf0, 5, Integer.MAX_VALUE, 0x41)),
    ARRAY_OF_MANY_NULLS("array32 that claims 16777216 elements", value(0xf0, 5, 1 << 24, 0x40)),
    ARRAY_OF_MANY_EMPTY_LISTS("array32 that claims 16777216 elements", value(0xf0, 5, 1 << 24, 0x45)),
    ARRAY_OF_MANY_ARRAYS(
            "array32 that claims 2147483647 elements", value(0xf0, 9, Integer.MAX_VALUE, 0xf0, 0, 0, 0, 5)),
    ARRAY_WITHIN_AN_ARRAY(
            "array32 that claims 2147483647 elements",
            joined(value(0xf0, 14, 1, 0xf0), skipCode(value(0xf0, 5, Integer.MAX_VALUE, 0x41)))),
    LIST_WITHIN_AN_ARRAY(
            "list32 that claims 2147483647 elements",
            joined(value(0xf0, 14, 1, 0xd0), skipCode(value(0xd0, 5, Integer.MAX_VALUE, 0x40)))),
    BINARY_WITHIN_AN_ARRAY("vbin32 of 2147483647 bytes", value(0xf0, 10, 1, 0xb0, 0x7f, 0xff, 0xff, 0xff, 'x')),
    BINARY("vbin32 of 2147483647 bytes", value(0xb0, Integer.MAX_VALUE, 0x01020304)),
    BINARY_OF_NEGATIVE_SIZE("vbin32 of 4294967295 bytes", value(0xb0, -1, 0x01020304)),
    STRING("str32 of 2147483647 bytes", value(0xb1, Integer.MAX_VALUE, 0x61626364)),
    SYMBOL("sym32 of 2147483647 bytes", value(0xb3, Integer.MAX_VALUE, 0x61626364));

    private final String named;
    private final byte[] bytes;

    Lies(final String named, final byte[] bytes) {
        this.named = named;
        this.bytes = bytes;
    }

    /** What the client's words contain. */
    public String named() {
        return named;
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    private static byte[] value(final int code, final int size, final int count, final int... more) {
        final ByteBuffer bytes = ByteBuffer.allocate(9 + more.length)
                .put((byte) code)
                .putInt(size)
                .putInt(count);
        for (final int next : more) {
            bytes.put((byte) next);
        }
        return bytes.array();
    }

    /** As an element of an array is. */
    private static byte[] skipCode(final byte[] value) {
        return Arrays.copyOfRange(value, 1, value.length);
    }

    private static byte[] joined(final byte[] first, final byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }
}
