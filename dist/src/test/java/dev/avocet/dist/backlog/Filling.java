package dev.avocet.dist.backlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

/**
 * One publisher: sends numbered messages to all topics in turn, and returns once each is acknowledged or the broker has
 * refused one.
 */
final class Filling implements Callable<Integer> {
    private static final int WINDOW = 4_000;
    private static final int PER_FLUSH = 500;
    private static final int PACKET_IDS = 65_535;

    private final int port;
    private final int publisher;
    private final String[] topics;
    private final int messages;
    private final ByteBuffer payload;
    private int acknowledged;

    Filling(int port, int publisher, String[] topics, int messages, int payloadBytes) {
        this.port = port;
        this.publisher = publisher;
        this.topics = topics.clone();
        this.messages = messages;
        this.payload = ByteBuffer.allocate(payloadBytes);
    }

    /** Returns how many were acknowledged. */
    @Override
    public Integer call() {
        byte[][] names = new byte[topics.length][];
        for (int i = 0; i < topics.length; i++) {
            names[i] = topics[i].getBytes(StandardCharsets.UTF_8);
        }
        try (PipelinedClient client = new PipelinedClient(port, "publisher-" + publisher)) {
            for (int sent = 0; acknowledged < messages; ) {
                int until = Math.min(messages, Math.min(sent + PER_FLUSH, acknowledged + WINDOW));
                for (; sent < until; sent++) {
                    int topic = sent % topics.length;
                    client.publish(names[topic], 1 + sent % PACKET_IDS, payload(topic, sent / topics.length));
                }
                client.flush();
                takeAcknowledgements(client, sent - acknowledged == WINDOW || sent == messages);
            }
        } catch (IOException e) {
            return acknowledged; // in MQTT 3.1.1 there is no other way to refuse a message
        }
        return acknowledged;
    }

    private ByteBuffer payload(int topic, int number) {
        payload.putInt(0, publisher).putInt(4, topic).putInt(8, number);
        return payload.duplicate();
    }

    /** Takes those that have come, which come in the order of the messages. */
    private void takeAcknowledgements(PipelinedClient client, boolean wait) throws IOException {
        boolean waits = wait;
        while (waits || client.hasPacket()) {
            int expected = 1 + acknowledged % PACKET_IDS;
            if (client.next() != PipelinedClient.PUBACK || (client.body().getShort() & 0xFFFF) != expected) {
                throw new AssertionError("message " + acknowledged + " was not acknowledged in its turn");
            }
            acknowledged++;
            waits = false;
        }
    }
}
