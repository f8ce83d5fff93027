package dev.avocet.dist.pair;

import dev.avocet.dist.fault.Party;
import dev.avocet.dist.fault.WireClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Publishes retained numbers to one node and never to the other, one after the other, and keeps when each was
 * acknowledged. It is patient: a node that stands still has it on the line when it goes on.
 */
final class Probing extends Party {
    private static final int TIMEOUT_MS = 20_000;
    private static final int PAUSE_MS = 10;

    private final String node;
    private final String topic;
    private final List<AckedAt> answers = new CopyOnWriteArrayList<>();
    private volatile int sent;
    private volatile int acknowledged;

    Probing(int port, String node, String topic) {
        super(new int[] {port}, "prober-" + node, TIMEOUT_MS);
        this.node = node;
        this.topic = topic;
    }

    /** The latest number that was sent; whether it is retained is not known. */
    int sent() {
        return sent;
    }

    /** The latest number that was acknowledged; 0 for none. */
    int acknowledged() {
        return acknowledged;
    }

    String topic() {
        return topic;
    }

    /** Takes the times that were kept since they were taken last. */
    List<AckedAt> takeAnswers() {
        List<AckedAt> taken = List.copyOf(answers);
        answers.removeAll(taken);
        return taken;
    }

    @Override
    protected void serve(WireClient client) throws IOException {
        while (isHere()) {
            int number = sent + 1;
            sent = number;
            long sentNs = System.nanoTime();
            client.retain(topic, 1, number);
            client.flush();
            if (client.read().type() != WireClient.PUBACK) {
                complain("received something else than an acknowledgement");
                return;
            }
            answers.add(new AckedAt(node, sentNs, System.nanoTime()));
            acknowledged = number;
            pause(PAUSE_MS);
        }
    }
}
