package dev.avocet.dist.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.avocet.dist.fault.WireClient;
import dev.avocet.dist.fault.WireClient.Received;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The object HighAvailability of a pair as it is shipped: what it shows, and what a change of it does. */
@InTurn
@Timeout(180)
class PairObjectTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OBJECT = "/api/v1/configuration/HighAvailability";
    private static final byte QUOTA_EXCEEDED = (byte) 0x97;
    private static final int IMPLEMENTATION_SPECIFIC = 0x83;
    private static final int SUBSCRIPTION_FAILED = 0x80;
    private static final String TOPIC = "kept";
    private static final String AWAY = "the standby does not answer";

    @TempDir
    private Path folder;

    @Test
    void shouldGoByItsObjectWhileItRuns() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("shared"))) {
            // given
            pair.start("a", "--ha-disk-timeout", "6000");
            pair.start("b", "--ha-disk-timeout", "6000");
            pair.of("a").awaitLine("ready");
            pair.of("b").awaitLine("ready");
            String active = pair.active();
            String standby = PairUnderTest.other(active);
            pair.awaitInSync(standby);
            subscribe(pair, active);
            WireClient writer = connect(pair.port(active));

            // then each shows what is its own, and what its options say
            assertThat(pair.of(standby).httpGet(OBJECT))
                    .contains("\"EnableHA\" : true", "\"Group\" : \"test\"", "\"NodeID\" : \"" + standby + "\"")
                    .contains("\"SyncTimeout\" : 1000", "\"DiskTimeout\" : 6000", "\"SetByOptions\" : \"DiskTimeout\"");

            // and takes no change of what is its own, nor as a standby
            assertThat(pair.post(active, "/configuration", "{\"HighAvailability\": {\"Group\": \"other\"}}")
                            .body())
                    .contains("is set by the option --ha-group of the node");
            assertThat(pair.admin(standby, "high-availability", "update", "--min-in-sync", "2"))
                    .contains("the active node is " + active);

            // when the standby need not have messages on its disk, and what it lacks may come more slowly
            assertThat(pair.admin(
                            active,
                            "high-availability",
                            "update",
                            "--replication-mode",
                            "BothMemory",
                            "--max-catch-up-rate",
                            "20"))
                    .contains("HighAvailability updated");

            // then both know, and messages are taken
            assertThat(pair.of(standby).httpGet(OBJECT))
                    .contains("\"ReplicationMode\" : \"BothMemory\"", "\"MaxCatchUpRate\" : 20");
            assertThat(publish(writer)).isZero();

            // when both nodes have to have every message from now on, and one is lost
            assertThat(pair.admin(active, "high-availability", "update", "--min-in-sync", "2"))
                    .contains("HighAvailability updated");
            assertThat(pair.of(standby).httpGet(OBJECT)).contains("\"MinInSync\" : 2");
            assertThat(publish(writer)).isZero();
            pair.kill(standby);

            // then it keeps its place, and the active node does not go on alone
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(pair.of(active).httpGet("/health"))
                            .contains(
                                    "\"whyNotInSync\":\"" + standby + " is not connected", "\"inSync\":[\"a\",\"b\"]"));

            // when it is back
            pair.start(standby, "--ha-disk-timeout", "6000").awaitLine("role standby in-sync");

            // then they are taken, and one node is enough once the object says so
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(publish(writer)).isZero());
            pair.admin(active, "high-availability", "update", "--min-in-sync", "1");
            pair.kill(standby);
            assertThat(publish(writer)).isZero();
            await().atMost(PATIENCE)
                    .untilAsserted(() ->
                            assertThat(pair.of(active).httpGet("/health")).contains("\"inSync\":[\"" + active + "\"]"));
        }
    }

    @Test
    void shouldRefuseClientsWhoseSessionsOnlyOneNodeWouldHave() throws Exception {
        try (PairUnderTest pair = new PairUnderTest(folder, "file:" + folder.resolve("shared"))) {
            // given
            pair.start("a", "--ha-min-in-sync", "2");
            pair.start("b", "--ha-min-in-sync", "2");
            pair.of("a").awaitLine("ready");
            pair.of("b").awaitLine("ready");
            String active = pair.active();
            String standby = PairUnderTest.other(active);
            pair.awaitInSync(standby);
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(pair.of(active).httpGet("/health")).contains("\"inSync\":[\"a\",\"b\"]"));
            subscribe(pair, active);
            WireClient writer = connect(pair.port(active));
            assertThat(publish(writer)).isZero();
            WireClient other = new WireClient(pair.port(active), "other", WireClient.MQTT_5);
            WireClient older = new WireClient(pair.port(active), "older", WireClient.MQTT_3_1_1);
            AvocetConnectionFactory factory =
                    new AvocetConnectionFactory("avocet://127.0.0.1:" + pair.port(active) + "?reconnect=false");
            Connection jms = factory.createConnection();
            Session session = jms.createSession();
            MessageProducer producer = session.createProducer(session.createTopic(TOPIC));

            // when
            pair.kill(standby);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(pair.of(active).httpGet("/health"))
                            .contains("\"whyNotInSync\":\"" + standby + " is not connected"));

            // then they are told so, and do not wait
            assertThatThrownBy(() -> new WireClient(pair.port(active), "reader", WireClient.MQTT_3_1_1))
                    .hasMessage("not connected: 32 3");
            assertThatThrownBy(() -> new WireClient(pair.port(active), "third", WireClient.MQTT_5))
                    .hasMessage("not connected: 32 " + QUOTA_EXCEEDED);
            try (Connection late = factory.createConnection()) { // says who it is with its first session
                assertThatThrownBy(late::createSession).hasMessageContaining(AWAY);
            }

            // and those who are connected are told at once as well
            assertThat(publish(writer)).isEqualTo(QUOTA_EXCEEDED & 0xFF);
            writer.publish(TOPIC, 2, false, 2, 2);
            assertThat(answer(writer, WireClient.PUBREC)).isEqualTo(QUOTA_EXCEEDED & 0xFF);
            other.subscribe("more", 1);
            assertThat(answer(other, WireClient.SUBACK)).isEqualTo(QUOTA_EXCEEDED & 0xFF);
            other.unsubscribe("more");
            assertThat(answer(other, WireClient.UNSUBACK)).isEqualTo(IMPLEMENTATION_SPECIFIC);
            other.ping();
            assertThat(answer(other, WireClient.PINGRESP)).isZero();
            older.subscribe("more", 1);
            assertThat(answer(older, WireClient.SUBACK)).isEqualTo(SUBSCRIPTION_FAILED);
            older.unsubscribe("more");
            assertThatThrownBy(older::read).as("3.1.1 has no other refusal").isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> producer.send(session.createTextMessage("kept")))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining(AWAY);

            // and who wants nothing that survives does not wait
            try (WireClient fleeting = WireClient.withoutSession(pair.port(active), "fleeting")) {
                fleeting.subscribe("now", 1);
                assertThat(answer(fleeting, WireClient.SUBACK)).isEqualTo(1);
                fleeting.unsubscribe("now");
                assertThat(answer(fleeting, WireClient.UNSUBACK)).isZero();
            }
            writer.close();
            other.close();
            older.close();
            jms.close();
        }
    }

    /** Returns the reason code of the next packet, which is of that type. */
    private static int answer(WireClient client, int type) throws IOException {
        client.flush();
        Received answer = client.read();
        assertThat(answer.type()).isEqualTo(type);
        return answer.reasonCode();
    }

    private static void subscribe(PairUnderTest pair, String active) throws IOException {
        try (WireClient reader = pair.connected(active, "reader")) {
            reader.subscribe(TOPIC, 1);
            assertThat(reader.read().type()).isEqualTo(WireClient.SUBACK);
        }
    }

    /** Lives as long as the process that it is connected to. */
    private static WireClient connect(int port) throws IOException {
        return new WireClient(port, "writer", WireClient.MQTT_5);
    }

    /** Returns the reason code of the answer. */
    private static int publish(WireClient writer) throws IOException {
        writer.publish(TOPIC, 1, false, 1, 1);
        writer.flush();
        Received answer = writer.read();
        assertThat(answer.type()).isEqualTo(WireClient.PUBACK);
        return answer.reasonCode();
    }
}
