package dev.avocet.amqp.frame;

/** The constructors of AMQP's types [AMQP 1.0 part 1, 1.6]. */
public final class TypeCode {
    public static final int DESCRIBED = 0x00;
    public static final int NULL = 0x40;
    public static final int TRUE = 0x41;
    public static final int FALSE = 0x42;
    public static final int UINT_0 = 0x43;
    public static final int ULONG_0 = 0x44;
    public static final int LIST_0 = 0x45;
    public static final int UBYTE = 0x50;
    public static final int BYTE = 0x51;
    public static final int UINT_SMALL = 0x52;
    public static final int ULONG_SMALL = 0x53;
    public static final int INT_SMALL = 0x54;
    public static final int LONG_SMALL = 0x55;
    public static final int BOOLEAN = 0x56;
    public static final int USHORT = 0x60;
    public static final int SHORT = 0x61;
    public static final int UINT = 0x70;
    public static final int INT = 0x71;
    public static final int FLOAT = 0x72;
    public static final int CHAR = 0x73;
    public static final int DECIMAL_32 = 0x74;
    public static final int ULONG = 0x80;
    public static final int LONG = 0x81;
    public static final int DOUBLE = 0x82;
    public static final int TIMESTAMP = 0x83;
    public static final int DECIMAL_64 = 0x84;
    public static final int DECIMAL_128 = 0x94;
    public static final int UUID = 0x98;
    public static final int BINARY_8 = 0xa0;
    public static final int STRING_8 = 0xa1;
    public static final int SYMBOL_8 = 0xa3;
    public static final int BINARY_32 = 0xb0;
    public static final int STRING_32 = 0xb1;
    public static final int SYMBOL_32 = 0xb3;
    public static final int LIST_8 = 0xc0;
    public static final int MAP_8 = 0xc1;
    public static final int LIST_32 = 0xd0;
    public static final int MAP_32 = 0xd1;
    public static final int ARRAY_8 = 0xe0;
    public static final int ARRAY_32 = 0xf0;

    /** The high half of the constructors of types that take no bytes: there is but one value of each. */
    public static final int EMPTY = 0x4;

    private TypeCode() {}

    /**
     * As the specification calls those whose size is given; what AMQP defines besides, and what it does not, by its
     * number.
     */
    public static String name(int code) {
        return switch (code) {
            case BINARY_8 -> "vbin8";
            case BINARY_32 -> "vbin32";
            case STRING_8 -> "str8";
            case STRING_32 -> "str32";
            case SYMBOL_8 -> "sym8";
            case SYMBOL_32 -> "sym32";
            case LIST_8 -> "list8";
            case LIST_32 -> "list32";
            case MAP_8 -> "map8";
            case MAP_32 -> "map32";
            case ARRAY_8 -> "array8";
            case ARRAY_32 -> "array32";
            default -> "type 0x" + Integer.toHexString(code);
        };
    }
}
