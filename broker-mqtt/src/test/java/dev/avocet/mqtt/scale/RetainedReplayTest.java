package dev.avocet.mqtt.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.testing.MqttTestBroker;
import dev.avocet.mqtt.testing.RawClient;
import dev.avocet.testkit.TestBroker;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A new subscription to everything, while others of the same loop want to be served. */
class RetainedReplayTest {
    private static final long LONGEST_HOLD_MS = 50;
    /** Of code that is not compiled yet, on a processor that others use as well; the whole takes half a second. */
    private static final long LONGEST_COLD_HOLD_MS = 150;

    @ParameterizedTest
    @EnumSource(names = {"AT_MOST_ONCE", "AT_LEAST_ONCE"})
    void shouldReplayTenThousandTopics(QualityOfService qos) throws InterruptedException {
        replay(10_000, qos, LONGEST_COLD_HOLD_MS);
    }

    @ParameterizedTest
    @EnumSource(names = {"AT_MOST_ONCE", "AT_LEAST_ONCE"})
    @Tag("soak")
    void shouldReplayAHundredThousandTopics(QualityOfService qos) throws InterruptedException {
        replay(100_000, qos, LONGEST_HOLD_MS);
    }

    private static void replay(int count, QualityOfService qos, long longestHoldMs) throws InterruptedException {
        try (TestBroker broker = MqttTestBroker.start();
                RawClient subscriber = RawClient.connected(broker.port(), "subscriber");
                PingPong beside = PingPong.beside(broker)) {
            // given
            for (int i = 0; i < count; i++) {
                assertThat(broker.broker().retained().store(retained(i))).isTrue();
            }
            beside.start();

            // when
            subscriber.subscribe("devices/#", qos);
            Set<String> topics = new HashSet<>();
            for (int i = 0; i < count; i++) {
                Publish publish = subscriber.receivePublish();
                assertThat(publish.retain()).isTrue();
                topics.add(publish.topic());
                if (qos == QualityOfService.AT_LEAST_ONCE) {
                    subscriber.send(new PubAck(publish.packetId()));
                }
            }

            // then
            assertThat(topics).hasSize(count);
            subscriber.expectNothing();
            PingPong.Longest longest = beside.stop();
            System.out.printf("%d retained messages at %s: %s%n", count, qos, longest);
            assertThat(longest.loopCpuMs())
                    .as("milliseconds of the loop's own time before an answer")
                    .isLessThanOrEqualTo(longestHoldMs);
        }
    }

    private static Message retained(int number) {
        return new Message(
                TopicName.of("devices/" + number / 100 + "/" + number % 100 + "/state"),
                QualityOfService.AT_LEAST_ONCE,
                true,
                Integer.toString(number).getBytes(StandardCharsets.US_ASCII),
                MessageProperties.NONE,
                Message.NEVER,
                "publisher");
    }
}
