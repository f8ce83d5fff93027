package dev.avocet.mqtt.session;

import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.transit.Consumer;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ConnectedClient;
import dev.avocet.mqtt.testing.FakeSessionLog;
import dev.avocet.testkit.ManualLoops;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** A session with a log in memory, on a loop that runs when the test says so. */
final class StoredSession {
    final ManualLoops loops = new ManualLoops(2);
    final Broker broker = new Broker(BrokerOptions.DEFAULT, loops.all());
    final FakeSessionLog log;
    final ClientSession client;
    final MqttSession mqtt = new MqttSession();

    StoredSession() {
        loops.on(0, () -> claim(0));
        client = Objects.requireNonNull(broker.sessions().find("client"));
        log = new FakeSessionLog(client::home);
        loops.on(0, () -> {
            broker.sessions().describe(client, 1000, null);
            client.stored(1, log);
            client.protocolState(mqtt);
            mqtt.follow(client);
        });
        loops.settle();
    }

    /** The client connects through a loop, which is the calling thread's. */
    void claim(int loop) {
        ConnectedClient nobody = cause -> {};
        broker.sessions().claim("client", false, loops.io(loop), (session, present) -> nobody);
    }

    /** Does something and ends the loop's batch. */
    void batch(Runnable action) {
        loops.on(0, action);
        loops.settle();
    }

    void commitAll() {
        loops.on(0, log::commitAll);
        loops.settle();
    }

    InFlight open(QualityOfService qos, Queue queue, long reference) {
        return mqtt.outbound().openKept(message(qos), options(qos), queue, reference);
    }

    /** A new state after a restart, with what the first records say. */
    MqttSession replayed(int records) {
        MqttSession restored = new MqttSession();
        log.records().subList(0, records).forEach(entries -> replay(entries, restored));
        return restored;
    }

    static void replay(List<byte[]> entries, MqttSession into) {
        try {
            for (byte[] entry : entries) {
                byte[] padded = new byte[entry.length + 2];
                System.arraycopy(entry, 0, padded, 1, entry.length);
                into.replay(padded, 1, 1 + entry.length);
            }
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    static List<byte[]> snapshot(MqttSession session) {
        List<byte[]> entries = new ArrayList<>();
        session.snapshot(entries::add);
        return entries;
    }

    /** What a session would bring through a restart, but for the next packet identifier. */
    static Set<String> stateOf(MqttSession session) {
        Set<String> state = new TreeSet<>();
        for (byte[] entry : snapshot(session)) {
            try {
                state.addAll(StateEntryTest.read(entry));
            } catch (JournalException e) {
                throw new AssertionError(e);
            }
        }
        state.removeIf(change -> change.startsWith("NEXT"));
        return state;
    }

    static Message message(QualityOfService qos) {
        return new Message(
                TopicName.of("a"), qos, false, new byte[10], MessageProperties.NONE, Message.NEVER, "publisher");
    }

    static DeliveryOptions options(QualityOfService qos) {
        return new DeliveryOptions(qos, false, false, DeliveryOptions.NO_IDENTIFIERS);
    }

    /** A durable queue that only notes which references are over. */
    static final class Queue implements DeliverySource {
        final Set<Long> over = new HashSet<>();
        private final long id;

        Queue(long id) {
            this.id = id;
        }

        @Override
        public void resume(Consumer consumer) {}

        @Override
        public void settle(Message message, long reference) {
            over.add(reference);
        }

        @Override
        public void settleUnstored(int messages) {}

        @Override
        public long durableId() {
            return id;
        }
    }
}
