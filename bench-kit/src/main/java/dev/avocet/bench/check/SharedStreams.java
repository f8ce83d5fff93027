package dev.avocet.bench.check;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which messages have come to any of the receivers that share them; says whether one came twice. Any thread may ask,
 * none waits for another.
 *
 * <p>Per stream there is a ring of words. The upper half of a word says which 32 sequence numbers it is for, the lower
 * half has a bit for each of them; a newer number takes the word over.
 */
public final class SharedStreams {
    private static final int BITS = Integer.SIZE;

    private final AtomicLongArray words;
    private final int wordsPerStream;
    private final int streams;

    /**
     * @param streams their numbers are less than this
     * @param windowMessages how far the receivers of a stream may be apart; a message that is later is let pass as new
     */
    public SharedStreams(int streams, int windowMessages) {
        this.streams = streams;
        wordsPerStream = Math.max(2, (windowMessages + BITS - 1) / BITS);
        words = new AtomicLongArray(Math.multiplyExact(streams, wordsPerStream));
    }

    /** @return false when this message has come before; true too for streams that are not counted here */
    public boolean isNew(int stream, long sequence) {
        if (stream < 0 || stream >= streams) {
            return true;
        }
        long block = sequence / BITS;
        int index = stream * wordsPerStream + (int) (block % wordsPerStream);
        long epoch = block / wordsPerStream;
        long bit = 1L << sequence % BITS;
        while (true) {
            long word = words.get(index);
            long wordEpoch = word >>> BITS;
            if (wordEpoch > epoch) {
                return true;
            }
            boolean isSameBlock = wordEpoch == epoch;
            if (isSameBlock && (word & bit) != 0) {
                return false;
            }
            long next = isSameBlock ? word | bit : epoch << BITS | bit;
            if (words.compareAndSet(index, word, next)) {
                return true;
            }
        }
    }
}
