package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Counter;
import dev.avocet.bench.check.ReceiverAccount;
import dev.avocet.bench.mqtt.engine.flow.ByteQueue;
import dev.avocet.bench.mqtt.engine.flow.CutOff;
import dev.avocet.bench.mqtt.engine.flow.OwnMessages;
import dev.avocet.bench.mqtt.engine.flow.Payloads;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Load;
import dev.avocet.bench.mqtt.engine.plan.Trouble;
import dev.avocet.bench.run.Pacer;
import dev.avocet.bench.run.RunClock;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One event loop with its clients. All of it but the counters belongs to that loop's thread.
 *
 * <p>It sends in ticks: all messages that are due go out, round the publishers, and the next tick is set for when the
 * next message is due.
 */
final class Lane implements Runnable {
    private static final int VISITS_PER_TICK = 256;
    private static final long SHORTEST_REST_NS = TimeUnit.MICROSECONDS.toNanos(50);
    /** What arrives wakes it earlier. */
    private static final long HELD_UP_REST_NS = TimeUnit.MICROSECONDS.toNanos(500);

    private static final long LONGEST_REST_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int BATCH_BYTES = 64 * 1024;

    final EventLoop loop;
    final RunClock clock;
    final long startNs;
    final Payloads payloads;
    final Load load;
    final ReceiverAccount.Figures received = new ReceiverAccount.Figures();
    final Counter sent = new Counter();
    final Counter expected = new Counter();
    /** Arrivals of which nothing is known but that they came. */
    final Counter unchecked = new Counter();

    final Counter ready = new Counter();
    final Counter gone = new Counter();
    final Trouble trouble;
    final Handshakes handshakes = new Handshakes();
    final LaneLatencies latencies = new LaneLatencies();
    /** Null where the harness makes all messages. */
    final @Nullable OwnMessages own;

    final RequestFigures requests = new RequestFigures();
    final Storm storm = new Storm(this);
    final CutOff cutOff = new CutOff();

    /** Where bytes that were read are put together; grows to the largest packet. */
    private byte[] input = new byte[128 * 1024];

    /** What is about to be written. */
    final ByteQueue output = new ByteQueue();

    private final List<SimulatedClient> publishers = new ArrayList<>();
    private final Outstanding outstanding;
    private @Nullable Pacer pacer;
    private boolean isSending;
    private boolean isHeldUp;
    private int turn;
    private int payload;

    Lane(
            EventLoop loop,
            RunClock clock,
            Payloads payloads,
            Load load,
            Outstanding outstanding,
            AtomicReference<String> firstTrouble,
            @Nullable OwnMessages own) {
        this.loop = loop;
        this.clock = clock;
        startNs = clock.nanoTime();
        this.payloads = payloads;
        this.load = load;
        this.outstanding = outstanding;
        trouble = new Trouble(firstTrouble);
        this.own = own;
    }

    /** Whether it has publishers; asked before the run. */
    boolean hasPublishers() {
        return !publishers.isEmpty();
    }

    int publisherCount() {
        return publishers.size();
    }

    void addPublisher(SimulatedClient client) {
        publishers.add(client);
    }

    /** @param newPacer null when it is unpaced */
    void startSending(@Nullable Pacer newPacer) {
        loop.execute(() -> {
            pacer = newPacer;
            isSending = true;
            run();
        });
    }

    /**
     * From now on at another pace; messages that are late already are forgotten.
     *
     * @param newPacer null for none at all
     */
    void changePace(@Nullable Pacer newPacer) {
        loop.execute(() -> {
            boolean wasSending = isSending;
            pacer = newPacer;
            isSending = newPacer != null;
            if (isSending && !wasSending) {
                run();
            }
        });
    }

    void stopSending() {
        loop.execute(() -> isSending = false);
    }

    byte[] input(int sizeBytes) {
        if (sizeBytes > input.length) {
            input = new byte[Math.max(sizeBytes, input.length * 2)];
        }
        return input;
    }

    /** A tick. */
    @Override
    public void run() {
        if (isSending) {
            isHeldUp = !sendWhatIsDue(clock.nanoTime());
            loop.schedule(this, restNs(), TimeUnit.NANOSECONDS);
        }
    }

    /** Something has arrived, which may be what the publishers were waiting for. */
    void onArrival(long nowNs) {
        if (isSending && (isHeldUp || pacer == null)) {
            isHeldUp = !sendWhatIsDue(nowNs);
        }
    }

    private long restNs() {
        if (pacer == null) {
            return isHeldUp ? HELD_UP_REST_NS : 0;
        }
        long restNs = pacer.nextNs() - clock.nanoTime();
        return Math.max(SHORTEST_REST_NS, Math.min(LONGEST_REST_NS, restNs));
    }

    /** @return false when publishers or the window would take no more */
    private boolean sendWhatIsDue(long nowNs) {
        int unable = 0;
        for (int visit = 0; visit < VISITS_PER_TICK; visit++) {
            if (pacer != null && !pacer.isDue(nowNs)) {
                return true;
            }
            if (outstanding.isFull()) {
                return false;
            }
            SimulatedClient client = publishers.get(turn);
            turn = turn + 1 == publishers.size() ? 0 : turn + 1;
            if (!client.canSend()) {
                if (++unable >= publishers.size()) {
                    return false;
                }
                continue;
            }
            unable = 0;
            sendBatch(client, nowNs);
        }
        return true;
    }

    private void sendBatch(SimulatedClient client, long nowNs) {
        for (int i = 0; i < load.batch() && client.canSend() && output.size() < BATCH_BYTES; i++) {
            long intendedNs = nowNs;
            if (pacer != null) {
                if (!pacer.isDue(nowNs)) {
                    break;
                }
                intendedNs = pacer.take();
            }
            client.encode(output, payload, nowNs, intendedNs);
            payload = payload + 1 == payloads.count() ? 0 : payload + 1;
        }
        client.write(output);
    }
}
