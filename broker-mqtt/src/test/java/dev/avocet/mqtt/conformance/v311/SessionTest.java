package dev.avocet.mqtt.conformance.v311;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.conformance.Proves;
import dev.avocet.mqtt.packet.ConnAck;
import dev.avocet.mqtt.packet.Disconnect;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubComp;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.PubRel;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Sessions: sections 3.1.2.4, 3.2.2.2, 4.1, 4.4 and 4.5. */
class SessionTest extends V311Test {
    @Test
    @Proves({"MQTT311-3.2.2-1", "MQTT311-3.2.2-2", "MQTT311-3.2.2-3"})
    void shouldSayWhetherASessionIsPresent() {
        assertThat(reconnect(true).sessionPresent()).isFalse(); // clean, none there
        assertThat(reconnect(false).sessionPresent()).isFalse(); // none there
        assertThat(reconnect(false).sessionPresent()).isTrue();
        assertThat(reconnect(true).sessionPresent()).isFalse(); // clean, although one was there
        assertThat(reconnect(false).sessionPresent()).isFalse(); // which is gone now
    }

    private ConnAck reconnect(boolean clean) {
        RawClient client = client();
        ConnAck answer = client.connect(connect("client").cleanStart(clean).build());
        client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        client.expectClosed();
        return answer;
    }

    @Test
    @Proves({
        "MQTT311-3.1.2-4",
        "MQTT311-3.1.2-5",
        "MQTT311-3.1.3-2",
        "MQTT311-3.1.4-3",
        "MQTT311-4.1.0-1",
        "MQTT311-4.5.0-1"
    })
    void shouldKeepMessagesForASessionWithoutAConnection() {
        RawClient client = resumed("client");
        client.subscribe("t", EXACTLY_ONCE);
        leave(client);
        publishSafely("t", "one");
        RawClient publisher = connected("publisher");
        publisher.send(publish("t", EXACTLY_ONCE, 9, "two"));
        publisher.receive(PubRec.class);
        broker.advance(Duration.ofDays(30));

        RawClient again = resumed("client");

        assertThat(text(again.receivePublish())).isEqualTo("one");
        assertThat(text(again.receivePublish())).isEqualTo("two");
        again.expectNothing();
    }

    @Test
    @Proves({"MQTT311-3.1.2-6", "MQTT311-3.1.4-3"})
    void shouldForgetEverythingForACleanSession() {
        RawClient client = resumed("client");
        client.subscribe("t", EXACTLY_ONCE);
        leave(client);
        publishSafely("t", "waiting");

        RawClient clean = connected("client");
        clean.subscribe("clean", AT_LEAST_ONCE);
        publishSafely("t", "later");
        clean.expectNothing();
        leave(clean);
        publishSafely("clean", "waiting");

        RawClient last = resumed("client");
        last.expectNothing();
    }

    @Test
    @Proves("MQTT311-3.1.2-7")
    void shouldKeepRetainedMessagesWhenTheirPublishersSessionEnds() {
        RawClient publisher = connected("publisher");
        publisher.send(retained("t", AT_LEAST_ONCE, 1, "kept"));
        publisher.receive(PubAck.class);
        leave(publisher);
        broker.advance(Duration.ofDays(1));

        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", AT_MOST_ONCE);

        assertThat(text(subscriber.receivePublish())).isEqualTo("kept");
    }

    @Test
    @Proves("MQTT311-4.1.0-2")
    void shouldKeepASessionAsLongAsItsConnection() {
        RawClient client = connected("client");
        client.subscribe("t", AT_LEAST_ONCE);

        broker.advance(Duration.ofDays(365));
        publishSafely("t", "late");

        assertThat(text(client.receivePublish())).isEqualTo("late");
    }

    @Test
    @Proves({
        "MQTT311-4.4.0-1",
        "MQTT311-3.3.1-1",
        "MQTT311-4.6.0-1",
        "MQTT311-4.1.0-1",
        "MQTT311-4.3.2-1",
        "MQTT311-4.3.3-1"
    })
    void shouldResendInOrderWithTheOldIdentifiers() {
        RawClient client = resumed("client");
        client.subscribe("t", EXACTLY_ONCE);
        RawClient publisher = connected("publisher");
        int[] packetIds = new int[10];
        for (int i = 0; i < packetIds.length; i++) {
            publisher.send(publish("t", i % 2 == 0 ? AT_LEAST_ONCE : EXACTLY_ONCE, i + 1, "m" + i));
            packetIds[i] = client.receivePublish().packetId();
        }
        client.send(new PubAck(packetIds[4]));
        client.expectNothing();
        client.drop();

        RawClient again = resumed("client");

        for (int i = 0; i < packetIds.length; i++) {
            if (i != 4) {
                Publish resent = again.receivePublish();
                assertThat(text(resent)).isEqualTo("m" + i);
                assertThat(resent.packetId()).isEqualTo(packetIds[i]);
                assertThat(resent.dup()).isTrue();
            }
        }
        again.expectNothing();
    }

    @Test
    @Proves({"MQTT311-4.4.0-1", "MQTT311-4.3.3-1"})
    void shouldResendPubRelAndNotThePublish() {
        RawClient client = resumed("client");
        client.subscribe("t", EXACTLY_ONCE);
        RawClient publisher = connected("publisher");
        publisher.send(publish("t", EXACTLY_ONCE, 1, "x"));
        int packetId = client.receivePublish().packetId();
        client.send(new PubRec(packetId));
        client.receive(PubRel.class);
        client.drop();

        RawClient again = resumed("client");

        assertThat(again.receive(PubRel.class).packetId()).isEqualTo(packetId);
        again.expectNothing();
        again.send(new PubComp(packetId));
        again.expectNothing();
    }

    @Test
    @Proves({"MQTT311-4.1.0-1", "MQTT311-4.3.3-2"})
    void shouldRememberUnreleasedPublishesAcrossConnections() {
        RawClient subscriber = connected("subscriber");
        subscriber.subscribe("t", AT_MOST_ONCE);
        RawClient publisher = resumed("publisher");
        publisher.send(publish("t", EXACTLY_ONCE, 7, "once"));
        publisher.receive(PubRec.class);
        publisher.drop();

        RawClient again = resumed("publisher");
        again.send(dup(publish("t", EXACTLY_ONCE, 7, "once")));

        assertThat(again.receive(PubRec.class).packetId()).isEqualTo(7);
        assertThat(text(subscriber.receivePublish())).isEqualTo("once");
        subscriber.expectNothing();
        again.send(new PubRel(7));
        assertThat(again.receive(PubComp.class).packetId()).isEqualTo(7);
    }

    private static void leave(RawClient client) {
        client.send(new Disconnect(ReasonCode.NORMAL_DISCONNECTION));
        client.expectClosed();
    }
}
