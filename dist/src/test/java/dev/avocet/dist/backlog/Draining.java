package dev.avocet.dist.backlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;

/**
 * A client that comes back for what waits: each publisher's numbers of each of its topics must come once, in order,
 * without a gap, and nothing may come behind them.
 */
final class Draining implements Callable<Integer> {
    private final int port;
    private final String clientId;
    private final int expected;
    private final int payloadBytes;
    /** By publisher and topic. */
    private final int[][] next;

    private int received;

    Draining(int port, String clientId, int expected, int payloadBytes, int publishers, int topics) {
        this.port = port;
        this.clientId = clientId;
        this.expected = expected;
        this.payloadBytes = payloadBytes;
        this.next = new int[publishers][topics];
    }

    /** Returns how many have come. */
    @Override
    public Integer call() throws IOException {
        try (PipelinedClient client = new PipelinedClient(port, clientId)) {
            while (received < expected) {
                do {
                    take(client, client.next());
                } while (client.hasPacket());
                client.flush();
            }
            client.ping();
            for (int type = client.next(); type != PipelinedClient.PINGRESP; type = client.next()) {
                take(client, type);
            }
        }
        return received;
    }

    private void take(PipelinedClient client, int type) throws IOException {
        if (type != PipelinedClient.PUBLISH) {
            throw new IOException("received a packet of type " + type);
        }
        ByteBuffer body = client.body();
        body.position(body.position() + 2 + body.getShort(body.position()));
        client.acknowledge(body.getShort());
        if (body.remaining() != payloadBytes) {
            throw new IOException("a message has " + body.remaining() + " bytes");
        }
        int publisher = body.getInt();
        int topic = body.getInt();
        int number = body.getInt();
        if (number != next[publisher][topic]) {
            throw new IOException(clientId + " received number " + number + " of publisher " + publisher + " and topic "
                    + topic + " when " + next[publisher][topic] + " was next");
        }
        next[publisher][topic]++;
        received++;
    }
}
