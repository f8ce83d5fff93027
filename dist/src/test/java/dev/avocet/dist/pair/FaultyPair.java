package dev.avocet.dist.pair;

import static org.awaitility.Awaitility.await;

import dev.avocet.dist.Distribution;
import dev.avocet.dist.Launched;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.LoopDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pair with an arbiter, or ZooKeeper in its place, a network that can be cut between its brokers, and disks that can
 * lose their power.
 */
final class FaultyPair implements AutoCloseable {
    static final List<String> BROKERS = List.of("a", "b");

    private static final long DISK_BYTES = 192L << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int FIRST_LOG = 100; // so that names are in order

    /** Small segments, and checkpoints in between. */
    private static final String CONFIGURATION = """
            {"store": {"mode": "sync", "segmentBytes": 4194304, "checkpointIntervalSeconds": 5,
              "diskFreeMinBytes": 16777216}}""";

    private final PairUnderTest pair;
    private final Path zooKeeper;
    private final int zooKeeperPort;
    private final MeddledLink link;
    private final MeddledLink votes;
    private final Path configuration;
    private final Map<String, LoopDisk> disks = new HashMap<>();

    /** Every process that there was, by a name for its log. */
    private final Map<String, Launched> processes = new LinkedHashMap<>();

    /** @param withZooKeeper which has the register then, in a process of its own */
    FaultyPair(Path folder, boolean withDisks, boolean withZooKeeper) throws IOException {
        configuration = Files.writeString(folder.resolve("broker.json"), CONFIGURATION);
        zooKeeper = folder.resolve("zookeeper");
        zooKeeperPort = withZooKeeper ? FreePort.next() : 0;
        pair = new PairUnderTest(folder, withZooKeeper ? "zookeeper:127.0.0.1:" + zooKeeperPort : null);
        if (withDisks) {
            for (String node : BROKERS) {
                Path place = Files.createDirectories(folder.resolve("disk-" + node));
                disks.put(node, LoopDisk.create(place, DISK_BYTES));
                pair.keepFilesIn(node, disks.get(node).path().resolve("data"));
            }
        }
        int port = Distribution.twoPorts();
        link = new MeddledLink(port, pair.linkPort("b")); // the greater name listens
        votes = new MeddledLink(port + 1, pair.linkPort("b") + 1);
        pair.reach("a", "b", port);
    }

    /** From its next start on. */
    void keepTimeBy(String member, MovedClock clock) {
        pair.keepTimeBy(member, clock);
    }

    void start() throws IOException {
        startArbiter();
        BROKERS.forEach(this::startUnchecked);
        awaitHealed();
    }

    /** Or ZooKeeper, with what it had. */
    void startArbiter() throws IOException {
        keep(PairUnderTest.ARBITER, zooKeeperPort == 0 ? pair.startArbiter() : startZooKeeper());
    }

    private Launched startZooKeeper() throws IOException {
        Launched server = Distribution.launchClass(
                "org.apache.zookeeper.server.ZooKeeperServerMain",
                List.of("-Dzookeeper.admin.enableServer=false"),
                Integer.toString(zooKeeperPort),
                zooKeeper.toString());
        return pair.keep(PairUnderTest.ARBITER, server);
    }

    void start(String node) throws IOException {
        keep(node, pair.start(node, "--config", configuration.toString()));
    }

    private void startUnchecked(String node) {
        try {
            start(node);
        } catch (IOException e) {
            throw new IllegalStateException(node + " does not start", e);
        }
    }

    private void keep(String member, Launched launched) {
        processes.put((FIRST_LOG + processes.size()) + "-" + member, launched);
    }

    Launched of(String member) {
        return pair.of(member);
    }

    void kill(String member) {
        pair.kill(member);
    }

    MeddledLink link() {
        return link;
    }

    LoopDisk disk(String node) {
        return disks.get(node);
    }

    int[] ports() {
        return new int[] {pair.port("a"), pair.port("b")};
    }

    int port(String node) {
        return pair.port(node);
    }

    Path data(String node) {
        return pair.store(node).getParent();
    }

    String admin(String node, String... arguments) {
        return pair.admin(node, arguments);
    }

    /** What loses its power keeps what was forced, and its process is gone with it. */
    void cutPower(String node) throws IOException, InterruptedException {
        of(node).stop(); // so that no force is under way that the cut lets succeed for nothing
        disks.get(node).cutPower();
        kill(node);
        disks.get(node).restart();
        Files.deleteIfExists(disks.get(node).path().resolve("others")); // which an earlier fault took away, unforced
    }

    /** The node that serves clients; empty when none is known to. */
    String active() {
        for (String node : BROKERS) {
            String health = health(node);
            if (health.contains("\"status\":\"running\"") && health.contains("\"role\":\"active\"")) {
                return node;
            }
        }
        return "";
    }

    String awaitActive() {
        String[] found = new String[1];
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            found[0] = active();
            return !found[0].isEmpty();
        });
        return found[0];
    }

    /** Returns when one serves clients, and both have everything that is acknowledged. */
    void awaitHealed() {
        await("both are in sync")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    String active = active();
                    return !active.isEmpty()
                            && health(active).contains("\"inSync\":[\"a\",\"b\"]")
                            && health(PairUnderTest.other(active)).contains("\"role\":\"standby in-sync\"");
                });
    }

    /** Of the node that serves. */
    int epoch() {
        return pair.epoch(awaitActive());
    }

    String health(String node) {
        try {
            return pair.of(node).httpGet("/health");
        } catch (IOException e) {
            return "it does not answer: " + e;
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while it asks", e);
        }
    }

    /** Ends all processes, and writes what each has printed. */
    void keepLogs(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (Map.Entry<String, Launched> process : processes.entrySet()) {
            process.getValue().close();
            Files.writeString(
                    directory.resolve(process.getKey() + ".log"),
                    process.getValue().output());
        }
    }

    @Override
    public void close() throws IOException {
        List<AutoCloseable> parts = new ArrayList<>(List.of(pair, link, votes));
        parts.addAll(processes.values());
        parts.addAll(disks.values());
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                throw new IOException("cannot take the pair down", e);
            }
        }
    }
}
