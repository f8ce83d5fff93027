package dev.avocet.amqp.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class EncodedForeignTest {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final ManualClock clock = new ManualClock();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, clock, new MemoryGuard());
    private final EncodedForeign encoded = new EncodedForeign();

    @Test
    void shouldEncodeAMessageForManyReceiversOnce() {
        Message message = message(Message.NEVER);

        byte[] first = encoded.of(message, loop);

        assertThat(encoded.of(message, loop)).isSameAs(first);
        assertThat(encoded.of(message(Message.NEVER), loop)).isNotSameAs(first).isEqualTo(first);
    }

    @Test
    void shouldForgetItAtTheEndOfTheBatch() {
        Message message = message(Message.NEVER);
        byte[] first = encoded.of(message, loop);

        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }

        assertThat(encoded.of(message, loop)).isNotSameAs(first).isEqualTo(first);
    }

    @Test
    void shouldSayEachTimeHowLongAMessageHasToLive() {
        Message message = message(clock.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        byte[] first = encoded.of(message, loop);

        clock.advance(Duration.ofSeconds(10));

        assertThat(encoded.of(message, loop)).isNotEqualTo(first);
    }

    private static Message message(long deadlineNs) {
        return new Message(
                TopicName.of("news"),
                QualityOfService.AT_LEAST_ONCE,
                false,
                new byte[] {1, 2, 3},
                MessageProperties.NONE,
                deadlineNs,
                "publisher");
    }
}
