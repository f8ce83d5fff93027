package dev.avocet.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.server.broker.OneBroker;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.config.ConfigurationFile;
import dev.avocet.server.config.JsonTree;
import dev.avocet.server.objects.ConfigurationStore;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.awaitility.Awaitility;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packets of chosen clients of a running broker. */
class TracingTest {
    @TempDir
    private Path data;

    private ConfigurationStore objects;
    private RunningBroker broker;

    @BeforeEach
    void start() throws Exception {
        objects = ConfigurationStore.open(data.resolve("config"));
        broker = OneBroker.start(ConfigurationFile.parse("""
                                {"ioThreads": 2, "endpoints": [{"name": "field", "port": 0}],
                                 "store": {"mode": "memory"}}
                                """), data, failure -> {});
        broker.attach(objects, false);
    }

    @AfterEach
    void stop() {
        objects.close();
        broker.close();
    }

    @Test
    void shouldTraceNothingAtFirst() throws Exception {
        work(connect("anna"));

        broker.flushTrace();

        assertThat(data.resolve("trace")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "clientid=anna",
                "clientid=an*",
                "clientid=nobody,clientid=anna",
                "endpoint=field,clientid=anna",
                "clientid=anna,clientaddr=127.0.0.1"
            })
    void shouldTraceEveryPacketOfTheChosenClientBothWays(String selection) throws Exception {
        // given
        change("{\"TraceSelected\": \"8\", \"TraceConnection\": \"" + selection + "\"}");

        // when
        work(connect("bert"));
        work(connect("anna"));

        // then
        List<String> trace = trace();
        assertThat(trace).allMatch(line -> line.contains("'anna' at 127.0.0.1 on field"));
        assertThat(trace)
                .extracting(line -> line.replaceFirst(".*mqtt (..) [^:]*: ([A-Z]+).*", "$1 $2"))
                .containsSubsequence(
                        "<- CONNECT",
                        "-> CONNACK",
                        "<- SUBSCRIBE",
                        "-> SUBACK",
                        "<- PUBLISH",
                        "-> PUBACK",
                        "<- UNSUBSCRIBE",
                        "-> UNSUBACK",
                        "<- DISCONNECT")
                .contains("-> PUBLISH");
        assertThat(trace).last().asString().endsWith("the connection has ended");
        assertThat(String.join("", trace))
                .contains("topic='t'", "bytes=6", "user='anna'", "password=given")
                .doesNotContain("pencil", "payload=");
    }

    @Test
    void shouldTraceEveryFrameOfTheChosenJmsClientFromTheOneThatNamesIt() throws Exception {
        // given
        change("{\"TraceSelected\": \"8\", \"TraceConnection\": \"clientid=anna\"}");

        // when
        send("bert");
        send("anna");

        // then
        Awaitility.await()
                .untilAsserted(() -> assertThat(trace()).last().asString().endsWith("the connection has ended"));
        List<String> trace = trace();
        assertThat(trace).allMatch(line -> line.contains("'anna' at 127.0.0.1 on field"));
        assertThat(trace)
                .extracting(line -> line.replaceFirst(".*jms (..) [^:]*: (?:channel [^:]*: )?(\\w+).*", "$1 $2"))
                .startsWith("<- open")
                .containsOnlyOnce("<- open", "-> open")
                .containsSubsequence(
                        "-> open",
                        "<- begin",
                        "-> begin",
                        "<- attach",
                        "-> attach",
                        "<- transfer",
                        "-> disposition",
                        "<- close",
                        "-> close");
        assertThat(String.join("", trace)).contains("payload of").doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"clientid=bert", "endpoint=other,clientid=anna", "clientid=anna,clientaddr=10.0.0.1"})
    void shouldTraceNobodyElse(String selection) throws Exception {
        change("{\"TraceSelected\": \"9\", \"TraceConnection\": \"" + selection + "\"}");

        work(connect("anna"));

        assertThat(trace()).isEmpty();
    }

    @Test
    void shouldTraceWhoIsConnectedAlreadyAndStop() throws Exception {
        // given
        MqttClient anna = connect("anna");

        // when
        change("{\"TraceSelected\": \"8\", \"TraceConnection\": \"clientid=anna\"}");
        Awaitility.await().until(() -> {
            anna.subscribe("a", 0); // the connection may hear of the change a little later
            return !trace().isEmpty();
        });
        change("{\"TraceConnection\": \"\"}");

        // then: from a packet on, as the connection may hear of this change a little later too
        Awaitility.await().until(() -> {
            int traced = trace().size();
            anna.subscribe("b", 0);
            return trace().size() == traced;
        });
        anna.disconnect();
    }

    @Test
    void shouldTraceAsMuchOfPayloadsAsItIsTold() throws Exception {
        // given
        change("{\"TraceSelected\": \"5,mqtt:9\", \"TraceConnection\": \"clientid=anna\", \"TraceMessageData\": 3}");

        // when
        work(connect("anna"));

        // then: "secret"
        assertThat(trace()).anyMatch(line -> line.endsWith("bytes=6 payload=736563…"));
    }

    @Test
    void shouldLeaveMessagesOutAtALowerLevel() throws Exception {
        // given
        change("{\"TraceSelected\": \"7\", \"TraceConnection\": \"clientid=anna\"}");

        // when
        work(connect("anna"));

        // then
        assertThat(String.join("", trace())).contains("CONNECT", "SUBSCRIBE").doesNotContain("PUBLISH", "PUBACK");
    }

    @Test
    void shouldTraceEverybodyWhenItIsToldSo() throws Exception {
        // given
        change("{\"TraceLevel\": \"0,mqtt:8\"}");

        // when
        work(connect("anna"));
        work(connect("bert"));

        // then
        assertThat(String.join("", trace())).contains("'anna'", "'bert'");
    }

    /** Something of each kind. */
    private static void work(MqttClient client) throws MqttException {
        client.subscribe("t", 1);
        client.publish("t", "secret".getBytes(StandardCharsets.UTF_8), 1, false);
        client.unsubscribe("t");
        client.disconnect();
        client.close();
    }

    private void send(String clientId) throws JMSException {
        int port = broker.endpoints().get(0).getPort();
        try (Connection connection = new JmsConnectionFactory("amqp://127.0.0.1:" + port).createConnection()) {
            connection.setClientID(clientId);
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createProducer(session.createTopic("t")).send(session.createTextMessage("secret"));
        }
    }

    private List<String> trace() throws Exception {
        broker.flushTrace();
        Path file = data.resolve("trace").resolve("trace.log");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private void change(String json) throws Exception {
        objects.apply(ChangeReader.read(JsonTree.parse("test", json)), ConfigurationStore.ANY_VERSION);
    }

    private MqttClient connect(String clientId) throws MqttException {
        int port = broker.endpoints().get(0).getPort();
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, clientId, new MemoryPersistence());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setUserName(clientId);
        options.setPassword("pencil".getBytes(StandardCharsets.UTF_8));
        client.connect(options);
        return client;
    }
}
