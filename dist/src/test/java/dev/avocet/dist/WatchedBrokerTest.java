package dev.avocet.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.dist.Administered.Outcome;
import dev.avocet.jms.AvocetConnectionFactory;
import dev.avocet.testkit.FreePort;
import dev.avocet.testkit.turn.InTurn;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an administrator of a broker of the distribution is told: log, trace, endpoints that do not work, messages that
 * wait.
 */
@InTurn
@Timeout(240)
@TestInstance(Lifecycle.PER_CLASS)
class WatchedBrokerTest {
    private Path folder;
    private Administered broker;
    private int port;

    @BeforeAll
    void start(@TempDir Path temporary) throws IOException {
        folder = temporary;
        broker = Administered.startWithObjects(folder.resolve("data"));
        port = FreePort.next();
        Path change = Files.writeString(folder.resolve("watched.json"), """
                {"TopicPolicy": {"some-topics": {"ClientID": "*", "Topic": "some/*", "ActionList": "Publish,Subscribe"}},
                 "QueuePolicy": {"some-queues": {"ClientID": "*", "Queue": "some-*", "ActionList": "Send,Receive,Browse"}},
                 "Queue": {"some-orders": {"MaxMessages": 2}, "some-bills": {}},
                 "Endpoint": {"DemoMqttEndpoint": {"Enabled": false},
                  "watched": {"Port": %d, "Interface": "127.0.0.1", "MessageHub": "DemoHub", "Protocol": "MQTT,JMS",
                    "ConnectionPolicies": "DemoConnectionPolicy", "TopicPolicies": "some-topics",
                    "QueuePolicies": "some-queues", "AllowInsecure": true}}}
                """.formatted(port));
        broker.adminDoneHere("apply", "-f", change.toString());
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @Test
    void shouldNameTopicAndPoliciesInALineForEachTopic() throws Exception {
        // given
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, "meter", new MemoryPersistence());
        client.connect();

        // when
        for (String topic : new String[] {"others/1", "others/2", "others/1"}) {
            client.publish(topic, "x".getBytes(UTF_8), 1, false);
        }
        IMqttToken answered = client.subscribe("hidden/#", 1);
        assertThat(answered.getReasonCodes()).containsExactly(0x87);
        client.disconnectForcibly(0, 0, false);
        client.close(true);

        // then
        String policies = "endpoint 'watched' has topic policies some-topics";
        for (String what : new String[] {"publish to 'others/1'", "publish to 'others/2'", "subscribe to 'hidden/#'"}) {
            assertThat(log().lines().filter(line -> line.contains(what)))
                    .as(what)
                    .singleElement()
                    .asString()
                    .contains("client 'meter'", policies);
        }
    }

    @Test
    void shouldNameTheUserOfALoginThatFails() throws Exception {
        // given
        broker.adminDoneHere("user", "create", "anna", "--new-password-file", file("anna", "right-password"));

        // when
        for (String user : new String[] {"anna", "eve"}) {
            MqttConnectionOptions options = new MqttConnectionOptions();
            options.setUserName(user);
            options.setPassword("wrong-password".getBytes(UTF_8));
            MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, "c-" + user, new MemoryPersistence());
            assertThatThrownBy(() -> client.connect(options)).isInstanceOf(MqttException.class);
            client.close(true);
        }

