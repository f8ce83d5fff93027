package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.mqtt.wire.PacketType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one publisher has sent at QoS 1 or 2 and the server has not acknowledged, so that it is known, or can be sent
 * again, when the connection is cut off. Owned by its lane's loop. Allocates only when more are in flight than ever,
 * and for a client that comes back.
 */
public final class Unacknowledged {
    private static final int INITIAL = 16;

    /** All by packet identifier less one; of those that are not in flight, the stream is null. */
    private @Nullable PublishStream[] streams = new PublishStream[INITIAL];

    private long[] sequences = new long[INITIAL];
    private long[] intendedNs = new long[INITIAL];
    private int[] payloads = new int[INITIAL];
    private boolean[] areReceived = new boolean[INITIAL];

    /** Grows from message to message, and from PUBREC to PUBREC. */
    private long[] turns = new long[INITIAL];

    private long turn;
    private int[] again = {};
    private int next;

    /** @param identifier under which the stream's last message has been sent */
    public void sent(int identifier, PublishStream stream, int payload, long intended) {
        int index = identifier - 1;
        if (index >= streams.length) {
            grow(Math.max(identifier, Math.min(PacketIdentifiers.MAX, streams.length * 2)));
        }
        streams[index] = stream;
        sequences[index] = stream.sequence();
        payloads[index] = payload;
        intendedNs[index] = intended;
        areReceived[index] = false;
        turns[index] = ++turn;
    }

    private void grow(int length) {
        streams = Arrays.copyOf(streams, length);
        sequences = Arrays.copyOf(sequences, length);
        intendedNs = Arrays.copyOf(intendedNs, length);
        payloads = Arrays.copyOf(payloads, length);
        areReceived = Arrays.copyOf(areReceived, length);
        turns = Arrays.copyOf(turns, length);
    }

    /** PUBREC has come: from now on PUBREL is what is sent again [MQTT-4.3.3-4]. */
    public void received(int identifier) {
        int index = identifier - 1;
        if (isInFlight(index) && !areReceived[index]) {
            areReceived[index] = true;
            turns[index] = ++turn;
        }
    }

    public void acknowledged(int identifier) {
        if (isInFlight(identifier - 1)) {
            streams[identifier - 1] = null;
        }
    }

    private boolean isInFlight(int index) {
        return index >= 0 && index < streams.length && streams[index] != null;
    }

    /** Forgets all of it, and notes it. */
    public void forget(CutOff cutOff) {
        for (int index = 0; index < streams.length; index++) {
            PublishStream stream = streams[index];
            if (stream != null) {
                cutOff.message(stream, sequences[index]);
                streams[index] = null;
            }
        }
        next = again.length;
    }

    /** All of it is to be sent again: PUBREL first, then PUBLISH, each in their order [MQTT-4.6.0-1] [MQTT-4.6.0-4]. */
    public void beginAgain() {
        again = IntStream.range(0, streams.length)
                .filter(this::isInFlight)
                .boxed()
                .sorted(Comparator.comparing((Integer index) -> !areReceived[index])
                        .thenComparing(index -> turns[index]))
                .mapToInt(Integer::intValue)
                .toArray();
        next = 0;
    }

    /** How many are still to be sent again. */
    public int stillAgain() {
        return again.length - next;
    }

    /**
     * Adds the next of them.
     *
     * @return the stream of its PUBLISH; null when it is a PUBREL
     */
    public @Nullable PublishStream writeNext(ByteQueue to, Payloads allPayloads) {
        int index = again[next++];
        int identifier = index + 1;
        PublishStream stream = streams[index];
        if (stream == null || areReceived[index]) {
            to.addPacket(PacketType.PUBREL, identifier);
            return null;
        }
        byte[] bytes = to.reserve(stream.maxPacketBytes(allPayloads));
        to.resize(stream.writeAgain(
                bytes, to.size(), identifier, allPayloads, payloads[index], sequences[index], intendedNs[index]));
        return stream;
    }
}
