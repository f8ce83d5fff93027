package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.run.Pacer;
import dev.avocet.bench.run.RateSchedule;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens the connections of one lane, at its share of the pace, and not too many at once. Runs on the lane's loop. */
final class Connector implements Runnable {
    private static final long REST_NS = TimeUnit.MICROSECONDS.toNanos(200);
    /**
     * Between two looks of the loop at what has arrived. More would have hundreds of clients calculate what they send
     * first before any of them reads what the server has answered, which no clients on machines of their own do.
     */
    private static final int OPENED_AT_ONCE = 8;

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
        int opened = 0;
        while (opened < OPENED_AT_ONCE && mayOpen()) {
            SimulatedClient client = clients.get(next);
            dialer.open(client, firstNumber + next++ * numberStep);
            opened++;
        }
        if (opened == OPENED_AT_ONCE) {
            lane.loop.execute(this);
        } else if (next < clients.size()) {
            lane.loop.schedule(this, REST_NS, TimeUnit.NANOSECONDS);
        }
    }

    private boolean mayOpen() {
        return next < clients.size() && next - (settled() - settledBefore) < maxConnecting && isDue();
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
