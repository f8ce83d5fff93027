package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.Tally;
import dev.avocet.bench.latency.LatencyRecorder;
import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.Transport;
import dev.avocet.bench.part.Part;
import dev.avocet.bench.run.RunClock;
import dev.avocet.bench.run.Share;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One party's share of a run of mqttbench. */
public final class MqttPart implements Part {
    private static final long GIVE_UP_NS = TimeUnit.SECONDS.toNanos(1);

    private final RunPlan plan;
    private final RunClock clock;
    private final MqttRun run;
    private @Nullable Transport transport;
    private @Nullable Population population;
    private @Nullable Dialer dialer;
    private volatile @Nullable CountDownLatch sendingLanes;
    private long clients;
    private long lastUnderWay = -1;
    private long lastChangeNs;

    public MqttPart(RunPlan plan, Share share, RunClock clock) {
        this.plan = plan;
        this.clock = clock;
        run = new MqttRun(plan, share, clock, snapshot -> {});
    }

    @Override
    public void open() {
        Transport opened = new Transport(plan.load().threads());
        transport = opened;
        Population people = run.populate(opened);
        population = people;
        clients = people.all().count();
        dialer = run.connect(people, opened);
    }

    /** For its receivers, what was meant to be sent before they were made is left over. */
    @Override
    public void expect(long startNs) {
        // They were made before any client was told when to start.
    }

    @Override
    public void start(long startNs) {
        if (population != null && dialer != null) {
            run.startStorms(population, dialer);
        }
        run.pace().start(startNs);
    }

    @Override
    public void stopSending() {
        CountDownLatch latch = new CountDownLatch(run.lanes().size());
        sendingLanes = latch;
        for (Lane lane : run.lanes()) {
            lane.stopSending();
            lane.storm.end();
            lane.loop.execute(latch::countDown);
        }
    }

    /** A client that is away comes back before what is lost is counted. */
    @Override
    public boolean isSendingOver() {
        CountDownLatch latch = sendingLanes;
        return latch != null && latch.getCount() == 0 && run.figures().sum(lane -> lane.storm.awayCount()) == 0;
    }

    @Override
    public void changeRate(double messagesPerSecond, long sinceNs) {
        run.pace().change(messagesPerSecond, sinceNs);
    }

    @Override
    public Tally tally() {
        return run.figures().tally();
    }

    @Override
    public Connections connections() {
        return new Connections(
                run.figures().connections(),
                clients - run.figures().sum(lane -> lane.ready.value()),
                run.figures().sum(lane -> lane.trouble.lostCount()),
                run.firstTrouble());
    }

    /** Called by one thread. A lost message must not take up room in the window for ever. */
    @Override
    public void othersUnderWay(long messages) {
        Outstanding outstanding = run.outstanding();
        outstanding.elsewhere(messages);
        long underWay = outstanding.count();
        long nowNs = clock.nanoTime();
        if (underWay != lastUnderWay || !outstanding.isFull()) {
            lastUnderWay = underWay;
            lastChangeNs = nowNs;
        } else if (nowNs - lastChangeNs > GIVE_UP_NS) {
            outstanding.giveUp();
        }
    }

    @Override
    public Map<String, List<LatencyRecorder>> latencies() {
        Map<String, List<LatencyRecorder>> latencies = new LinkedHashMap<>();
        latencies.put(plan.requests() == null ? "message" : "round trip", recorders(latency -> latency.message));
        latencies.put("acknowledge", recorders(latency -> latency.acknowledge));
        latencies.put("connect", recorders(latency -> latency.connect));
        latencies.put("transport", recorders(latency -> latency.transport));
        latencies.put("full", recorders(latency -> latency.full));
        latencies.put("resumed", recorders(latency -> latency.resumed));
        latencies.put("connack", recorders(latency -> latency.connack));
        latencies.put("subscribe", recorders(latency -> latency.subscribe));
        latencies.put("reconnect", recorders(latency -> latency.reconnect));
        return latencies;
    }

    private List<LatencyRecorder> recorders(Function<LaneLatencies, LatencyRecorder> recorder) {
        return run.lanes().stream().map(lane -> recorder.apply(lane.latencies)).toList();
    }

    @Override
    public List<Thread> busyThreads() {
        return transport == null ? List.of() : transport.threads();
    }

    @Override
    public List<String> failures() {
        return run.figures().faults();
    }

    @Override
    public Map<String, Map<String, Long>> counts() {
        return run.figures().counts(Map.of());
    }

    @Override
    public void abandon() {
        run.stop();
    }

    @Override
    public void close() {
        if (transport != null && population != null) {
            run.leave(population);
        }
        if (transport != null) {
            transport.close();
            transport = null;
        }
    }
}
