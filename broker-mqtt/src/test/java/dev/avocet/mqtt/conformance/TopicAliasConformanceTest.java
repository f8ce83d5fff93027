package dev.avocet.mqtt.conformance;

import static dev.avocet.core.message.QualityOfService.AT_LEAST_ONCE;
import static dev.avocet.core.message.QualityOfService.AT_MOST_ONCE;
import static dev.avocet.core.message.QualityOfService.EXACTLY_ONCE;
import static dev.avocet.mqtt.packet.Publish.NO_ALIAS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.PubAck;
import dev.avocet.mqtt.packet.PubRec;
import dev.avocet.mqtt.packet.Publish;
import dev.avocet.mqtt.packet.ReasonCode;
import dev.avocet.mqtt.testing.RawClient;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topic aliases, in both directions. */
class TopicAliasConformanceTest extends ConformanceTest {
    @Test
    @Proves("MQTT-3.3.2-12")
    void shouldTakeEveryAliasUpToItsMaximum() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic + "/+", AT_MOST_ONCE);
        RawClient publisher = open();
        int maximum =
                publisher.connect(Connect.builder(fresh("client")).build()).topicAliasMaximum();
        assertThat(maximum).isPositive();

        for (int alias = 1; alias <= maximum; alias++) {
            publisher.send(aliased(message("t", AT_MOST_ONCE, "named"), topic + '/' + alias, alias));
        }
        for (int alias = maximum; alias >= 1; alias--) {
            publisher.send(aliased(message("t", AT_MOST_ONCE, "aliased"), "", alias));
        }

        for (int alias = 1; alias <= maximum; alias++) {
            assertThat(subscriber.receivePublish().topic()).isEqualTo(topic + '/' + alias);
        }
        for (int alias = maximum; alias >= 1; alias--) {
            assertThat(subscriber.receivePublish().topic()).isEqualTo(topic + '/' + alias);
        }
    }

    @Test
    @Proves("MQTT-3.3.2-12")
    void shouldChangeWhatAnAliasMeans() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic + "/+", AT_MOST_ONCE);
        RawClient publisher = client();

        publisher.send(aliased(message("t", AT_MOST_ONCE, ""), topic + "/old", 1));
        publisher.send(aliased(message("t", AT_MOST_ONCE, ""), topic + "/new", 1));
        publisher.send(aliased(message("t", AT_MOST_ONCE, ""), "", 1));

        subscriber.receivePublish();
        subscriber.receivePublish();
        assertThat(subscriber.receivePublish().topic()).isEqualTo(topic + "/new");
    }

    @Test
    @Proves("MQTT-3.3.2-12")
    void shouldRefuseAnAliasAboveItsMaximum() {
        RawClient client = open();
        int maximum = client.connect(Connect.builder(fresh("client")).build()).topicAliasMaximum();

        client.send(aliased(message("t", AT_MOST_ONCE, ""), "topic", maximum + 1));

        expectDisconnect(client, ReasonCode.TOPIC_ALIAS_INVALID);
    }

    @Test
    @Proves("MQTT-3.3.2-8")
    void shouldRefuseAliasZero() {
        RawClient client = client();

        client.sendBytes(RawPacket.of(0x30).utf8("topic").bytes(3, 0x23, 0, 0).toBytes());

        expectDisconnect(client, ReasonCode.TOPIC_ALIAS_INVALID);
    }

    @Test
    @Proves("MQTT-3.3.2-7")
    void shouldForgetAliasesWithTheConnection() {
        String id = fresh("client");
        RawClient before = persistent(id);
        publishTo(before, aliased(message("t", AT_MOST_ONCE, ""), "topic", 1));
        leave(before);
        RawClient after = resumed(id);

        after.send(aliased(message("t", AT_MOST_ONCE, ""), "", 1));

        expectDisconnect(after, ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    @Proves("MQTT-3.3.2-7")
    void shouldNotMixUpTheAliasesOfTheTwoDirections() {
        String topic = fresh("topic");
        RawClient client = connected(Connect.builder(fresh("client")).topicAliasMaximum(4));
        client.subscribe(topic + "/#", AT_MOST_ONCE);
        publish(topic + "/theirs", AT_MOST_ONCE, "");
        assertThat(client.receivePublish().topicAlias()).isEqualTo(1);

        client.send(aliased(message("t", AT_MOST_ONCE, ""), topic + "/ours", 1));
        assertThat(client.receivePublish().topic()).isEqualTo(topic + "/ours");
        publish(topic + "/theirs", AT_MOST_ONCE, "");

        Publish again = client.receivePublish();
        assertThat(again.topic()).isEmpty();
        assertThat(again.topicAlias()).isEqualTo(1);
    }

    @Test
    @Proves({"MQTT-3.3.2-12", "MQTT-4.3.3-10"})
    void shouldLearnAnAliasFromAMessageThatItHasAlready() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = persistent(id);
        before.send(message(topic, EXACTLY_ONCE, "once"));
        before.receive(PubRec.class);
        lose(before);
        RawClient after = resumed(id);

        after.send(again(aliased(message(topic, EXACTLY_ONCE, "once"), topic, 1)));
        after.receive(PubRec.class);
        after.send(aliased(message(topic, AT_LEAST_ONCE, "next"), "", 1));

        after.receive(PubAck.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @Proves({"MQTT-3.1.2-26", "MQTT-3.3.2-11", "MQTT-3.3.2-10"})
    void shouldUseAliasesUpToTheClientsMaximum(int maximum) {
        String topic = fresh("topic");
        RawClient subscriber = connected(Connect.builder(fresh("client")).topicAliasMaximum(maximum));
        subscriber.subscribe(topic + "/+", AT_MOST_ONCE);
        Set<Integer> aliases = new TreeSet<>();

        for (int i = 0; i < 6; i++) {
            publish(topic + '/' + i, AT_MOST_ONCE, "");
            Publish received = subscriber.receivePublish();
            assertThat(received.topic()).isEqualTo(topic + '/' + i);
            aliases.add(received.topicAlias());
        }

        assertThat(aliases).allMatch(alias -> alias <= maximum).contains(maximum);
        publish(topic + "/0", AT_MOST_ONCE, "");
        assertThat(subscriber.receivePublish().topic()).isEmpty();
    }

    @Test
    @Proves({"MQTT-3.1.2-27", "MQTT-3.3.2-11"})
    void shouldUseNoAliasWhereTheClientAllowsNone() {
        String topic = fresh("topic");
        RawClient subscriber = client();
        subscriber.subscribe(topic, AT_MOST_ONCE);

        for (int i = 0; i < 3; i++) {
            publish(topic, AT_MOST_ONCE, "");
            Publish received = subscriber.receivePublish();
            assertThat(received.topicAlias()).isEqualTo(NO_ALIAS);
            assertThat(received.topic()).isEqualTo(topic);
        }
    }

    @Test
    @Proves({"MQTT-3.3.2-7", "MQTT-4.4.0-1"})
    void shouldNameTheTopicAgainOnANewConnection() {
        String id = fresh("client");
        String topic = fresh("topic");
        RawClient before = open();
        before.connect(resuming(id).topicAliasMaximum(5).build());
        before.subscribe(topic, AT_LEAST_ONCE);
        publish(topic, AT_LEAST_ONCE, "first");
        publish(topic, AT_LEAST_ONCE, "second");
        before.receivePublish();
        assertThat(before.receivePublish().topic()).isEmpty();
        lose(before);

        RawClient after = open();
        after.connect(resuming(id).topicAliasMaximum(5).build());

        assertThat(after.receivePublish().topic()).isEqualTo(topic);
    }
}
