package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.Administered;
import dev.avocet.dist.Distribution;
import dev.avocet.dist.Launched;
import dev.avocet.dist.fault.WireClient;
import dev.avocet.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** The members of a pair, as processes of the distribution on this machine. */
final class PairUnderTest implements AutoCloseable {
    static final String ARBITER = "z";
    private static final int ACCEPTED = 202;

    private static final Pattern EPOCH = Pattern.compile("\"epoch\":(\\d+)");

    private final Path folder;
    private final String members;
    private final Map<String, Integer> linkPorts = new HashMap<>();
    private final Map<String, String> membersAsToldTo = new HashMap<>();
    private final List<String> common;
    private final Map<String, Integer> ports = new HashMap<>();
    private final Map<String, Launched> running = new HashMap<>();
    private final Map<String, List<String>> proofs = new HashMap<>();
    private final Map<String, Path> elsewhere = new HashMap<>();
    private final Map<String, MovedClock> clocks = new HashMap<>();
    private Map<String, String> environment = Distribution.shortLived("96m");
    private @Nullable Path otherHome;

    /** @param coordinator null for the group with an arbiter */
    PairUnderTest(Path folder, @Nullable String coordinator) {
        this.folder = folder;
        boolean hasArbiter = coordinator == null;
        linkPorts.put("a", Distribution.twoPorts());
        linkPorts.put("b", Distribution.twoPorts());
        members = "a=127.0.0.1:" + linkPorts.get("a") + ",b=127.0.0.1:" + linkPorts.get("b")
                + (hasArbiter ? "," + ARBITER + "=127.0.0.1:" + Distribution.twoPorts() : "");
        common = hasArbiter ? List.of() : List.of("--ha-coordinator", coordinator);
        ports.put("a", FreePort.next());
        ports.put("b", FreePort.next());
    }

