package dev.avocet.mqtt.conformance.v311;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Section 3.3.1.3: retained messages. */
class RetainTest extends V311Test {
    @Test
    @Proves({"MQTT311-3.3.1-5", "MQTT311-3.3.1-6", "MQTT311-3.3.1-8"})
    void shouldSendTheLastRetainedMessageOfEachMatchingTopic() {
        publishSafely(retained("a/1", AT_LEAST_ONCE, 1, "old"));
        publishSafely(retained("a/1", AT_LEAST_ONCE, 1, "new"));
        publishSafely(retained("a/2", AT_LEAST_ONCE, 1, "two"));
        publishSafely(retained("b", AT_LEAST_ONCE, 1, "other"));
        RawClient subscriber = connected("subscriber");

        subscriber.subscribe("a/+", EXACTLY_ONCE);

        List<String> received = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Publish delivered = subscriber.receivePublish();
            assertThat(delivered.retain()).isTrue();
            assertThat(delivered.qos()).isEqualTo(AT_LEAST_ONCE);
            received.add(delivered.topic() + "=" + text(delivered));
        }
        assertThat(received).containsExactlyInAnyOrder("a/1=new", "a/2=two");
        subscriber.expectNothing();
    }

    @Test
    @Proves("MQTT311-3.3.1-7")
    void shouldReplaceTheRetainedMessageAtQosZero() {
        publishSafely(retained("t", AT_LEAST_ONCE, 1, "old"));
        RawClient publisher = connected("publisher");
        publisher.send(retained("t", AT_MOST_ONCE, 0, "new"));
        publisher.expectNothing();
        RawClient subscriber = connected("subscriber");

        subscriber.subscribe("t", EXACTLY_ONCE);

        assertThat(text(subscriber.receivePublish())).isEqualTo("new");
        subscriber.expectNothing();
    }

    @Test
    @Proves("MQTT311-3.3.1-9")
    void shouldClearRetainForEstablishedSubscriptions() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", EXACTLY_ONCE);

        publishSafely(retained("t", AT_LEAST_ONCE, 1, "x"));

        assertThat(subscriber.receivePublish().retain()).isFalse();
    }

    @Test
    @Proves({"MQTT311-3.3.1-10", "MQTT311-3.3.1-11"})
    void shouldRemoveTheRetainedMessageWhenAnEmptyOneComes() {
        publishSafely(retained("t", AT_LEAST_ONCE, 1, "x"));
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", AT_MOST_ONCE);
        assertThat(text(subscriber.receivePublish())).isEqualTo("x");

        publishSafely(retained("t", AT_LEAST_ONCE, 1, ""));

        Publish empty = subscriber.receivePublish();
        assertThat(empty.payload()).isEmpty();
        assertThat(empty.retain()).isFalse();
        RawClient later = connected("later");
        later.subscribe("t", AT_MOST_ONCE);
        later.expectNothing();
    }

    @Test
    @Proves("MQTT311-3.3.1-12")
    void shouldNeitherStoreNorReplaceWithoutRetain() {
        publishSafely(retained("t", AT_LEAST_ONCE, 1, "retained"));
        publishSafely("t", "passing");
        publishSafely("u", "passing");
        publishSafely("t", "");
        RawClient subscriber = connected("subscriber");

        subscriber.subscribe("+", AT_MOST_ONCE);

        assertThat(text(subscriber.receivePublish())).isEqualTo("retained");
        subscriber.expectNothing();
    }
}
