package dev.avocet.bench.jms.traffic;

import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.jms.plan.MessageSizes;
import java.util.SplittableRandom;

/** The payloads that one thread sends: made once for each size, used in turn. Owned by that thread. */
public final class Bodies {
    /** Every run sends the same bytes. */
    private static final long SEED = 0x5eed;

    private final byte[][] bodies;
    private final long[] hashes;
    private int last;

    public Bodies(MessageSizes sizes) {
        SplittableRandom random = new SplittableRandom(SEED);
        bodies = sizes.bytes().stream().map(byte[]::new).toArray(byte[][]::new);
        hashes = new long[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            random.nextBytes(bodies[i]);
            hashes[i] =
                    MessageHead.bodyHash(bodies[i], MessageHead.SIZE_BYTES, bodies[i].length - MessageHead.SIZE_BYTES);
        }
    }

    /** The payload of the next message; valid until this size's turn comes again. */
    public byte[] next(int stream, long sequence, long intendedNs) {
        last = last + 1 == bodies.length ? 0 : last + 1;
        byte[] body = bodies[last];
        MessageHead.write(body, 0, stream, sequence, intendedNs, hashes[last]);
        return body;
    }
}
