package dev.avocet.mqtt.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.mqtt.admission.MqttOptions;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All clients are cut off at once and come back at once, through whichever loop accepts them. Each had a message that
 * it did not acknowledge and missed another while it was away.
 */
class ReconnectStormTest {
    private static final int THREADS = 4;
    private static final int SESSION_EXPIRY_SECONDS = 3_600;
    private static final int WINDOW = 100;

    private final Clock clock = new SystemClock();

    @Test
    void shouldResumeFiveHundredSessions() {
        storm(500);
    }

    @Test
    @Tag("soak")
    void shouldResumeFiveThousandSessions() {
        storm(5_000);
    }

    private void storm(int count) {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (TestBroker broker = TestBroker.with(MqttTestBroker.mqtt(MqttOptions.DEFAULT))
                        .loops(2)
                        .start();
                RawClient publisher = RawClient.connected(broker.port(), "publisher")) {
            // given
            List<RawClient> before = inParallel(threads, count, i -> subscribed(broker.port(), i));
            publishToEach(publisher, count, "unacknowledged");
            before.forEach(RawClient::receivePublish); // else it might not have been sent yet, and not be a repetition
            before.forEach(RawClient::drop);
            publishToEach(publisher, count, "missed");

            // when
            long fromNs = clock.nanoTime();
            List<RawClient> after = inParallel(threads, count, i -> resumed(broker.port(), i));
            double seconds = (clock.nanoTime() - fromNs) / 1e9;

            // then
            System.out.printf("%d sessions resumed, each with two messages, in %.2f s%n", count, seconds);
            after.forEach(RawClient::expectNothing);
            assertThat(broker.count(Counter.SESSIONS)).isEqualTo(count + 1L);
            assertThat(broker.count(Counter.BUFFERED_MESSAGES)).isZero();
            after.forEach(RawClient::close);
        } finally {
            threads.shutdownNow();
        }
    }

    private static RawClient subscribed(int port, int number) {
        RawClient client = new RawClient(port, ProtocolVersion.V5);
        assertThat(client.connect(connect(number)).sessionPresent()).isFalse();
        client.subscribe("devices/" + number, QualityOfService.AT_LEAST_ONCE);
        return client;
    }

    private static RawClient resumed(int port, int number) {
        RawClient client = new RawClient(port, ProtocolVersion.V5);
        ConnAck answer = client.connect(connect(number));
        assertThat(answer.reasonCode()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(answer.sessionPresent()).as("session of client %d", number).isTrue();
        acknowledge(client, "unacknowledged", true);
        acknowledge(client, "missed", false);
        return client;
    }

    private static void acknowledge(RawClient client, String text, boolean isRepeated) {
        Publish publish = client.receivePublish();
        assertThat(new String(publish.payload(), StandardCharsets.UTF_8)).isEqualTo(text);
        if (isRepeated) {
            assertThat(publish.dup()).isTrue();
        }
        client.send(new PubAck(publish.packetId()));
    }

    private static Connect connect(int number) {
        return Connect.builder("device-" + number)
                .cleanStart(false)
                .sessionExpiryIntervalSeconds(SESSION_EXPIRY_SECONDS)
                .build();
    }

    private static void publishToEach(RawClient publisher, int count, String text) {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < count + WINDOW; i++) {
            if (i >= WINDOW) {
                assertThat(publisher.receive(PubAck.class).reasonCode()).isEqualTo(ReasonCode.SUCCESS);
            }
            if (i < count) {
                publisher.send(new Publish("devices/" + i, QualityOfService.AT_LEAST_ONCE, false, i + 1, payload));
            }
        }
    }

    private static List<RawClient> inParallel(ExecutorService threads, int count, IntFunction<RawClient> action) {
        List<CompletableFuture<RawClient>> all = IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> action.apply(i), threads))
                .toList();
        return all.stream().map(CompletableFuture::join).toList();
    }
}