        // then
        assertThat(log())
                .contains("client 'c-anna' of user 'anna'", "client 'c-eve' of user 'eve'")
                .doesNotContain("wrong-password");
    }

    @Test
    void shouldNameTheQueueThatIsFullAndShowWhatWaits() throws Exception {
        // given
        try (JMSContext context = context("clerk")) {
            TextMessage message = context.createTextMessage("a dozen eggs");
            message.setStringProperty("shop", "north");

            // when
            context.createProducer().send(context.createQueue("some-orders"), message);
            context.createProducer().send(context.createQueue("some-orders"), "milk");
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue("some-orders"), "bread"))
                    .isInstanceOf(JMSRuntimeException.class);
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue("other"), "bread"))
                    .isInstanceOf(JMSRuntimeException.class);
        }

        // then
        assertThat(log())
                .contains("to queue 'some-orders': 'some-orders' holds 2 messages and takes no more; it may hold 2")
                .contains("'other'; endpoint 'watched' has topic policies some-topics; subscription policies none;"
                        + " queue policies some-queues");
        assertThat(broker.adminDoneHere("queue", "browse", "some-orders"))
                .contains("a dozen eggs", "{shop=north}", "milk");
        assertThat(broker.adminDoneHere("queue", "browse", "some-orders", "-o", "json", "--body-bytes", "7"))
                .contains("\"Body\" : \"a dozen\"", "\"BodyIsCut\" : true", "\"Time\" : \"20");
    }

    @Test
    void shouldTraceAJmsClientAndPutTheTraceIntoTheBundle() throws Exception {
        // given
        broker.adminDoneHere("client", "trace", "traced");

        // when
        for (String clientId : new String[] {"traced", "another"}) {
            try (JMSContext context = context(clientId)) {
                context.createProducer().send(context.createQueue("some-bills"), "the secret text");
            }
        }

        // then
        String trace = broker.adminDoneHere("service", "trace");
        assertThat(trace)
                .contains("jms <- 'traced' at 127.0.0.1 on watched: ", "open Open{", "begin Begin{", "attach Attach{")
                .containsPattern("<- .* transfer Transfer\\{.*payload of \\d+ bytes")
                .containsPattern("-> .* disposition Disposition\\{")
                .contains("the connection has ended")
                .doesNotContain("the secret text", "'another'");
        Path bundle = folder.resolve("bundle.zip");
        broker.adminDoneHere("diagnostics", "--out", bundle.toString());
        try (ZipFile zip = new ZipFile(bundle.toFile())) {
            String kept =
                    new String(zip.getInputStream(zip.getEntry("trace.txt")).readAllBytes(), UTF_8);
            assertThat(kept).contains("attach Attach{");
        }
        assertThat(broker.adminDoneHere("service", "trace", "--bytes", "300")).hasSizeLessThan(300);
    }

    @Test
    void shouldWarnOfAnEndpointThatDoesNotWork() throws Exception {
        try (ServerSocket occupant = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // when
            String taken = Integer.toString(occupant.getLocalPort());
            Outcome created = broker.adminHere(endpoint("taken", taken));

            // then
            assertThat(created.exitCode()).as(created.output()).isEqualTo(12);
            assertThat(created.output())
                    .contains("Endpoint taken created")
                    .contains("warning: Endpoint 'taken' accepts no connections: cannot listen on port " + taken
                            + ": another process listens there already");
            assertThat(broker.adminDoneHere("stat", "Endpoint"))
                    .contains("Endpoint 'taken': cannot listen on port " + taken);
            broker.adminDoneHere("endpoint", "delete", "taken");
        }
    }

    @Test
    void shouldAccuseTheNewerOneOfTwoEndpointsOnAPort() {
        Outcome refused = broker.adminHere(endpoint("aaa", Integer.toString(port)));

        assertThat(refused.exitCode()).as(refused.output()).isEqualTo(7);
        assertThat(refused.output()).contains("Endpoint 'aaa': Port: " + port + " is used by Endpoint 'watched'");
    }

    @Test
    void shouldCheckADryRunAsTheRealOne() throws Exception {
        // given
        String wrong = file("wrong.json", "{\"Queue\": {\"dry\": {\"MaxMessages\": 0}}}");
        String right = file("right.json", "{\"Queue\": {\"dry\": {\"MaxMessages\": 5}}}");
        String taken = file(
                "taken.json",
                "{\"Endpoint\": {\"dry\": {\"Port\": " + port + ", \"MessageHub\": \"DemoHub\","
                        + " \"ConnectionPolicies\": \"DemoConnectionPolicy\", \"TopicPolicies\": \"some-topics\"}}}");

        // then
        for (String file : new String[] {wrong, taken}) {
            Outcome dry = broker.adminHere("apply", "-f", file, "--dry-run");
            Outcome real = broker.adminHere("apply", "-f", file);
            assertThat(dry.exitCode()).isEqualTo(7);
            assertThat(dry).isEqualTo(real);
        }
        assertThat(broker.adminHere("queue", "create", "dry", "--max-messages", "0", "--dry-run")
                        .exitCode())
                .isEqualTo(7);
        assertThat(broker.adminDoneHere("apply", "-f", right, "--dry-run")).contains("+ Queue dry");
        assertThat(broker.adminHere("queue", "show", "dry").exitCode()).isEqualTo(9);
    }

    @Test
    void shouldShowAndDeleteRetainedMessages() throws Exception {
        // given
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + port, "sensor", new MemoryPersistence());
        client.connect();
        client.publish("some/1/state", "on".getBytes(UTF_8), 1, true);
        client.publish("some/2/state", "off".getBytes(UTF_8), 1, true);
        client.disconnect();
        client.close();

        // then
        assertThat(broker.adminDoneHere("retained", "list", "--filter", "some/+/state"))
                .contains("some/1/state", "sensor", "off");
        assertThat(broker.adminDoneHere("retained", "show", "some/1/state")).containsPattern("Body +on");
        assertThat(broker.adminDoneHere("retained", "delete", "some/1/state")).contains("is gone");
        assertThat(broker.adminDoneHere("client-set", "delete", "--retain", "^some/"))
                .isEqualTo("0 sessions, 0 durable JMS subscriptions and 1 retained messages are gone");
        assertThat(broker.adminDoneHere("retained", "list", "-o", "name")).isEmpty();
    }

    private static String[] endpoint(String name, String port) {
        return new String[] {
            "endpoint",
            "create",
            name,
            "--port",
            port,
            "--interface",
            "127.0.0.1",
            "--message-hub",
            "DemoHub",
            "--connection-policies",
            "DemoConnectionPolicy",
            "--topic-policies",
            "some-topics"
        };
    }

    private JMSContext context(String clientId) throws JMSException {
        AvocetConnectionFactory factory = new AvocetConnectionFactory("avocet://127.0.0.1:" + port);
        JMSContext context = factory.createContext();
        context.setClientID(clientId);
        return context;
    }

    private String log() throws IOException, InterruptedException {
        return broker.process().httpGet("/api/v1/service/diagnostics/log");
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }
}
