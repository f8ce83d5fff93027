package dev.avocet.mqtt.scale;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A publisher and a subscriber of one topic at QoS 1, as fast as the publisher's window lets them. Every message
 * carries its number, and the subscriber fails on a gap.
 */
final class Pair implements AutoCloseable {
    private static final int WINDOW = 100;
    /** Messages that may be on their way, so that the subscriber's queue never fills when it is the slower one. */
    private static final int BACKLOG = 1_000;

    private static final byte[] END = {};

    private final String topic;
    private final RawClient publisher;
    private final RawClient subscriber;
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final Semaphore backlog = new Semaphore(BACKLOG);
    private final AtomicLong delivered = new AtomicLong();
    private volatile boolean stopping;
    private CompletableFuture<Void> done = CompletableFuture.completedFuture(null);

    Pair(int port, String name, String topic) {
        this.topic = topic;
        this.subscriber = RawClient.connected(port, name + "-subscriber");
        this.publisher = RawClient.connected(port, name + "-publisher");
        subscriber.subscribe(topic, QualityOfService.AT_LEAST_ONCE);
    }

    void start() {
        CompletableFuture<Void> publishing = CompletableFuture.runAsync(this::publish, threads);
        CompletableFuture<Void> consuming = CompletableFuture.runAsync(this::consume, threads);
        done = CompletableFuture.allOf(publishing, consuming);
        publishing.exceptionally(failure -> fail(failure));
        consuming.exceptionally(failure -> fail(failure));
    }

    /** Messages that the subscriber has received; throws what has gone wrong. */
    long delivered() {
        if (done.isCompletedExceptionally()) {
            done.join();
        }
        return delivered.get();
    }

    /** Ends the stream and returns when its last message has arrived; throws what went wrong on the way. */
    void finish() {
        stopping = true;
        done.join();
    }

    @Override
    public void close() {
        publisher.close();
        subscriber.close();
        threads.shutdownNow();
    }

    private Void fail(Throwable failure) {
        done.completeExceptionally(failure); // the other one may go on for ever
        return null;
    }

    private void publish() {
        int inFlight = 0;
        int number = 0;
        while (!stopping) {
            backlog.acquireUninterruptibly();
            send(++number, Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
            if (++inFlight == WINDOW) {
                inFlight -= awaitAck();
            }
        }
        send(++number, END);
        for (inFlight++; inFlight > 0; ) {
            inFlight -= awaitAck();
        }
    }

    private void send(int number, byte[] payload) {
        publisher.send(new Publish(topic, QualityOfService.AT_LEAST_ONCE, false, number % 60_000 + 1, payload));
    }

    private int awaitAck() {
        PubAck ack = publisher.receive(PubAck.class);
        if (ack.reasonCode() != ReasonCode.SUCCESS) {
            throw new AssertionError("answered with " + ack.reasonCode());
        }
        return 1;
    }

    private void consume() {
        for (int expected = 1; ; expected++) {
            Publish publish = subscriber.receivePublish();
            subscriber.send(new PubAck(publish.packetId()));
            if (publish.payload().length == 0) {
                return;
            }
            String number = new String(publish.payload(), StandardCharsets.US_ASCII);
            if (!number.equals(Integer.toString(expected))) {
                throw new AssertionError("expected " + expected + ", got " + number);
            }
            delivered.incrementAndGet();
            backlog.release();
        }
    }
}
