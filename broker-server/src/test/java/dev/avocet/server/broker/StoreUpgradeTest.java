package dev.avocet.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.amqp.message.AmqpFormat;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.store.inspect.StoreUpgrade;
import dev.avocet.core.time.SystemClock;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.mqtt.codec.field.StoredProperties;
import dev.avocet.mqtt.session.MqttSession;
import dev.avocet.server.broker.store.CannotOpenStoreException;
import dev.avocet.server.broker.store.JournalInspector;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JournalKind;
import dev.avocet.server.store.StoreLocation;
import dev.avocet.server.store.StoreReport;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.XAJMSContext;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stores of the first format, as a broker that was killed left them, with a checkpoint of the life before. In them are:
 *
 * <ul>
 *   <li>the sessions {@code sensor-reader} (QoS 1) and {@code two-reader} (QoS 2) of {@code sensors/…} with four
 * messages
 *   <li>{@code state/1}, {@code /3} and {@code /4} retained, {@code /2} removed
 *   <li>the queue {@code orders}: of 25 orders with priorities 9, 19 and 18 are over, 8 is in the prepared branch 7, 7
 *     and 17 were delivered twice; one more is delayed by ten years, one expires in twenty
 *   <li>the branch 7, prepared, which sends two messages to {@code paid}
 *   <li>{@code mine} and {@code team} of the JMS client {@code ledger} and {@code news/all}
 * </ul>
 */
@InTurn
final class StoreUpgradeTest {
    private static final long PATIENCE_MS = SharedMember.PATIENCE.toMillis();
    private static final long MOMENT_MS = 200;
    private static final Map<String, Object> FIGURES =
            Map.of("sessions", 4L, "queues", 6L, "messages", 40L, "retained", 3L, "preparedTransactions", 1L);

    @TempDir
    private Path data;

    @ParameterizedTest
    @EnumSource
    void shouldHoldAfterwardsWhatItHeldBefore(JournalKind kind) throws Exception {
        // given
        FormerStores.unpack("avj1-" + kind, data);
        Map<String, String> before = files(data.resolve("store"));

        // then
        assertThatThrownBy(() -> start(kind))
                .isInstanceOf(CannotOpenStoreException.class)
                .hasMessageContaining("was written by an earlier version of the broker")
                .hasMessageContaining("broker store upgrade --data " + data);
        assertThat(files(data.resolve("store"))).isEqualTo(before);

        // when
        StoreReport done = FormerStores.upgrade(data, kind);

        // then
        assertThat(done.figures()).containsAllEntriesOf(FIGURES);
        assertThat(done.consequences()).singleElement().asString().contains("store.before-upgrade");
        assertThat(files(data.resolve("store.before-upgrade"))).isEqualTo(before);
        assertThat(new JournalInspector()
                        .verify(FormerStores.location(data, kind))
                        .damages())
                .isEmpty();
        for (int life = 0; life < 2; life++) {
            try (RunningBroker broker = start(kind)) {
                if (life == 0) {
                    assertHoldsEverything(broker);
                } else {
                    assertThat(ordersIn(broker)).isEmpty();
                }
            }
        }
    }

    private static void assertHoldsEverything(RunningBroker broker) throws Exception {
        try (SharedMember reader = SharedMember.connect(broker, "sensor-reader", 100)) {
            reader.await("temp 1", "temp 2", "temp 3", "temp 9");
        }
        try (SharedMember reader = SharedMember.connect(broker, "two-reader", 100)) {
            reader.await("temp 1", "temp 2", "temp 3", "temp 9");
        }
        try (SharedMember retained = SharedMember.connect(broker, "new", 0)) {
            retained.subscribe("state/+");
            retained.await("state 1", "state 3 now", "state 4");
        }
        List<String> orders = new ArrayList<>(ordersIn(broker));
        assertThat(orders.subList(0, 3))
                .as("by priority, with the counts of deliveries")
                .containsExactly("order 7, 3", "order 17, 3", "order 6, 2");
        assertThat(orders).hasSize(22).contains("expires, 2").doesNotContain("delayed, 1", "delayed, 2", "order 8, 3");
        try (XAJMSContext context = new AvocetConnectionFactory(url(broker)).createXAContext()) {
            XAResource resource = context.getXAResource();
            Xid[] branches = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
            assertThat(branches)
                    .singleElement()
                    .satisfies(branch -> assertThat(branch.getFormatId()).isEqualTo(7));
            resource.commit(branches[0], false);
        }
        try (JMSContext context = new AvocetConnectionFactory(url(broker)).createContext()) {
            assertThat(texts(context.createConsumer(context.createQueue("paid"))))
                    .containsExactly("paid 1, 1", "paid 2, 1");
        }
        try (JMSContext context = new AvocetConnectionFactory(url(broker)).createContext()) {
            context.setClientID("ledger");
            assertThat(texts(context.createDurableConsumer(context.createTopic("news/all"), "mine")))
                    .hasSize(4);
            assertThat(texts(context.createSharedDurableConsumer(context.createTopic("news/all"), "team", "n > 1")))
                    .containsExactly("news 2, 1", "news 3, 1", "news 4, 1");
        }
    }

