package dev.avocet.core.topic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The retained messages beside a map that is searched from end to end. */
class RetainedMessagesPropertyTest {
    @ParameterizedTest
    @ValueSource(longs = {41, 42, 43})
    void shouldDoWhatAMapWould(long seed) {
        // given
        SplittableRandom choices = new SplittableRandom(seed);
        RandomTopics random = new RandomTopics(choices.split());
        RetainedMessages retained = new RetainedMessages(Integer.MAX_VALUE);
        RetainedExpirySweep sweep = retained.expirySweep();
        Map<TopicName, Message> expected = new HashMap<>();

        for (int nowNs = 0; nowNs < 1_500; nowNs++) {
            // when
            TopicName topic = random.name();
            if (choices.nextInt(4) == 0) {
                retained.remove(topic);
                expected.remove(topic);
            } else {
                long deadlineNs = choices.nextInt(3) == 0 ? nowNs + 1 + choices.nextInt(300) : Message.NEVER;
                Message message = message(topic, choices.nextInt(5), deadlineNs);
                retained.store(message);
                expected.put(topic, message);
                if (message.payload().length == 0) {
                    expected.remove(topic);
                }
            }
            if (choices.nextInt(10) == 0) {
                sweep.step(nowNs, 50);
            }

            // then
            assertSameMatches(retained, expected, random.filter(), nowNs);
        }
        List<TopicName> left = new ArrayList<>();
        retained.forEach(message -> left.add(message.topic()));
        left.forEach(retained::remove);
        assertThat(retained.isEmpty()).isTrue();
        assertThat(retained.count()).isZero();
        assertThat(retained.sizeBytes()).isZero();
    }

    @Test
    void shouldCountRightWhenThreadsMeet() throws InterruptedException, ExecutionException {
        // given room for three of four topics
        RetainedMessages retained = new RetainedMessages(3);
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            // when
            List<Future<?>> runs = new ArrayList<>();
            for (int seed = 51; seed <= 53; seed++) {
                SplittableRandom choices = new SplittableRandom(seed);
                runs.add(threads.submit(() -> storeAndRemove(retained, choices)));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            threads.shutdownNow();
        }

        // then
        List<Message> left = new ArrayList<>();
        retained.forEach(left::add);
        assertThat(retained.count()).isEqualTo(left.size()).isLessThanOrEqualTo(3);
        assertThat(retained.sizeBytes())
                .isEqualTo(left.stream().mapToLong(Message::sizeBytes).sum());
        left.forEach(message -> assertThat(retained.remove(message.topic())).isTrue());
        assertThat(retained.isEmpty()).isTrue();
    }

    private static void storeAndRemove(RetainedMessages retained, SplittableRandom choices) {
        for (int i = 0; i < 60_000; i++) {
            TopicName topic = TopicName.of("a/" + choices.nextInt(2) + "/" + choices.nextInt(2));
            retained.store(message(topic, choices.nextInt(4), choices.nextInt(4) == 0 ? i : Message.NEVER));
            if (choices.nextInt(20) == 0) {
                retained.find(TopicFilter.of("a/+/1"), i, message -> {});
            }
            if (retained.count() > 3) {
                throw new AssertionError("beyond the bound");
            }
        }
    }

    private static void assertSameMatches(
            RetainedMessages retained, Map<TopicName, Message> all, TopicFilter filter, long nowNs) {
        List<String> found = new ArrayList<>();
        retained.find(filter, nowNs, message -> found.add(name(message)));
        List<String> expected = new ArrayList<>();
        for (Message message : all.values()) {
            if (!message.isExpired(nowNs)
                    && NaiveMatcher.matches(filter.text(), message.topic().text())) {
                expected.add(name(message));
            }
        }
        found.sort(null);
        expected.sort(null);
        if (!found.equals(expected)) {
            assertThat(found).as("matches of %s", filter).isEqualTo(expected);
        }
    }

    private static String name(Message message) {
        return message.topic() + " " + System.identityHashCode(message);
    }

    private static Message message(TopicName topic, int payloadLength, long expiryDeadlineNs) {
        return new Message(
                topic,
                QualityOfService.AT_MOST_ONCE,
                true,
                new byte[payloadLength],
                MessageProperties.NONE,
                expiryDeadlineNs,
                "publisher");
    }
}
