package dev.avocet.amqp.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.transfer.Payload;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.testkit.ManualClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class EncodedForeignTest {
    private static final byte[] BYTES = {1, 2, 3};

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final ManualClock clock = new ManualClock();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, clock, new MemoryGuard());
    private final EncodedForeign encoded = new EncodedForeign();

    @Test
    void shouldEncodeAMessageForManyReceiversOnce() {
        Message message = message(Message.NEVER);

        Payload first = encoded.of(message, loop);

        assertThat(encoded.of(message, loop)).isSameAs(first);
        Payload next = encoded.of(message(Message.NEVER), loop);
        assertThat(next).isNotSameAs(first);
        assertThat(bytes(next)).isEqualTo(bytes(first));
    }

    @Test
    void shouldForgetItAtTheEndOfTheBatch() {
        Message message = message(Message.NEVER);
        Payload first = encoded.of(message, loop);

        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }

        Payload again = encoded.of(message, loop);
        assertThat(again).isNotSameAs(first);
        assertThat(bytes(again)).isEqualTo(bytes(first));
    }

    @Test
    void shouldSayEachTimeHowLongAMessageHasToLive() {
        Message message = message(clock.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        Payload first = encoded.of(message, loop);

        clock.advance(Duration.ofSeconds(10));

        assertThat(bytes(encoded.of(message, loop))).isNotEqualTo(bytes(first));
    }

    @Test
    void shouldGiveEachMessageTheHeadOfItsOwnTopicAndKind() {
        // given: more topics than heads are kept of, one of them with a name that is too long for that
        List<TopicName> topics = new ArrayList<>(List.of(TopicName.of("far/" + "a".repeat(1_000))));
        for (int i = 0; i < 3_000; i++) {
            topics.add(TopicName.of("devices/" + i));
        }

        for (int round = 0; round < 2; round++) {
            for (TopicName topic : topics) {
                for (Message message : alike(topic)) {
                    // when
                    byte[] sent = bytes(encoded.of(message, loop));

                    // then it is what is encoded without a memory
                    assertThat(sent).isEqualTo(OutgoingMessage.encode(message, 0, null, 0));
                }
            }
        }
    }

    /** Messages to a topic that differ in all that a head tells, and in how long their bodies are. */
    private static List<Message> alike(TopicName topic) {
        return List.of(
                message(topic, false, QualityOfService.AT_MOST_ONCE, false, BYTES),
                message(topic, false, QualityOfService.AT_LEAST_ONCE, false, new byte[256]),
                message(topic, false, QualityOfService.EXACTLY_ONCE, true, BYTES),
                message(topic, true, QualityOfService.AT_LEAST_ONCE, false, BYTES),
                message(topic, false, QualityOfService.AT_MOST_ONCE, false, text("21.5")),
                message(topic, false, QualityOfService.AT_MOST_ONCE, true, text("a".repeat(255))),
                message(topic, false, QualityOfService.AT_MOST_ONCE, false, text("")));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Payload payload) {
        ByteBuf out = Unpooled.buffer();
        payload.write(0, payload.bytes(), out);
        return ByteBufUtil.getBytes(out);
    }

    private static Message message(long deadlineNs) {
        return new Message(
                TopicName.of("news"),
                QualityOfService.AT_LEAST_ONCE,
                false,
                BYTES,
                MessageProperties.NONE,
                deadlineNs,
                "publisher");
    }

    private static Message message(
            TopicName topic, boolean forQueue, QualityOfService qos, boolean retain, byte[] payload) {
        return new Message(topic, forQueue, qos, retain, payload, MessageProperties.NONE, Message.NEVER, "publisher");
    }
}
