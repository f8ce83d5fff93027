package dev.avocet.mqtt.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.metrics.Counter;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.Packet;
import dev.avocet.mqtt.packet.PingReq;
import dev.avocet.mqtt.packet.ProtocolVersion;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.Subscribe;
import dev.avocet.mqtt.packet.TopicSubscription;
import dev.avocet.mqtt.packet.Unsubscribe;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.mqtt.testing.WebSocketClient;
import dev.avocet.testkit.turn.InTurn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are: the broker lives, closes or answers, and loses nothing. The seed is in each failure. */
@InTurn
class RandomBytesTest {
    private static final int CONNECTIONS = 1_000;
    private static final byte[] UPGRADE =
            (WebSocketClient.UPGRADE + "Sec-WebSocket-Protocol: mqtt\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONNECT =
            WebSocketClient.encode(Connect.builder("fuzz").build());
    private static final Packet[] VALID = {
        new Publish("fuzz/a", QualityOfService.AT_MOST_ONCE, false, 0, new byte[20]),
        new Publish("fuzz/b", QualityOfService.AT_LEAST_ONCE, true, 5, new byte[5]),
        new Publish("fuzz/c", QualityOfService.EXACTLY_ONCE, false, 6, new byte[300]),
        new Subscribe(7, new TopicSubscription("fuzz/#", QualityOfService.EXACTLY_ONCE)),
        new Subscribe(8, new TopicSubscription("$share/g/fuzz/+", QualityOfService.AT_LEAST_ONCE)),
        new Unsubscribe(9, "fuzz/#"),
        new PubAck(5),
        new PubRel(6),
        PingReq.INSTANCE
    };

    @Test
    void shouldSurviveRandomBytesFromTheBeginning() {
        fuzz(random -> random(random, 1 + random.nextInt(200)));
    }

    @Test
    void shouldSurviveAConnectWithChangedBytes() {
        fuzz(random -> mutated(random, CONNECT));
    }

    @Test
    void shouldSurviveRandomBytesAfterConnect() {
        fuzz(random -> joined(CONNECT, random(random, 1 + random.nextInt(200))));
    }

    @Test
    void shouldSurviveChangedPacketsAfterConnect() {
        fuzz(random -> {
            byte[] packets = CONNECT;
            for (int i = random.nextInt(6); i >= 0; i--) {
                packets = joined(packets, WebSocketClient.encode(VALID[random.nextInt(VALID.length)]));
            }
            return joined(CONNECT, mutated(random, Arrays.copyOfRange(packets, CONNECT.length, packets.length)));
        });
    }

    @Test
    void shouldSurviveRandomBytesAfterAnUpgrade() {
        fuzz(random -> joined(UPGRADE, random(random, 1 + random.nextInt(200))));
    }

    @Test
    void shouldSurviveAChangedUpgradeAndChangedFrames() {
        byte[] frames = WebSocketClient.frame(true, WebSocketClient.BINARY, CONNECT);
        fuzz(random -> random.nextBoolean()
                ? mutated(random, joined(UPGRADE, frames))
                : joined(UPGRADE, mutated(random, joined(frames, frames))));
    }

    private static void fuzz(Function<Random, byte[]> input) {
        try (Trouble trouble = new Trouble()) {
            for (int seed = 0; seed < CONNECTIONS; seed++) {
                send(trouble, input.apply(new Random(seed)), seed);
                if (seed % 100 == 0) {
                    trouble.bystander.shouldBeServed();
                }
            }
            trouble.broker.awaitCount(Counter.CONNECTIONS_ACTIVE, 1);
            trouble.broker.awaitCount(Counter.SESSIONS_CONNECTED, 1);
            assertThat(trouble.broker.guard().openCount()).isEqualTo(1);
            trouble.shouldHaveHurtNobodyElse();
        }
    }

    /** Half of the clients leave politely and half by a reset; both after what they sent, all of which is read. */
    private static void send(Trouble trouble, byte[] bytes, int seed) {
        RawClient client = new RawClient(trouble.port(), ProtocolVersion.V5);
        try {
            client.sendBytes(bytes);
            if (seed % 2 == 0) {
                client.socket().shutdownOutput();
                while (client.socket().getInputStream().read() >= 0) {}
            }
        } catch (IOException | UncheckedIOException e) {
            assertThat(e).as("seed " + seed).hasMessageNotContaining("timed out");
        } finally {
            client.drop();
        }
    }

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** With some bytes changed, and perhaps an end missing. */
    private static byte[] mutated(Random random, byte[] valid) {
        byte[] bytes = valid.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length)) : bytes;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }
}
