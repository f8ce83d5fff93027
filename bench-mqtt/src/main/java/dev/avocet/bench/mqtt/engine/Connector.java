package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.run.Pacer;
import dev.avocet.bench.run.RateSchedule;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens the connections of one lane, at its share of the pace, and not too many at once. Runs on the lane's loop. */
final class Connector implements Runnable {
    private static final long REST_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Lane lane;
    private final Dialer dialer;
    private final List<SimulatedClient> clients;
    private final int firstNumber;
    private final int numberStep;
    private final int maxConnecting;
    private final double connectionsPerSecond;
    private final long settledBefore;
    private @Nullable Pacer pacer;
    private int next;

    /**
     * Opens nothing yet.
     *
     * @param firstNumber of the first client, and {@code numberStep} from one to the next: by them they get their
     *     addresses
     * @param connectionsPerSecond of this lane; 0 for as fast as it goes
     */
    Connector(
            Lane lane,
            Dialer dialer,
            List<SimulatedClient> clients,
            int firstNumber,
            int numberStep,
            int maxConnecting,
            double connectionsPerSecond) {
        this.lane = lane;
        this.dialer = dialer;
        this.clients = clients;
        this.firstNumber = firstNumber;
        this.numberStep = numberStep;
        this.maxConnecting = maxConnecting;
        this.connectionsPerSecond = connectionsPerSecond;
        settledBefore = settled();
    }

    /** May be called from any thread. */
    void start() {
        lane.loop.execute(() -> {
            pacer = connectionsPerSecond > 0
                    ? new Pacer(RateSchedule.fixed(connectionsPerSecond), 1, 0, lane.clock.nanoTime())
                    : null;
            run();
        });
    }

    /** How many have come to be, or have failed to. Any thread. */
    boolean isDone() {
        return settled() - settledBefore >= clients.size();
    }

    private long settled() {
        return lane.ready.value() + lane.trouble.refusedCount();
    }

    @Override
    public void run() {
        while (next < clients.size() && next - (settled() - settledBefore) < maxConnecting && isDue()) {
            SimulatedClient client = clients.get(next);
            dialer.open(client, firstNumber + next++ * numberStep);
        }
        if (next < clients.size()) {
            lane.loop.schedule(this, REST_NS, TimeUnit.NANOSECONDS);
        }
    }

    private boolean isDue() {
        if (pacer == null) {
            return true;
        }
        if (!pacer.isDue(lane.clock.nanoTime())) {
            return false;
        }
        pacer.take();
        return true;
    }
}
