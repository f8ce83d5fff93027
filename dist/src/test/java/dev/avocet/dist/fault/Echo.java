package dev.avocet.dist.fault;

import java.io.IOException;

/** Sends itself one message after another at QoS 0: none of it has to do with the store. */
final class Echo extends Party {
    private static final String TOPIC = "echo";
    private static final int PAUSE_MS = 10;

    private volatile int count;

    Echo(int port) {
        super(port, "echo");
    }

    /** Messages that came back. */
    int count() {
        return count;
    }

    @Override
    protected void serve(WireClient client) throws IOException {
        client.subscribe(TOPIC, 0);
        client.read();
        while (isHere()) {
            client.publish(TOPIC, 0, false, 0, count);
            client.flush();
            int number = client.read().number();
            if (number != count) {
                complain(number + " came where " + count + " was sent");
            }
            count++;
            pause(PAUSE_MS);
        }
    }
}
