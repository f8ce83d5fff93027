package dev.avocet.server.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.time.SystemClock;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.PingResp;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.packet.SubAck;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.testkit.turn.InTurn;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A flood for clients that are away, in a heap that is too small for it: the broker refuses in time, lives on and
 * recovers.
 */
@InTurn
class MemorySheddingTest {
    private static final int SESSION_EXPIRY_SECONDS = 3_600;
    private static final int WINDOW = 100;
    /** Refusals in a row that are no passing matter. */
    private static final int LASTING_REFUSALS = 1_000;

    private static final Duration RECOVERY = Duration.ofSeconds(20);

    private final SystemClock clock = new SystemClock();

    @TempDir
    private Path directory;

    @Test
    void shouldShedAndRecover() throws IOException {
        flood("64m", 20, 1_000, 1);
    }

    @Test
    @Tag("soak")
    void shouldShedAndRecoverAgainAndAgain() throws IOException {
        flood("96m", 50, 4_000, 5);
        directory.resolve("broker.log").toFile().delete();
        flood("64m", 20, 200, 5);
    }

    private void flood(String heap, int subscribers, int payloadBytes, int rounds) throws IOException {
        // more than fits into the heap may wait for each, so that nothing but the heap's state stops the flood
        String config = "{\"limits\": {\"maxMessages\": 1000000, \"maxBufferedBytes\": 0}}";
        try (BrokerProcess broker = BrokerProcess.start(directory, config, "-Xmx" + heap);
                WireClient publisher = new WireClient(broker.port())) {
            publisher.connect(Connect.builder("publisher").build());
            for (int i = 0; i < subscribers; i++) {
                leaveSubscription(broker.port(), i);
            }
            for (int round = 0; round < rounds; round++) {
                // when
                long fromNs = clock.nanoTime();
                int[] accepted = publishUntilRefused(publisher, subscribers, new byte[payloadBytes]);
                double floodSeconds = (clock.nanoTime() - fromNs) / 1e9;

                // then
                for (int i = 0; i < subscribers; i++) {
                    drain(broker.port(), i, accepted[i]);
                }
                long drainedNs = clock.nanoTime();
                Awaitility.await("taking messages again")
                        .atMost(RECOVERY)
                        .until(() -> publish(publisher, "flood/0", new byte[payloadBytes]) == ReasonCode.SUCCESS);
                drain(broker.port(), 0, 1);
                System.out.printf(
                        "%s heap: %d messages of %d bytes taken in %.1f s, then refused; taken again %.1f s after the"
                                + " last was delivered; resident %d MB%n",
                        heap,
                        Arrays.stream(accepted).sum(),
                        payloadBytes,
                        floodSeconds,
                        (clock.nanoTime() - drainedNs) / 1e9,
                        broker.residentBytes() >> 20);
            }
            assertThat(broker.isAlive()).isTrue();
            assertThat(broker.log()).doesNotContain("OutOfMemory");
        }
    }

    private static void leaveSubscription(int port, int number) throws IOException {
        try (WireClient client = connected(port, number)) {
            client.send(new Subscribe(1, new TopicSubscription("flood/" + number, QualityOfService.AT_LEAST_ONCE)));
            assertThat(client.receive(SubAck.class).reasonCodes()).containsExactly(ReasonCode.GRANTED_QOS_1);
        }
    }

    /** Publishes to each in turn and returns how many messages each was granted. */
    private static int[] publishUntilRefused(WireClient publisher, int topics, byte[] payload) throws IOException {
        int[] accepted = new int[topics];
        int refusals = 0;
        int answered = 0;
        for (int sent = 0; refusals < LASTING_REFUSALS || answered < sent; ) {
            if (refusals < LASTING_REFUSALS && sent - answered < WINDOW) {
                send(publisher, "flood/" + sent % topics, sent % 60_000 + 1, payload);
                sent++;
            } else {
                boolean taken = awaitAnswer(publisher) == ReasonCode.SUCCESS;
                accepted[answered++ % topics] += taken ? 1 : 0;
                refusals = taken && refusals < LASTING_REFUSALS ? 0 : refusals + 1;
            }
        }
        return accepted;
    }

    /** Comes back and takes what waits for a subscriber, and nothing more may follow. */
    private static void drain(int port, int number, int expected) throws IOException {
        try (WireClient client = connected(port, number)) {
            for (int i = 0; i < expected; i++) {
                client.send(new PubAck(client.receive(Publish.class).packetId()));
            }
            client.send(PingReq.INSTANCE);
            client.receive(PingResp.class);
        }
    }

    /** Tries again as clients do: for a moment the broker may be so short of memory that it takes nobody in. */
    private static WireClient connected(int port, int number) {
        return Awaitility.await("being let in")
                .atMost(RECOVERY)
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> connect(port, number), Objects::nonNull);
    }

    private static @Nullable WireClient connect(int port, int number) throws IOException {
        WireClient client = new WireClient(port);
        Connect connect = Connect.builder("away-" + number)
                .cleanStart(false)
                .sessionExpiryIntervalSeconds(SESSION_EXPIRY_SECONDS)
                .build();
        if (client.connect(connect).reasonCode() == ReasonCode.SUCCESS) {
            return client;
        }
        client.close();
        return null;
    }

    private static ReasonCode publish(WireClient publisher, String topic, byte[] payload) throws IOException {
        send(publisher, topic, 1, payload);
        return awaitAnswer(publisher);
    }

    private static void send(WireClient publisher, String topic, int packetId, byte[] payload) throws IOException {
        publisher.send(new Publish(topic, QualityOfService.AT_LEAST_ONCE, false, packetId, payload));
    }

    private static ReasonCode awaitAnswer(WireClient publisher) throws IOException {
        ReasonCode answer = publisher.receive(PubAck.class).reasonCode();
        assertThat(answer).isIn(ReasonCode.SUCCESS, ReasonCode.QUOTA_EXCEEDED);
        return answer;
    }
}
