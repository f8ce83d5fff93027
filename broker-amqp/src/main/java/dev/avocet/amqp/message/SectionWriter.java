package dev.avocet.amqp.message;

import dev.avocet.amqp.frame.TypeCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Encodes sections of a message. Lists and maps get the wide form, as their size is known only behind them. */
final class SectionWriter {
    private static final int FIRST_BYTES = 256;
    private static final int SHORT_MAX = 255;

    /** Of a section that is one string or binary, without its content. */
    static final int BEGIN_MAX_BYTES = 8;

    private byte[] bytes;
    private int length;
    private int openAt;
    private int count;

    SectionWriter() {
        bytes = new byte[FIRST_BYTES];
    }

    /** Behind bytes that are there already, with room for so many more. */
    SectionWriter(byte[] before, int more) {
        bytes = Arrays.copyOf(before, before.length + more);
        length = before.length;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    void section(int type) {
        raw(0);
        raw(TypeCode.ULONG_SMALL);
        raw(type);
    }

    /**
     * Begins a list or a map, {@link TypeCode#LIST_32} or {@link TypeCode#MAP_32}; until {@link #end} no other may
     * begin.
     */
    void begin(int code) {
        raw(code);
        openAt = length;
        count = 0;
        int32(0);
        int32(0);
    }

    void end() {
        put32(openAt, length - openAt - Integer.BYTES);
        put32(openAt + Integer.BYTES, count);
    }

    void nothing() {
        count++;
        raw(TypeCode.NULL);
    }

    void truth(boolean value) {
        count++;
        raw(value ? TypeCode.TRUE : TypeCode.FALSE);
    }

    void ubyte(int value) {
        count++;
        raw(TypeCode.UBYTE);
        raw(value);
    }

    void signedByte(int value) {
        count++;
        raw(TypeCode.BYTE);
        raw(value);
    }

    void uint(long value) {
        count++;
        raw(TypeCode.UINT);
        int32((int) value);
    }

    void integer(int value) {
        count++;
        raw(TypeCode.INT);
        int32(value);
    }

    void longInteger(long value) {
        count++;
        raw(TypeCode.LONG);
        int64(value);
    }

    void real(double value) {
        count++;
        raw(TypeCode.DOUBLE);
        int64(Double.doubleToLongBits(value));
    }

    void timestamp(long wallMs) {
        count++;
        raw(TypeCode.TIMESTAMP);
        int64(wallMs);
    }

    /** A string, or null. */
    void string(@Nullable String text) {
        if (text == null) {
            nothing();
        } else {
            variable(TypeCode.STRING_8, TypeCode.STRING_32, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    void string(byte[] utf8) {
        variable(TypeCode.STRING_8, TypeCode.STRING_32, utf8);
    }

    void symbol(byte[] ascii) {
        variable(TypeCode.SYMBOL_8, TypeCode.SYMBOL_32, ascii);
    }

    void binary(byte[] data) {
        variable(TypeCode.BINARY_8, TypeCode.BINARY_32, data);
    }

    /** A string of so many bytes, which follow. */
    void beginString(int bytesOfIt) {
        begin(TypeCode.STRING_8, TypeCode.STRING_32, bytesOfIt);
    }

    /** A binary of so many bytes, which follow. */
    void beginBinary(int bytesOfIt) {
        begin(TypeCode.BINARY_8, TypeCode.BINARY_32, bytesOfIt);
    }

    private void variable(int shortCode, int longCode, byte[] content) {
        begin(shortCode, longCode, content.length);
        append(content, 0, content.length);
    }

    private void begin(int shortCode, int longCode, int bytesOfIt) {
        count++;
        if (bytesOfIt <= SHORT_MAX) {
            raw(shortCode);
            raw(bytesOfIt);
        } else {
            raw(longCode);
            int32(bytesOfIt);
        }
    }

    /** A value of a list or a map that is encoded already. */
    void element(byte[] from, int at, int end) {
        count++;
        append(from, at, end - at);
    }

    void append(byte[] from, int at, int many) {
        room(many);
        System.arraycopy(from, at, bytes, length, many);
        length += many;
    }

    private void int64(long value) {
        int32((int) (value >>> Integer.SIZE));
        int32((int) value);
    }

    private void int32(int value) {
        room(Integer.BYTES);
        put32(length, value);
        length += Integer.BYTES;
    }

    private void put32(int at, int value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    private void raw(int value) {
        room(1);
        bytes[length++] = (byte) value;
    }

    private void room(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
