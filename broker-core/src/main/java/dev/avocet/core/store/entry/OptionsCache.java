package dev.avocet.core.store.entry;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.message.DeliveryOptions;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the options of references so that equal ones are the same object: there are few kinds and many references. One
 * owner.
 */
public final class OptionsCache {
    private static final int SLOTS = 1024;

    private final RecordReader in;
    private final EntryReader entries;
    private final byte[][] encoded = new byte[SLOTS][];
    private final @Nullable DeliveryOptions[] known = new @Nullable DeliveryOptions[SLOTS];

    /** @param entries reads from {@code in} */
    public OptionsCache(RecordReader in, EntryReader entries) {
        this.in = in;
        this.entries = entries;
    }

    /** The next options; null where they are those of the subscription. */
    public @Nullable DeliveryOptions read() throws JournalException {
        int from = in.at();
        byte[] bytes = in.array();
        if (in.hasMore() && (bytes[from] & 0xFF) == EntryFormat.NO_OPTIONS) {
            in.skip(1);
            return null;
        }
        entries.skipOptions();
        int to = in.at();
        int slot = hash(bytes, from, to) & SLOTS - 1;
        if (encoded[slot] == null || !Arrays.equals(encoded[slot], 0, encoded[slot].length, bytes, from, to)) {
            int limit = to + in.remaining();
            in.over(bytes, from, limit);
            known[slot] = entries.options();
            encoded[slot] = Arrays.copyOfRange(bytes, from, to);
        }
        return known[slot];
    }

    private static int hash(byte[] bytes, int from, int to) {
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash ^ hash >>> 10;
    }
}
