package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.check.MessageHead;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The payloads of a run: sizes that double from the least to the largest, in turn. Immutable. */
public final class Payloads {
    private final byte[][] templates;
    private final long[] bodyHashes;

    public Payloads(int minBytes, int maxBytes) {
        templates = IntStream.iterate(
                        minBytes,
                        size -> size <= maxBytes,
                        size -> size == maxBytes ? maxBytes + 1 : Math.min(maxBytes, size * 2))
                .mapToObj(Payloads::template)
                .toArray(byte[][]::new);
        bodyHashes = Arrays.stream(templates)
                .mapToLong(bytes ->
                        MessageHead.bodyHash(bytes, MessageHead.SIZE_BYTES, bytes.length - MessageHead.SIZE_BYTES))
                .toArray();
    }

    public int count() {
        return templates.length;
    }

    public int sizeBytes(int index) {
        return templates[index].length;
    }

    int largestBytes() {
        return templates[templates.length - 1].length;
    }

    /** Copies a payload, with a head of its own. */
    void write(int index, byte[] to, int at, int stream, long sequence, long intendedNs) {
        byte[] template = templates[index];
        System.arraycopy(template, 0, to, at, template.length);
        MessageHead.write(to, at, stream, sequence, intendedNs, bodyHashes[index]);
    }

    private static byte[] template(int sizeBytes) {
        byte[] bytes = new byte[sizeBytes];
        for (int i = 0; i < sizeBytes; i++) {
            bytes[i] = (byte) (i * 131 + (i >> 8));
        }
        return bytes;
    }
}
