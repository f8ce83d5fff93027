package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.mqtt.engine.plan.BrokerAddress;
import dev.avocet.bench.mqtt.engine.plan.RunPlan;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Consumers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Load;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Producers;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Server;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Timing;
import dev.avocet.bench.mqtt.engine.plan.TopicNames;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.run.PassCriteria;
import dev.avocet.bench.run.RateSchedule;
import dev.avocet.bench.run.RunClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Small runs. They judge nothing that a busy machine could spoil. */
final class Plans {
    static final PassCriteria WHATEVER_THE_PACE = new PassCriteria(0, 0, false, true, 0, 0, 1e9, 1e9, 0);

    /** Of the nodes of the one server. */
    List<Integer> ports;

    int version = 4;
    int qos;
    String webSocketPath;
    int producers = 4;
    String topic = "/p{p}/t{i}.{t}";
    int topicsPerProducer = 1;
    int consumers = 2;
    String filter = "/p{p}/#";
    int partitions = 2;
    int idle;
    boolean isPersistent;
    List<InetAddress> sources = List.of();
    RunPlan.Tls tls;
    int filtersPerClient = 1;
    RunPlan.Requests requests;
    RunPlan.Storms storms;
    RunPlan.Own own = RunPlan.Own.NONE;
    RateSchedule schedule = RateSchedule.fixed(500);
    int maxSizeBytes = 64;
    long window;
    int maxInFlight = 100;
    int batch = 1;
    long measureMs = 500;
    long drainMs = 5_000;

    Plans(int port) {
        ports = List.of(port);
    }

    RunPlan plan() {
        RunPlan plan = requests == null ? oneWay() : oneWay().withRequests(requests);
        return (storms == null ? plan : plan.withStorms(storms)).withOwn(own);
    }

    private List<InetSocketAddress> nodes() {
        return ports.stream()
                .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .toList();
    }

    private RunPlan oneWay() {
        return new RunPlan(
                "test",
                new Server(
                        List.of(new BrokerAddress(nodes())),
                        version,
                        tls,
                        webSocketPath,
                        null,
                        null,
                        "b",
                        0,
                        sources,
                        0,
                        10,
                        1),
                new Producers(new TopicNames(topic, producers, topicsPerProducer, partitions, true), qos, false),
                new Consumers(
                        new TopicNames(filter, consumers, filtersPerClient, partitions, true), qos, !isPersistent),
                idle,
                new Load(schedule, 32, maxSizeBytes, window, maxInFlight, batch, 2, 0),
                new Timing(0, toNs(measureMs), toNs(drainMs), toNs(100)),
                WHATEVER_THE_PACE);
    }

    RunResult run() {
        return new MqttRun(plan(), RunClock.system(), snapshot -> {}).execute(Map.of(), Map.of());
    }

    private static long toNs(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
