package dev.avocet.protection;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** One sender's run of numbers: random, so no two senders and no two runs share one. */
record StreamId(long high, long low) {
    private static final int BYTES = 16;

    static StreamId random(SecureRandom random) {
        return new StreamId(random.nextLong(), random.nextLong());
    }

    static StreamId of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("the name of a stream has " + BYTES + " bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new StreamId(buffer.getLong(), buffer.getLong());
    }

    byte[] toBytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }
}