    Launched startArbiter(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(arguments(ARBITER)));
        arguments.addAll(List.of(more));
        String[] all = arguments.toArray(String[]::new);
        Map<String, String> its = withClock(ARBITER, Distribution.SHORT_LIVED);
        return keep(
                ARBITER,
                otherHome == null
                        ? Distribution.launchArbiter(its, all)
                        : Distribution.launchFrom(otherHome, "arbiter", its, all));
    }

    /** Members that are started from now on are those of another distribution. */
    void runFrom(Path home) {
        otherHome = home;
    }

    /** A broker that begins, or comes back with what it had. */
    Launched start(String node, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(arguments(node)));
        arguments.addAll(List.of("--endpoint", "127.0.0.1:" + ports.get(node), "--admin", "127.0.0.1:0"));
        arguments.addAll(common);
        arguments.addAll(List.of(more));
        String[] all = arguments.toArray(String[]::new);
        Map<String, String> its = withClock(node, environment);
        return keep(
                node,
                otherHome == null
                        ? Distribution.launch(its, all)
                        : Distribution.launchFrom(otherHome, "broker", its, all));
    }

    /** From its next start on. */
    void keepTimeBy(String member, MovedClock clock) {
        clocks.put(member, clock);
    }

    private Map<String, String> withClock(String member, Map<String, String> usual) {
        Map<String, String> all = new HashMap<>(usual);
        if (clocks.containsKey(member)) {
            all.putAll(clocks.get(member).environment());
        }
        return all;
    }

    /** Of brokers that are started from now on. */
    void heap(String heap) {
        environment = Distribution.shortLived(heap);
    }

    /** Brokers that are started from now on are as shipped, with the classes that one prepares for the next. */
    void atSpeed(String heap) throws IOException, InterruptedException {
        Map<String, String> asShipped = new HashMap<>(Distribution.atSpeed(heap));
        asShipped.put("BROKER_CACHE", folder.resolve("cache").toString());
        environment = Map.copyOf(asShipped);
        try (Launched prepare = Distribution.launch(environment, "prepare")) {
            assertThat(prepare.exitCode()).as(prepare.output()).isZero();
        }
    }

    /** A broker without endpoints but those that are objects. */
    Launched startWithObjects(String node, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(arguments(node)));
        arguments.addAll(List.of("--admin", "127.0.0.1:0"));
        arguments.addAll(common);
        arguments.addAll(List.of(more));
        return keep(node, Distribution.launch(Distribution.shortLived("96m"), arguments.toArray(String[]::new)));
    }

    Path store(String node) {
        return data(node).resolve("store");
    }

    /** Where a member keeps its files, from its next start on. */
    void keepFilesIn(String node, Path directory) {
        elsewhere.put(node, directory);
    }

    private Path data(String node) {
        return elsewhere.getOrDefault(node, folder.resolve(node));
    }

    /** The broker of that node, as if there were no pair. */
    Launched startAlone(String node, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--data", data(node).toString()));
        arguments.addAll(List.of("--endpoint", "127.0.0.1:" + ports.get(node), "--admin", "127.0.0.1:0"));
        arguments.addAll(List.of(more));
        return keep(node, Distribution.launch(environment, arguments.toArray(String[]::new)));
    }

    /** Where the other members reach a node; votes have the port behind it. */
    int linkPort(String node) {
        return linkPorts.get(node);
    }

    /** Has a member reach a broker at another port, from its next start on. */
    void reach(String member, String broker, int port) {
        membersAsToldTo.put(
                member, members.replace(broker + "=127.0.0.1:" + linkPorts.get(broker), broker + "=127.0.0.1:" + port));
    }

    /** By what a member proves that it is one, from its next start on. */
    void prove(String node, String... options) {
        proofs.put(node, List.of(options));
    }

    private String[] arguments(String node) {
        List<String> arguments =
                new ArrayList<>(List.of("--data", data(node).toString(), "--ha-group", "test", "--ha-node", node));
        arguments.addAll(List.of("--ha-members", membersAsToldTo.getOrDefault(node, members)));
        arguments.addAll(proofs.getOrDefault(node, List.of()));
        return arguments.toArray(String[]::new);
    }

    /** A process that ends with the pair, in place of the one of that name. */
    Launched keep(String name, Launched launched) {
        running.put(name, launched);
        return launched;
    }

    Launched of(String node) {
        return running.get(node);
    }

    /** Where its clients are served while it is active. */
    int port(String node) {
        return ports.get(node);
    }

    /**
     * A client of the active node, by MQTT 3.1.1. Clients are refused for as long as a busy machine has the standby out
     * of sync.
     */
    WireClient connected(String node, String clientId) {
        return await().ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> new WireClient(port(node), clientId, WireClient.MQTT_3_1_1), Objects::nonNull);
    }

    static String other(String node) {
        return node.equals("a") ? "b" : "a";
    }

    /** The broker that is active at the moment, once both are up. */
    String active() {
        return patiently("one of the pair is active")
                .until(() -> Stream.of("a", "b").filter(this::isActive).findFirst(), Optional::isPresent)
                .orElseThrow();
    }

    /**
     * The broker that is active, once the other one is in sync: the one to kill or to stop. On a busy machine the role
     * may have moved since the last look.
     */
    String activeBesideOneInSync() {
        return patiently("one of the pair is active and the other in sync")
                .until(
                        () -> Stream.of("a", "b")
                                .filter(node -> isActive(node) && isInSync(other(node)))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /**
     * Has the standby take over, and returns its name when it serves clients in a later epoch. It asks again as long as
     * the active node refuses, which it does while the standby is not in sync.
     */
    String handOver() {
        int earlier = epoch(activeBesideOneInSync());
        String next = patiently("the role is handed over")
                .until(
                        () -> {
                            String active = activeBesideOneInSync();
                            int status =
                                    post(active, "/service/ha/switch", "{}").statusCode();
                            return status == ACCEPTED ? Optional.of(other(active)) : Optional.<String>empty();
                        },
                        Optional::isPresent)
                .orElseThrow();
        awaitActive(next, earlier);
        return next;
    }

    /** Until the time of the test is over; with pauses, as each look takes a processor from the brokers. */
    private static ConditionFactory patiently(String what) {
        return await(what).forever().pollInSameThread();
    }

    private boolean isActive(String node) {
        String health = health(node);
        return health.contains("\"status\":\"running\"") && health.contains("\"role\":\"active\"");
    }

    private boolean isInSync(String node) {
        return health(node).contains("\"role\":\"standby in-sync\"");
    }

    private String health(String node) {
        try {
            return of(node).httpGet("/health");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while a broker is asked for its health", e);
        }
    }

    /** Has a broker of a new pair lead, and the other one follow. Which of the two leads first is open. */
    void makeActive(String node) {
        if (!active().equals(node)) {
            awaitInSync(node);
            admin(other(node), "ha", "switch");
        }
        awaitInSync(other(node));
    }

    /**
     * Returns when a broker serves clients, in a later epoch than that. How much later is open: on a busy machine the
     * role moves unasked.
     */
    void awaitActive(String node, int earlier) {
        patiently(node + " is active").until(() -> isActive(node));
        assertThat(epoch(node)).isGreaterThan(earlier);
    }

    /** The epoch of which a broker knows. */
    int epoch(String node) {
        Matcher epoch = EPOCH.matcher(health(node));
        assertThat(epoch.find()).isTrue();
        return Integer.parseInt(epoch.group(1));
    }

    /** Returns when a broker has everything that was acknowledged, and is not the active one. */
    void awaitInSync(String node) {
        patiently(node + " is in sync").until(() -> isInSync(node));
    }

    /** SIGKILL; returns when the process is gone. */
    void kill(String node) {
        of(node).close();
    }

    HttpResponse<String> post(String node, String path, String body) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + of(node).adminPort() + "/api/v1" + path);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString());
    }

    /** Uploads a file, as administrators do. */
    HttpResponse<String> put(String node, Path file) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + of(node).adminPort() + "/api/v1/file/" + file.getFileName());
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .PUT(BodyPublishers.ofFile(file))
                                .build(),
                        BodyHandlers.ofString());
    }

    /** What broker-admin prints, asked to do that at a node. */
    String admin(String node, String... arguments) {
        return Administered.runHere(at(node, arguments)).output();
    }

    /** The same by bin/broker-admin, a process that takes a hundred times as much. */
    String adminProcess(String node, String... arguments) throws IOException, InterruptedException {
        try (Launched admin = Distribution.launchAdmin(Distribution.SHORT_LIVED, at(node, arguments))) {
            int unused = admin.exitCode();
            return admin.output();
        }
    }

    private String[] at(String node, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", "http://127.0.0.1:" + of(node).adminPort()));
        return all.toArray(String[]::new);
    }

    @Override
    public void close() {
        running.values().forEach(Launched::close);
    }
}
