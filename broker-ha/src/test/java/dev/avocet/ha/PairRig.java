package dev.avocet.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.chronicle.ChronicleJournal;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.publish.PublishOutcome;
import dev.avocet.core.store.image.StoreFiles;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.coordination.file.FileCoordinator;
import dev.avocet.ha.coordination.ratis.GroupMember;
import dev.avocet.ha.coordination.ratis.GroupSettings;
import dev.avocet.ha.link.LinkVersions;
import dev.avocet.ha.log.PairTimes;
import dev.avocet.ha.role.PairSettings;
import dev.avocet.ha.role.Role;
import dev.avocet.ha.trust.Credentials;
import dev.avocet.ha.trust.GroupNames;
import dev.avocet.ha.trust.MemberTls;
import dev.avocet.ha.trust.PairSecret;
import dev.avocet.testkit.FaultyNetwork;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.LivingFiles;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Two members on loopback, with a network between them that can fail, and a register in a directory. */
final class PairRig implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final String A = "a";
    static final String B = "b";

    /** The kinds of journal. */
    enum Kind {
        FILE,
        CHRONICLE
    }

    final FaultyNetwork network;
    String secret = "secret";
    String group = "pair";
    int segmentBytes = 1 << 20;
    long maxRetainedBytes = MemberOptions.DEFAULT_MAX_RETAINED_BYTES;
    long catchUpBytesPerSecond = MemberOptions.DEFAULT_CATCH_UP_BYTES;
    /** A busy machine may let a healthy node wait for a second, so a test is patient; a measurement is not. */
    UnaryOperator<PairSettings> times = PairRig::patient;

    private static final Pattern SEGMENT = Pattern.compile("(?:journal-)?(\\d+)\\.(?:cq4|seg)");
    private static final int START_TRIES = 20;
    private static final Duration START_REST = Duration.ofMillis(100);

    private final Path disk;
    private final int port = FreePort.next();
    private final Map<String, Kind> kinds = new HashMap<>();
    private final Map<String, Storage> disks = new HashMap<>();
    final Map<String, LinkVersions> versions = new HashMap<>();
    private final Map<String, TestHost> hosts = new HashMap<>();
    private final Map<String, PairTimes> recordings = new HashMap<>();
    private final Map<String, PairMember> members = new HashMap<>();
    private final List<String> acknowledged = new ArrayList<>();
    private final Map<String, Integer> groupPorts = new LinkedHashMap<>();
    private final Map<String, Clock> clocks = new HashMap<>();
    private @Nullable GroupMember arbiter;
    private CompletableFuture<Void> crashing = CompletableFuture.completedFuture(null);
    private int published;

    PairRig(Path disk, Kind a, Kind b) {
        this.disk = disk;
        kinds.put(A, a);
        kinds.put(B, b);
        network = FaultyNetwork.to(port);
    }

    void storage(String node, Storage storage) {
        disks.put(node, storage);
    }

    /** What a member takes for the time, from its next start on. */
    void clock(String node, Clock clock) {
        clocks.put(node, clock);
    }

    PairMember start(String node) throws IOException {
        TestHost host = new TestHost(directory(node));
        PairTimes recorded = new PairTimes();
        recordings.put(node, recorded);
        PairMember member = startOnceThePortIsFree(options(node), recorded, host);
        hosts.put(node, host);
        members.put(node, member);
        return member;
    }

    /** Another process that looks for a free port may listen at ours for a moment. */
    private static PairMember startOnceThePortIsFree(MemberOptions options, PairTimes times, TestHost host)
            throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return PairMember.start(options, times, host);
            } catch (IOException e) {
                if (tries == START_TRIES || !(e.getCause() instanceof BindException)) {
                    throw e;
                }
                await().pollDelay(START_REST).until(() -> true);
            }
        }
    }

    /** The register lies in a group from now on, of which this process is the arbiter as well. */
    void useGroup() throws Exception {
        Map<String, InetSocketAddress> servers = new LinkedHashMap<>();
        for (String member : List.of(A, B, "arbiter")) {
            int linkPort = FreePort.next();
            int next = FreePort.next();
            while (next != linkPort + 1) {
                linkPort = next;
                next = FreePort.next();
            }
            groupPorts.put(member, linkPort);
            servers.put(member, new InetSocketAddress("localhost", next));
        }
        arbiter = GroupMember.start(
                new GroupSettings(group, servers, "arbiter", Duration.ofSeconds(2), tls("arbiter", servers)),
                "arbiter",
                disk.resolve("arbiter"));
    }

    private CoordinatorChoice coordinator(String node) {
        return groupPorts.isEmpty()
                ? new CoordinatorChoice.SharedDirectory(disk.resolve("register"))
                : new CoordinatorChoice.Group(disk.resolve(node + "-group"));
    }

    private Map<String, InetSocketAddress> addresses(String node) {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        if (!groupPorts.isEmpty()) {
            groupPorts.forEach(
                    (member, linkPort) -> addresses.put(member, new InetSocketAddress("localhost", linkPort)));
            return addresses;
        }
        addresses.put(A, new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next()));
        int linkPort = node.equals(A) ? network.port() : port;
        addresses.put(B, new InetSocketAddress(InetAddress.getLoopbackAddress(), linkPort));
        return addresses;
    }

    private MemberOptions options(String node) {
        return new MemberOptions(
                group,
                node,
                new PairMembers(addresses(node)),
                coordinator(node),
                secret(),
                tls(node, addresses(node)),
                versions.getOrDefault(node, LinkVersions.ALL),
                files(node),
                times.apply(PairSettings.of(node, node.equals(A) ? B : A)),
                maxRetainedBytes,
                catchUpBytesPerSecond,
                clocks.getOrDefault(node, new SystemClock()));
    }

    private PairSecret secret() {
        return PairSecret.of(secret.getBytes(StandardCharsets.UTF_8));
    }

    private @Nullable MemberTls tls(String member, Map<String, InetSocketAddress> addresses) {
        Map<String, String> hosts = new LinkedHashMap<>();
        addresses.forEach((id, address) -> hosts.put(id, address.getHostString()));
        try {
            return MemberTls.open(Credentials.of(secret()), new GroupNames(group, member, hosts), new SystemClock());
        } catch (TlsException e) {
            throw new IllegalStateException(e);
        }
    }

    static PairSettings patient(PairSettings usual) {
        return new PairSettings(
                usual.self(),
                usual.partner(),
                usual.heartbeat(),
                Duration.ofMillis(4_000),
                Duration.ofMillis(3_500),
                Duration.ofSeconds(5),
                Duration.ofSeconds(20),
                usual.retry(),
                usual.minInSync(),
                usual.window(),
                usual.joinLag(),
                usual.confirmsInMemory(),
                usual.foundsAlone());
    }

    /** What is acknowledged has to be on both disks. */
    static PairSettings asksForBoth(PairSettings usual) {
        PairSettings patient = patient(usual);
        return new PairSettings(
                patient.self(),
                patient.partner(),
                patient.heartbeat(),
                patient.heartbeatTimeout(),
                patient.lease(),
                patient.syncTimeout(),
                patient.diskTimeout(),
                patient.retry(),
                2,
                patient.window(),
                patient.joinLag(),
                patient.confirmsInMemory(),
                patient.foundsAlone());
    }

    /** What is acknowledged has come to the other node, and need not be on its disk. */
    static PairSettings inMemory(PairSettings usual) {
        PairSettings patient = patient(usual);
        return patient.with(patient.syncTimeout(), patient.diskTimeout(), patient.minInSync(), true);
    }

    private StoreFiles files(String node) {
        Storage storage = disks.getOrDefault(node, new DiskStorage());
        return new StoreFiles(store -> open(node, store, storage), storage, directory(node), List.of(), () -> {
            throw new AssertionError("no front end");
        });
    }

    private CopyJournal open(String node, Path store, Storage storage) throws JournalException {
        return switch (Objects.requireNonNull(kinds.get(node))) {
            case FILE -> FileJournal.open(storage, store.resolve("file"), segmentBytes);
            case CHRONICLE -> ChronicleJournal.open(storage, store.resolve("chronicle"), segmentBytes);
        };
    }

    Path directory(String node) {
        return disk.resolve(node);
    }

    /** Starts both, and waits until they are in sync; {@link #A} leads. */
    void startInSync() throws Exception {
        start(A);
        start(B);
        awaitInSync(A, B);
    }

    void awaitInSync(String leader, String standby) {
        try {
            awaitRole(leader, Role.ACTIVE);
            awaitRole(standby, Role.STANDBY_IN_SYNC);
            await(leader + " to serve with " + standby + " in sync")
                    .atMost(PATIENCE)
                    .until(() -> host(leader).isServing());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(e.getMessage() + history(leader) + history(standby), e);
        }
    }

    private String history(String node) {
        return "\n" + node + (host(node).isServing() ? " serves now; it was " : " does not serve now; it was ")
                + host(node).statuses;
    }

    void awaitRole(String node, Role role) {
        await(node + " to be " + role)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> member(node).status().role(), present -> present == role);
    }

    /** Waits until that node serves clients, whatever the other one does. */
    void awaitServing(String node) {
        await(node + " to serve")
                .atMost(PATIENCE)
                .until(() ->
                        host(node).isServing() && member(node).status().role().leads());
    }

    TestHost host(String node) {
        return Objects.requireNonNull(hosts.get(node));
    }

    /** How long the other node has taken since the last start of that node. */
    PairTimes times(String node) {
        return Objects.requireNonNull(recordings.get(node));
    }

    PairMember member(String node) {
        return Objects.requireNonNull(members.get(node));
    }

    /** The process dies. */
    void crash(String node) {
        PairMember member = Objects.requireNonNull(members.remove(node));
        member.abandon();
    }

    /** The process dies; returns before all of it is gone. */
    void crashBeside(String node) {
        PairMember member = Objects.requireNonNull(members.remove(node));
        crashing = CompletableFuture.runAsync(member::abandon);
    }

    void awaitCrash() {
        crashing.join();
    }

    void stop(String node) {
        Objects.requireNonNull(members.remove(node)).close();
    }

    /** Publishes, and waits for all acknowledgements. */
    void publish(String node, int count, int bytes) throws Exception {
        List<CompletableFuture<PublishOutcome>> all = new ArrayList<>();
        List<String> topics = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String topic = "topic/" + published++;
            topics.add(topic);
            all.add(host(node).publish(topic, bytes));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(all).allSatisfy(outcome -> assertThat(outcome.get()).isEqualTo(PublishOutcome.ACCEPTED));
        acknowledged.addAll(topics);
    }

    /** Publishes without a pause, and has the node die when so many were acknowledged; waits for the end of it. */
    void publishUntilTheCrash(String node, int acknowledgements) {
        TestHost host = host(node);
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        AtomicBoolean crashed = new AtomicBoolean();
        CompletableFuture<Void> publishing = CompletableFuture.runAsync(() -> {
            Semaphore inFlight = new Semaphore(500);
            while (!crashed.get()) {
                String topic = "topic/" + published++;
                if (inFlight.tryAcquire()) {
                    host.publish(topic, 200).thenAccept(outcome -> {
                        inFlight.release();
                        if (!outcome.isFailure()) {
                            heard.add(topic);
                        }
                    });
                } else {
                    Thread.onSpinWait();
                }
            }
        });
        await().atMost(PATIENCE).until(() -> heard.size() >= acknowledgements);
        crashBeside(node);
        crashed.set(true);
        publishing.handle((done, failure) -> null).join(); // it may have found the node gone
        awaitCrash();
        assertThat(heard).hasSizeGreaterThanOrEqualTo(acknowledgements);
        acknowledged.addAll(heard);
    }

    /** Publishes something that may be acknowledged or not. */
    CompletableFuture<@Nullable PublishOutcome> attempt(String node, String topic) {
        return host(node).publish(topic, 10).thenApply(outcome -> outcome);
    }

    /** That node, which serves, has everything that was acknowledged, as retained messages and for the subscriber. */
    void shouldHaveAll(String node) {
        assertThat(acknowledged)
                .allSatisfy(topic -> assertThat(host(node).has(topic)).as(topic).isTrue());
        assertThat(host(node).store().references()).isGreaterThanOrEqualTo(2L * acknowledged.size());
    }

    /** Publishes retained messages on a few topics, of which only the last ones count. */
    void publishAgain(String node, int topics, int bytes, int times) throws Exception {
        for (int i = 0; i < times * topics; i++) {
            PublishOutcome unused =
                    host(node).publish("again/" + i % topics, bytes).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** What the register says. */
    Register register() throws Exception {
        try (FileCoordinator coordinator = FileCoordinator.open(disk.resolve("register"), Duration.ofSeconds(5))) {
            return coordinator.read().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** The node, which is stopped, has another store than before. */
    void replaceStore(String node, Path with) throws IOException {
        Files.move(directory(node), disk.resolve(node + "-before"));
        Files.move(with, directory(node));
    }

    long checkpoints(String node) throws IOException {
        return count(node, "checkpoint-.*\\.avc");
    }

    /** Files of its journal that hold records, or held some. */
    long segments(String node) throws IOException {
        return count(node, ".*\\.(cq4|seg)");
    }

    /** The number of the last file of its journal. */
    int lastSegment(String node) throws IOException {
        return Collections.max(segmentNumbers(node));
    }

    /** Whether a file of its journal is gone that had a number above that. */
    boolean lacksSegmentBehind(String node, int number) throws IOException {
        Set<Integer> numbers = segmentNumbers(node);
        return IntStream.range(number + 1, Collections.max(numbers)).anyMatch(each -> !numbers.contains(each));
    }

    private Set<Integer> segmentNumbers(String node) throws IOException {
        return LivingFiles.below(directory(node)).stream()
                .map(file -> SEGMENT.matcher(file.getFileName().toString()))
                .filter(Matcher::matches)
                .map(name -> Integer.parseInt(name.group(1)))
                .collect(Collectors.toSet());
    }

    /** Of a journal in plain files. */
    boolean hasFirstSegment(String node) throws IOException {
        return count(node, "journal-0+1\\.seg") > 0;
    }

    private long count(String node, String name) throws IOException {
        return LivingFiles.below(directory(node)).stream()
                .filter(file -> file.getFileName().toString().matches(name))
                .count();
    }

    @Override
    public void close() throws IOException {
        for (PairMember member : members.values()) {
            member.close();
        }
        network.close();
        if (arbiter != null) {
            arbiter.close();
        }
    }
}
