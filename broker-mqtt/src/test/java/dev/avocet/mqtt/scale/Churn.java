package dev.avocet.mqtt.scale;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.UnsubAck;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients with many subscriptions, a steady number of which is replaced by others: a thousand each second, an
 * UNSUBSCRIBE and a SUBSCRIBE for each.
 */
final class Churn implements AutoCloseable {
    private static final int PER_CLIENT = 500;
    private static final int TICK_MS = 10;
    private static final int PER_TICK = 10;

    private final String prefix;
    private final List<RawClient> clients = new ArrayList<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong replaced = new AtomicLong();
    private ScheduledFuture<?> running;
    private int next;

    /**
     * @param prefix what the filters begin with; a number follows
     * @param count subscriptions
     */
    Churn(int port, String prefix, int count) {
        this.prefix = prefix;
        for (int first = 0; first < count; first += PER_CLIENT) {
            RawClient client = RawClient.connected(port, "churn-" + prefix.replace('/', '-') + first);
            clients.add(client);
            for (int i = 0; i < PER_CLIENT; i++) {
                client.send(new Subscribe(1, subscription(i)));
            }
            for (int i = 0; i < PER_CLIENT; i++) {
                client.receive(SubAck.class);
            }
        }
    }

    void start() {
        running = thread.scheduleAtFixedRate(this::replaceSome, 0, TICK_MS, TimeUnit.MILLISECONDS);
    }

    /** Stops for now; throws what went wrong since the start. */
    void pause() {
        if (!running.cancel(false)) {
            CompletableFuture.runAsync(this::replaceSome, thread).join();
        }
    }

    /** Subscriptions that have been replaced by others. */
    long replaced() {
        return replaced.get();
    }

    @Override
    public void close() {
        thread.shutdownNow();
        clients.forEach(RawClient::close);
    }

    private void replaceSome() {
        int turn = next++;
        RawClient client = clients.get(turn % clients.size());
        int first = turn / clients.size() * PER_TICK;
        for (int i = first; i < first + PER_TICK; i++) {
            client.send(new Unsubscribe(1, prefix + i), new Subscribe(2, subscription(i + PER_CLIENT)));
        }
        for (int i = 0; i < PER_TICK; i++) {
            if (client.receive(UnsubAck.class).reasonCodes().get(0).isError()) {
                throw new AssertionError("there was no subscription to " + prefix + first);
            }
            client.receive(SubAck.class);
            replaced.incrementAndGet();
        }
    }

    private TopicSubscription subscription(int number) {
        return new TopicSubscription(prefix + number, QualityOfService.AT_MOST_ONCE);
    }
}
