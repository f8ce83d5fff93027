package dev.avocet.mqtt.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What has come in and waits for the test: filled by a client's thread, emptied by the test's. */
final class Inbox<T> {
    private static final int PATIENCE_SECONDS = 30;

    private final BlockingQueue<T> waiting = new LinkedBlockingQueue<>();

    void add(T item) {
        waiting.add(item);
    }

    T take(String what) {
        try {
            T next = waiting.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(next).as(what + " within " + PATIENCE_SECONDS + " s").isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for " + what, e);
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }
}
