package dev.avocet.server.system;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.SystemTopic;
import dev.avocet.core.loop.MemoryLevel;
import dev.avocet.core.time.Clock;
import dev.avocet.server.store.StoreHealth;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Tells at once, under {@code $SYS/Notification/}, what an administrator should not have to wait for. Any thread may
 * call any method; all but {@link #flush} return at once and throw nothing.
 */
public final class Notices {
    private static final String PREFIX = SystemTopic.PREFIX + "Notification/";
    /** A stop waits no longer for subscribers to be told. */
    private static final long FLUSH_MS = 1_000;

    private final SystemTopic store;
    private final SystemTopic memory;
    private final String storeMode;
    private final Clock clock;
    private final AtomicReference<CompletableFuture<Void>> pending =
            new AtomicReference<>(CompletableFuture.completedFuture(null));

    Notices(Broker broker, String storeMode, Clock clock) {
        this.store = broker.systemTopic(PREFIX + "Store");
        this.memory = broker.systemTopic(PREFIX + "Memory");
        this.storeMode = storeMode;
        this.clock = clock;
    }

    /** Nothing can be stored any more, and the process is about to end. */
    public void storeFailed(Throwable cause) {
        store(StoreHealth.State.FAILED, String.valueOf(cause.getMessage()));
    }

    /**
     * The disk is too full for messages, or has room again.
     *
     * @param lack what is missing; empty when nothing is
     */
    public void messagesAccepted(boolean accepted, String lack) {
        store(accepted ? StoreHealth.State.ACCEPTING : StoreHealth.State.FULL, accepted ? "there is room again" : lack);
    }

    /**
     * The memory level has changed.
     *
     * @param freePercent of the heap
     */
    public void memoryLevel(MemoryLevel level, double freePercent) {
        publish(memory, json -> {
            json.writeStringField("level", level.name());
            json.writeNumberField("freePercent", Math.round(freePercent));
        });
    }

    /** Waits until subscribers have been told what there was to tell, or a moment has passed. Not on an event loop. */
    public void flush() {
        try {
            pending.get().orTimeout(FLUSH_MS, TimeUnit.MILLISECONDS).join();
        } catch (CompletionException | CancellationException e) {
            // a client that has not been told by now will notice
        }
    }

    private void store(StoreHealth.State state, String reason) {
        publish(store, json -> {
            json.writeStringField("mode", storeMode);
            json.writeStringField("state", state.toString());
            json.writeStringField("reason", reason);
        });
    }

    private void publish(SystemTopic topic, JsonBody body) {
        if (topic.hasSubscribers()) {
            try {
                CompletableFuture<Void> told = topic.publish(body.payload(clock.wallTimeMs()));
                pending.accumulateAndGet(told, CompletableFuture::allOf);
            } catch (RejectedExecutionException e) {
                // the loops have ended, and with them the subscribers' connections
            }
        }
    }
}
