package dev.avocet.core.topic.level;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One level of a topic or filter in UTF-8: what a node is found by below its parent. A level of a topic that is being
 * matched is a view of the topic's bytes, so that looking it up decodes and copies nothing. Immutable.
 *
 * <p>Comparable, so that levels which collide by design cost a map a logarithm.
 */
public final class Level implements Comparable<Level> {
    /** Of a root, which is below nothing. */
    public static final Level EMPTY = of("");

    private static final int RESERVED = '$';

    private final byte[] utf8;
    private final int from;
    private final int to;
    private final int hash;

    private Level(byte[] utf8, int from, int to) {
        this.utf8 = utf8;
        this.from = from;
        this.to = to;
        this.hash = TopicHash.UNSEEDED.hash(utf8, from, to - from);
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
        return new Level(Arrays.copyOfRange(utf8, from, to), 0, to - from);
    }

    /** Where the level that begins at {@code from} ends: at the next slash or at the end. */
    public static int end(byte[] utf8, int from) {
        int at = from;
        while (at < utf8.length && utf8[at] != '/') {
            at++;
        }
        return at;
    }

    boolean isEqualTo(byte[] bytes, int start, int end) {
        return Arrays.equals(utf8, from, to, bytes, start, end);
    }

    /** True when it begins with {@code $}. */
    public boolean isReserved() {
        return from < to && utf8[from] == RESERVED;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Level that && hash == that.hash && isEqualTo(that.utf8, that.from, that.to);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(Level that) {
        return Arrays.compare(utf8, from, to, that.utf8, that.from, that.to);
    }

    @Override
    public String toString() {
        return new String(utf8, from, to - from, StandardCharsets.UTF_8);
    }
}
