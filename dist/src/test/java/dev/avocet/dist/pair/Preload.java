package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.dist.fault.WireClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What a store holds before something is measured.
 *
 * @param sessions of clients that are away
 * @param references to messages that wait for them
 * @param retained messages
 */
record Preload(int sessions, int references, int retained) {
    private static final int CLIENTS = 4;
    private static final int WINDOW = 100;
    private static final int PATIENCE_MS = 120_000;
    private static final String TOPIC = "preloaded/everyone";
    private static final byte[] REST = new byte[96];

    /** As many as are asked for by {@code -Davocet.pair.sessions}, {@code references} and {@code retained}. */
    static Preload orAsAsked(int sessions, int references, int retained) {
        return new Preload(
                Integer.getInteger("avocet.pair.sessions", sessions),
                Integer.getInteger("avocet.pair.references", references),
                Integer.getInteger("avocet.pair.retained", retained));
    }

    /** Returns when all is acknowledged. */
    void fill(int port) throws IOException, InterruptedException {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> subscribing = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int first = client;
                subscribing.add(clients.submit(() -> subscribe(port, first)));
            }
            for (Future<?> each : subscribing) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(e);
        } finally {
            clients.shutdown();
        }
        try (WireClient writer = new WireClient(port, "preloading", WireClient.MQTT_3_1_1, PATIENCE_MS)) {
            int messages = sessions == 0 ? 0 : references / sessions;
            publish(writer, messages, number -> writer.publish(TOPIC, 1, false, 1 + number % WINDOW, number, REST));
            publish(writer, retained, number -> writer.retain("retained/" + number, 1 + number % WINDOW, number));
        }
    }

    private Void subscribe(int port, int first) throws IOException {
        for (int number = first; number < sessions; number += CLIENTS) {
            try (WireClient client = new WireClient(port, "away-" + number, WireClient.MQTT_3_1_1)) {
                client.subscribe(TOPIC, 1);
                assertThat(client.read().type()).isEqualTo(WireClient.SUBACK);
            }
        }
        return null;
    }

    private static void publish(WireClient writer, int count, Publishing publishing) throws IOException {
        int acknowledged = 0;
        for (int sent = 0; acknowledged < count; ) {
            for (; sent < count && sent - acknowledged < WINDOW; sent++) {
                publishing.publish(sent);
            }
            writer.flush();
            for (int awaited = sent; acknowledged < awaited; acknowledged++) {
                WireClient.Received answer = writer.read();
                assertThat(answer.type()).isEqualTo(WireClient.PUBACK);
                assertThat(answer.reasonCode()).isLessThan(0x80);
            }
        }
    }

    private interface Publishing {
        void publish(int number) throws IOException;
    }
}
