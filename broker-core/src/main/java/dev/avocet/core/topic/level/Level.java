package dev.avocet.core.topic.level;

import dev.avocet.core.message.EightBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One level of a topic or filter in UTF-8: what a node is found by below its parent. A level of a topic that is being
 * matched is a view of the topic's bytes, so that looking it up decodes and copies nothing. Immutable. One of up to
 * eight bytes is compared without another object.
 *
 * <p>Comparable, so that levels which collide by design cost a map a logarithm.
 */
public final class Level implements Comparable<Level> {
    /** Of a root, which is below nothing. */
    public static final Level EMPTY = of("");

    private static final int RESERVED = '$';
    private static final byte[] NONE = {};
    private static final long SLASHES = EightBytes.of('/');

    /** The first eight bytes, or all of a shorter level and zeros. Most levels are compared by it alone. */
    private final long head;

    private final int length;
    private final int hash;
    /** The bytes, where there are more than eight. */
    private final byte[] utf8;

    private final int from;

    private Level(byte[] utf8, int from, int to) {
        this.length = to - from;
        this.head = head(utf8, from, length);
        this.utf8 = length > Long.BYTES ? utf8 : NONE;
        this.from = length > Long.BYTES ? from : 0;
        this.hash = TopicHash.UNSEEDED.hash(utf8, from, length);
    }

    public static Level of(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return new Level(utf8, 0, utf8.length);
    }

    /** A view of bytes that must not change while it is used. */
    public static Level in(byte[] utf8, int from, int to) {
        return new Level(utf8, from, to);
    }

    /** The same with bytes of its own, and no more of them than it needs. */
    public Level copy() {
        return length > Long.BYTES ? new Level(Arrays.copyOfRange(utf8, from, from + length), 0, length) : this;
    }

    /** Where the level that begins at {@code from} ends: at the next slash or at the end. */
    public static int end(byte[] utf8, int from) {
        int at = from;
        for (; utf8.length - at >= Long.BYTES; at += Long.BYTES) {
            long slashes = EightBytes.zeroBytes(EightBytes.at(utf8, at) ^ SLASHES);
            if (slashes != 0) {
                return at + Long.numberOfTrailingZeros(slashes) / Byte.SIZE;
            }
        }
        while (at < utf8.length && utf8[at] != '/') {
            at++;
        }
        return at;
    }

    boolean isEqualTo(byte[] bytes, int start, int end) {
        return length == end - start && head == head(bytes, start, length) && isRestEqualTo(bytes, start);
    }

    private boolean isRestEqualTo(byte[] bytes, int start) {
        return length <= Long.BYTES
                || Arrays.equals(utf8, from + Long.BYTES, from + length, bytes, start + Long.BYTES, start + length);
    }

    /** True when it begins with {@code $}. */
    public boolean isReserved() {
        return (head & 0xFF) == RESERVED;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Level that
                && head == that.head
                && length == that.length
                && hash == that.hash
                && isRestEqualTo(that.utf8, that.from);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(Level that) {
        int order = Long.compare(head, that.head);
        if (order == 0) {
            order = Integer.compare(length, that.length);
        }
        return order == 0 && length > Long.BYTES
                ? Arrays.compare(utf8, from, from + length, that.utf8, that.from, that.from + length)
                : order;
    }

    @Override
    public String toString() {
        if (length > Long.BYTES) {
            return new String(utf8, from, length, StandardCharsets.UTF_8);
        }
        byte[] all = new byte[length];
        for (int i = 0; i < length; i++) {
            all[i] = (byte) (head >>> i * Byte.SIZE);
        }
        return new String(all, StandardCharsets.UTF_8);
    }

    /** The first eight bytes of a level, the first one lowest; zeros behind those of a shorter one. */
    private static long head(byte[] utf8, int from, int length) {
        long word;
        if (utf8.length - from >= Long.BYTES) {
            word = EightBytes.at(utf8, from);
        } else if (utf8.length >= Long.BYTES) {
            int before = Long.BYTES - (utf8.length - from);
            word = before == Long.BYTES ? 0 : EightBytes.at(utf8, utf8.length - Long.BYTES) >>> before * Byte.SIZE;
        } else {
            word = EightBytes.fewer(utf8, from, from + length);
        }
        return length >= Long.BYTES ? word : word & (1L << length * Byte.SIZE) - 1;
    }
}
