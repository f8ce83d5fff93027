package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Counter;
import dev.avocet.bench.mqtt.engine.flow.PublishStream;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Storms;
import dev.avocet.bench.run.Pacer;
import dev.avocet.bench.run.RateSchedule;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has clients of one lane leave in waves and come back, at a pace or all at once; one that is refused tries again. Runs
 * on the lane's loop; its counters may be read by any thread.
 */
final class Storm implements Runnable {
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long RETRY_MS = 250;

    private final Lane lane;
    private final Counter waves = new Counter();
    private final Counter left = new Counter();
    private final Counter returned = new Counter();
    private final Counter refused = new Counter();
    private final Counter sessionsPresent = new Counter();
    private final Counter sessionsLost = new Counter();
    private final Counter sentAgain = new Counter();
    private final Counter arrivalsAgain = new Counter();

    private final ArrayDeque<SimulatedClient> leaving = new ArrayDeque<>();
    private final ArrayDeque<SimulatedClient> away = new ArrayDeque<>();
    private List<SimulatedClient> members = List.of();
    private @Nullable Storms plan;
    private @Nullable Dialer dialer;
    private @Nullable Pacer pacer;
    private int perWave;
    private int turn;
    private long nextWaveNs;
    private long backFromNs;
    private boolean isEnding;

    Storm(Lane lane) {
        this.lane = lane;
    }

    /**
     * Begins. May be called from any thread.
     *
     * @param clients those of this lane that take part
     * @param count how many of them leave in a wave
     */
    void start(Storms storms, Dialer itsDialer, List<SimulatedClient> clients, int count) {
        if (clients.isEmpty() || count == 0) {
            return;
        }
        lane.loop.execute(() -> {
            plan = storms;
            dialer = itsDialer;
            members = clients;
            perWave = Math.min(count, clients.size());
            nextWaveNs = lane.clock.nanoTime() + storms.everyNs();
            run();
        });
    }

    /** No more waves; those who are away still come back. Any thread. */
    void end() {
        lane.loop.execute(() -> {
            isEnding = true;
            leaving.clear();
        });
    }

    /** How many are not there. Any thread. */
    long awayCount() {
        return left.value() - returned.value();
    }

    long sessionsLost() {
        return sessionsLost.value();
    }

    long refusedCount() {
        return refused.value();
    }

    /** How many arrivals may have come twice, because what makes them was sent twice. */
    long arrivalsAgain() {
        return arrivalsAgain.value();
    }

    // --- what its clients say

    void sentAgain(PublishStream stream) {
        sentAgain.increment();
        arrivalsAgain.add(stream.copies());
    }

    void cameBack() {
        returned.increment();
    }

    void cameNot(SimulatedClient client) {
        refused.increment();
        lane.loop.schedule(() -> away.add(client), RETRY_MS, TimeUnit.MILLISECONDS);
    }

    void sessionWas(boolean present) {
        (present ? sessionsPresent : sessionsLost).increment();
    }

    // --- its own time

    @Override
    public void run() {
        if (plan == null || dialer == null) {
            return;
        }
        long nowNs = lane.clock.nanoTime();
        if (!isEnding && leaving.isEmpty() && awayCount() == 0 && nowNs - nextWaveNs >= 0) {
            begin(plan, nowNs);
        }
        letLeave(plan);
        if (nowNs - backFromNs >= 0) {
            bringBack(dialer, nowNs);
        }
        lane.loop.schedule(this, REST_NS, TimeUnit.NANOSECONDS);
    }

    /** A wave begins when its time has come and everybody of the one before is back. */
    private void begin(Storms storms, long nowNs) {
        waves.increment();
        choose();
        nextWaveNs = nowNs + storms.everyNs();
        backFromNs = nowNs + storms.awayNs();
        pacer = storms.returnsPerSecond() > 0
                ? new Pacer(RateSchedule.fixed(storms.returnsPerSecond()), 1, 0, backFromNs)
                : null;
    }

    private void choose() {
        int wanted = perWave;
        for (int visit = 0; visit < members.size() && wanted > 0; visit++) {
            SimulatedClient client = members.get(turn);
            turn = turn + 1 == members.size() ? 0 : turn + 1;
            if (client.isThere()) {
                client.holdBack();
                wanted--;
                leaving.add(client);
            }
        }
    }

    /** Publishers that say good-bye go when what they have sent is acknowledged, so this may take a few turns. */
    private void letLeave(Storms storms) {
        for (int visit = leaving.size(); visit > 0; visit--) {
            SimulatedClient client = leaving.remove();
            if (!client.canDropOff()) {
                leaving.add(client);
            } else if (client.dropOff(storms.isClean())) {
                left.increment();
                away.add(client);
            }
        }
    }

    private void bringBack(Dialer itsDialer, long nowNs) {
        while (!away.isEmpty() && (pacer == null || pacer.isDue(nowNs))) {
            if (pacer != null) {
                pacer.take();
            }
            SimulatedClient client = away.remove();
            itsDialer.open(client, client.number());
        }
    }

    static Map<String, Long> sum(List<Lane> lanes) {
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put(
                "waves",
                lanes.stream().mapToLong(lane -> lane.storm.waves.value()).max().orElse(0));
        figures.put("left", sum(lanes, each -> each.left));
        figures.put("returned", sum(lanes, each -> each.returned));
        figures.put("refused", sum(lanes, each -> each.refused));
        figures.put("sessionsPresent", sum(lanes, each -> each.sessionsPresent));
        figures.put("sessionsLost", sum(lanes, each -> each.sessionsLost));
        figures.put("sentAgain", sum(lanes, each -> each.sentAgain));
        return figures;
    }

    private static long sum(List<Lane> lanes, Function<Storm, Counter> counter) {
        return lanes.stream()
                .mapToLong(lane -> counter.apply(lane.storm).value())
                .sum();
    }
}