    @Test
    void shouldLeaveTheOldOneOrTheNewOneWhereverItIsInterrupted() throws Exception {
        // given
        AtomicInteger counter = new AtomicInteger(Integer.MAX_VALUE);
        Path first = data.resolve("first");
        FormerStores.unpack("avj1-file", first);
        upgrade(interrupted(counter), first);
        int operations = Integer.MAX_VALUE - counter.get();

        for (int allowed = 0; allowed < operations; allowed += allowed < operations - 8 ? 13 : 1) {
            Path place = data.resolve("try" + allowed);
            FormerStores.unpack("avj1-file", place);
            Map<String, String> before = files(place.resolve("store"));

            // when
            int most = allowed;
            assertThatThrownBy(() -> upgrade(interrupted(new AtomicInteger(most)), place))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("interrupted");

            // then
            StoreLocation location = FormerStores.location(place, JournalKind.FILE);
            location.finishUpgrade(new DiskStorage());
            if (files(place.resolve("store")).equals(before)) {
                FormerStores.upgrade(place, JournalKind.FILE);
            }
            assertThat(new JournalInspector().stat(location).figures()).containsAllEntriesOf(FIGURES);
            assertThat(files(place.resolve("store.before-upgrade"))).isEqualTo(before);
        }
    }

    @Test
    void shouldUpgradeOnce() throws Exception {
        // given
        FormerStores.unpack("avj1-file", data);
        FormerStores.upgrade(data, JournalKind.FILE);
        Map<String, String> before = files(data);

        // when, then
        assertThatThrownBy(() -> FormerStores.upgrade(data, JournalKind.FILE))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("store.before-upgrade is in the way");
        Files.move(data.resolve("store.before-upgrade"), data.resolve("elsewhere"));
        assertThatThrownBy(() -> FormerStores.upgrade(data, JournalKind.FILE))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("there is nothing to upgrade");
        Files.move(data.resolve("elsewhere"), data.resolve("store.before-upgrade"));
        assertThat(files(data)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseACheckpointOfAnotherStore(JournalKind kind) throws Exception {
        // given
        Path other = data.resolve("other");
        FormerStores.unpack("avj1-" + kind, data);
        FormerStores.unpack("avj1-" + kind, other);
        FormerStores.upgrade(data, kind);
        FormerStores.upgrade(other, kind);
        Path foreign = checkpoint(other);
        Files.copy(foreign, data.resolve("store").resolve("checkpoint-0000000099.avc"));

        // when, then
        assertThatThrownBy(() -> start(kind))
                .isInstanceOf(CannotOpenStoreException.class)
                .hasMessageContaining("checkpoint-0000000099.avc belongs to the store ");
    }

    private static Path checkpoint(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("store"))) {
            return files.filter(file -> file.toString().endsWith(".avc"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void upgrade(Storage storage, Path place) throws JournalException {
        StoreLocation location = FormerStores.location(place, JournalKind.FILE);
        new StoreUpgrade(
                        storage,
                        location.directory(),
                        List.of(new StoredProperties(), new AmqpFormat()),
                        MqttSession::new,
                        new SystemClock())
                .run("file", (path, isSmall) -> location.openSmallJournal(storage, path));
    }

    /** A disk that throws from some operation on. */
    private static Storage interrupted(AtomicInteger left) {
        Storage disk = new DiskStorage();
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    if (left.decrementAndGet() < 0) {
                        throw new IOException("interrupted");
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static List<String> ordersIn(RunningBroker broker) throws Exception {
        try (JMSContext context = new AvocetConnectionFactory(url(broker)).createContext()) {
            return texts(context.createConsumer(context.createQueue("orders")));
        }
    }

    private static List<String> texts(JMSConsumer consumer) throws Exception {
        List<String> texts = new ArrayList<>();
        Message message = consumer.receive(PATIENCE_MS / 10);
        while (message != null) {
            texts.add(message.getBody(String.class) + ", " + message.getIntProperty("JMSXDeliveryCount"));
            message = consumer.receive(MOMENT_MS);
        }
        consumer.close();
        return texts;
    }

    private RunningBroker start(JournalKind kind) throws Exception {
        return OneBroker.start(ConfigurationFile.parse("""
                        {"ioThreads": 2, "endpoints": [{"port": 0}],
                         "store": {"mode": "sync", "journal": "%s", "segmentBytes": 4194304}}
                        """.formatted(kind)), data, failure -> {});
    }

    private static String url(RunningBroker broker) {
        return "avocet://127.0.0.1:" + broker.endpoints().get(0).getPort();
    }

    /** All files and what is in them. */
    private static Map<String, String> files(Path directory) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                files.put(
                        directory.relativize(each).toString(),
                        Integer.toString(Arrays.hashCode(Files.readAllBytes(each))));
            }
        }
        return files;
    }
}
