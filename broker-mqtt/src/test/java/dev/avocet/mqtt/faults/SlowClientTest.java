package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.config.object.policy.FullBehavior;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Clients that take less than they are sent. */
class SlowClientTest {
    private static final int MAX_MESSAGES = 100;
    private static final byte[] LARGE = new byte[16 << 10];

    @Test
    void shouldCloseAClientThatStopsReadingWhileOthersAreServed() {
        try (Trouble trouble = new Trouble(limits(FullBehavior.DISCARD_OLD_MESSAGES, 0));
                RawClient deaf = RawClient.connected(trouble.port(), "deaf");
                RawClient publisher = RawClient.connected(trouble.port(), "publisher")) {
            deaf.subscribe("news", QualityOfService.AT_MOST_ONCE);
            fill(trouble, publisher, Counter.MESSAGES_DISCARDED);
            assertThat(trouble.broker.count(Counter.BUFFERED_MESSAGES)).isLessThanOrEqualTo(MAX_MESSAGES + 1);
            trouble.bystander.shouldBeServed();

            awaitStalled(trouble);

            trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 2);
            trouble.shouldHaveHurtNobodyElse();
            trouble.log.shouldName("STALLED");
        }
    }

    /** Answers are not messages: no queue holds them back, so the broker has to stop asking for more. */
    @Test
    void shouldNotPileUpAnswersForAClientThatAsksAndNeverReads() throws IOException {
        byte[] pings = new byte[64 << 10];
        for (int i = 0; i < pings.length; i += 2) {
            pings[i] = (byte) 0xC0;
        }
        try (Trouble trouble = new Trouble();
                RawClient deaf = RawClient.connected(trouble.port(), "deaf")) {
            Thread flood = new Thread(() -> flood(deaf, pings), "flood");
            flood.setDaemon(true);
            flood.start();
            awaitStandstill(trouble);
            trouble.bystander.shouldBeServed();

            long takenBytes = trouble.broker.count(Counter.BYTES_RECEIVED);
            assertThat(takenBytes).isLessThan(64 << 20); // the operating system's buffers, and one megabyte of ours
            awaitStalled(trouble);

            trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
            trouble.shouldHaveHurtNobodyElse();
        }
    }

    @Test
    void shouldServeAClientAgainThatReadsLate() throws IOException {
        try (Trouble trouble = new Trouble();
                RawClient late = RawClient.connected(trouble.port(), "late")) {
            byte[] pings = new byte[64 << 10];
            for (int i = 0; i < pings.length; i += 2) {
                pings[i] = (byte) 0xC0;
            }
            Thread flood = new Thread(() -> flood(late, pings), "flood");
            flood.setDaemon(true);
            flood.start();
            awaitStandstill(trouble);
            long takenBytes = trouble.broker.count(Counter.BYTES_RECEIVED);

            byte[] answers = late.socket().getInputStream().readNBytes((int) takenBytes);

            assertThat(answers[0]).isEqualTo((byte) 0xD0);
            assertThat(answers).hasSize((int) takenBytes);
            late.drop();
            trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
            trouble.shouldHaveHurtNobodyElse();
        }
    }

    @Test
    void shouldRefuseThePublisherOfAFullSubscription() {
        try (Trouble trouble = new Trouble(limits(FullBehavior.REJECT_NEW_MESSAGES, 0));
                RawClient slow = RawClient.connected(trouble.port(), "slow");
                RawClient publisher = RawClient.connected(trouble.port(), "publisher")) {
            slow.subscribe("news", QualityOfService.AT_LEAST_ONCE);

            ReasonCode answer = ReasonCode.SUCCESS;
            int count = 0;
            for (; answer == ReasonCode.SUCCESS && count <= MAX_MESSAGES; count++) {
                answer = publish(publisher, count + 1);
            }

            assertThat(answer).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
            assertThat(count).isEqualTo(MAX_MESSAGES + 1);
            assertThat(trouble.broker.count(Counter.PUBLISHES_REFUSED)).isEqualTo(1);
            slow.send(new PubAck(slow.receivePublish().packetId()));
            Awaitility.await().until(() -> publish(publisher, 1) == ReasonCode.SUCCESS);
            trouble.shouldHaveHurtNobodyElse();
        }
    }

    @Test
    void shouldDiscardTheOldestForAClientThatAcknowledgesSlowly() {
        try (Trouble trouble = new Trouble(limits(FullBehavior.DISCARD_OLD_MESSAGES, 0));
                RawClient slow = new RawClient(trouble.port(), ProtocolVersion.V5);
                RawClient publisher = RawClient.connected(trouble.port(), "publisher")) {
            slow.connect(Connect.builder("slow").receiveMaximum(1).build());
            slow.subscribe("news", QualityOfService.AT_LEAST_ONCE);

            for (int i = 1; i <= 3 * MAX_MESSAGES; i++) {
                assertThat(publish(publisher, i)).isEqualTo(ReasonCode.SUCCESS);
            }

            Awaitility.await().until(() -> trouble.broker.count(Counter.MESSAGES_DISCARDED) >= 2 * MAX_MESSAGES - 1);
            assertThat(trouble.broker.count(Counter.BUFFERED_MESSAGES)).isLessThanOrEqualTo(MAX_MESSAGES);
            slow.send(new PubAck(slow.receivePublish().packetId()));
            slow.receivePublish();
            trouble.shouldHaveHurtNobodyElse();
        }
    }

    @Test
    void shouldHoldThePublisherBackAndThenRefuse() {
        try (Trouble trouble = new Trouble(limits(FullBehavior.BACKPRESSURE, 0));
                RawClient slow = RawClient.connected(trouble.port(), "slow");
                RawClient publisher = RawClient.connected(trouble.port(), "publisher")) {
            slow.subscribe("news", QualityOfService.AT_LEAST_ONCE);
            for (int i = 1; i <= MAX_MESSAGES; i++) {
                assertThat(publish(publisher, i)).isEqualTo(ReasonCode.SUCCESS);
            }
            publisher.send(news(101));
            publisher.send(news(102));
            publisher.expectNothing();
            trouble.bystander.shouldBeServed();

            slow.send(new PubAck(slow.receivePublish().packetId()));
            assertThat(publisher.receive(PubAck.class).packetId()).isEqualTo(101);
            trouble.broker.advance(Duration.ofSeconds(11));

            PubAck refused = publisher.receive(PubAck.class);
            assertThat(refused.packetId()).isEqualTo(102);
            assertThat(refused.reasonCode()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
            trouble.shouldHaveHurtNobodyElse();
        }
    }

    @Test
    void shouldDisconnectAClientThatNeverAcknowledges() {
        try (Trouble trouble = new Trouble(limits(FullBehavior.DISCARD_OLD_MESSAGES, 2));
                RawClient never = new RawClient(trouble.port(), ProtocolVersion.V5);
                RawClient publisher = RawClient.connected(trouble.port(), "publisher")) {
            never.connect(Connect.builder("never").receiveMaximum(10).build());
            never.subscribe("news", QualityOfService.AT_LEAST_ONCE);
            for (int i = 1; i <= 4 * MAX_MESSAGES; i++) {
                assertThat(publish(publisher, i)).isIn(ReasonCode.SUCCESS, ReasonCode.NO_MATCHING_SUBSCRIBERS);
            }

            trouble.broker.awaitCount(Counter.NEVER_ACKNOWLEDGING_CONSUMERS, 1);
            Packet last = never.receive();
            while (last instanceof Publish) {
                last = never.receive();
            }
            assertThat(last).isInstanceOf(Disconnect.class);
            assertThat(((Disconnect) last).reasonCode()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
            never.expectClosed();
            trouble.shouldHaveHurtNobodyElse();
        }
    }

    private static void fill(Trouble trouble, RawClient publisher, Counter until) {
        Publish large = new Publish("news", QualityOfService.AT_MOST_ONCE, false, 0, LARGE);
        Publish[] batch = new Publish[64];
        Arrays.fill(batch, large);
        Awaitility.await().until(() -> {
            publisher.send(batch);
            publisher.expectNothing();
            return trouble.broker.count(until) > 0;
        });
    }

    private static void flood(RawClient client, byte[] bytes) {
        try {
            while (true) {
                client.socket().getOutputStream().write(bytes);
            }
        } catch (IOException e) {
            // the broker has had enough, which is what the test waits for
        }
    }

    /** Waits until the broker takes nothing more. */
    private static void awaitStandstill(Trouble trouble) {
        long[] before = {-1};
        Awaitility.await()
                .atMost(Duration.ofSeconds(40))
                .pollInterval(Duration.ofMillis(300))
                .until(() -> {
                    long now = trouble.broker.count(Counter.BYTES_RECEIVED);
                    boolean still = now == before[0];
                    before[0] = now;
                    return still && now > 1 << 20;
                });
    }

    /** Minutes without a byte read: more than one, as the operating system may still have taken some in the first. */
    private static void awaitStalled(Trouble trouble) {
        Awaitility.await().until(() -> {
            trouble.broker.settle();
            trouble.broker.advance(Duration.ofSeconds(61));
            return trouble.broker.count(Counter.STALLED_CONSUMERS) == 1;
        });
    }

    private static ReasonCode publish(RawClient publisher, int packetId) {
        publisher.send(news(packetId));
        return publisher.receive(PubAck.class).reasonCode();
    }

    private static Publish news(int packetId) {
        return new Publish("news", QualityOfService.AT_LEAST_ONCE, false, packetId, new byte[10]);
    }

    private static BrokerOptions limits(FullBehavior behavior, int neverAcknowledgingMultiple) {
        BrokerOptions defaults = BrokerOptions.DEFAULT;
        return new BrokerOptions(
                new QueueLimits(MAX_MESSAGES, 0, behavior),
                defaults.overlap(),
                defaults.topicLevelsMax(),
                defaults.retainedCountMax(),
                defaults.routeCacheCapacity(),
                defaults.backpressureMaxMs(),
                neverAcknowledgingMultiple);
    }
}
