package dev.avocet.server.conversion;

import static com.hivemq.client.mqtt.datatypes.MqttQos.AT_LEAST_ONCE;
import static com.hivemq.client.mqtt.datatypes.MqttQos.AT_MOST_ONCE;
import static com.hivemq.client.mqtt.datatypes.MqttQos.EXACTLY_ONCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PayloadFormatIndicator;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.StreamMessage;
import jakarta.jms.Topic;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a JMS client sends to a topic, as MQTT clients get it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JmsToMqttTest {
    private static final byte[] BINARY = {0, 1, -1};

    private Clients clients;

    private interface Send {
        void by(JMSContext context, JMSProducer producer, Topic topic) throws JMSException;
    }

    private interface Check {
        void on(Mqtt5Publish published) throws Exception;
    }

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        clients = new Clients(data);
    }

    @AfterAll
    void stop() {
        clients.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"types", "headers", "properties"})
    void shouldBecome(String row, Send send, Check check) throws Exception {
        // given
        String topic = clients.newTopic();
        clients.subscribe(topic, EXACTLY_ONCE);

        // when
        send.by(
                clients.jms(),
                clients.jms().createProducer(),
                clients.jms().createTopic(topic));

        // then
        Mqtt5Publish published = clients.published();
        assertThat(published.getTopic()).hasToString(topic);
        check.on(published);
    }

    static Stream<Arguments> types() {
        return Stream.of(
                row("a text", (c, p, t) -> p.send(t, "Grüße \7"), published -> {
                    assertThat(text(published)).isEqualTo("Grüße \7");
                    assertThat(published.getPayloadFormatIndicator()).contains(Mqtt5PayloadFormatIndicator.UTF_8);
                    assertThat(property(published, "JMS_AVOCET_MessageType")).isEmpty();
                    assertThat(published.getContentType()).isEmpty();
                }),
                row("an empty text", (c, p, t) -> p.send(t, ""), published -> {
                    assertThat(published.getPayloadAsBytes()).isEmpty();
                    assertThat(published.getPayloadFormatIndicator()).contains(Mqtt5PayloadFormatIndicator.UTF_8);
                }),
                row("no text", (c, p, t) -> p.send(t, c.createTextMessage()), published -> assertThat(
                                published.getPayloadAsBytes())
                        .isEmpty()),
                row("bytes", (c, p, t) -> p.send(t, BINARY), published -> {
                    assertThat(published.getPayloadAsBytes()).isEqualTo(BINARY);
                    assertThat(published.getPayloadFormatIndicator()).isEmpty();
                    assertThat(property(published, "JMS_AVOCET_MessageType")).isEmpty();
                }),
                row("no bytes", (c, p, t) -> p.send(t, c.createBytesMessage()), published -> assertThat(
                                published.getPayloadAsBytes())
                        .isEmpty()),
                row("written bytes", JmsToMqttTest::sendWritten, published -> assertThat(published.getPayloadAsBytes())
                        .containsExactly(0, 0, 0, 7, 'x')),
                row("a map", JmsToMqttTest::sendMap, published -> {
                    assertThat(text(published)).isEqualTo("""
                            {"boolean":true,"byte":1,"short":-2,"char":"é","int":3,"long":5000000000,"float":1.5,\
                            "double":-2.5,"string":"\\"","bytes":"AAH/","null":null}""");
                    assertThat(published.getPayloadFormatIndicator()).contains(Mqtt5PayloadFormatIndicator.UTF_8);
                    assertThat(property(published, "JMS_AVOCET_MessageType")).containsExactly("map");
                }),
                row("an empty map", (c, p, t) -> p.send(t, c.createMapMessage()), published -> assertThat(
                                text(published))
                        .isEqualTo("{}")),
                row("a stream", JmsToMqttTest::sendStream, published -> {
                    assertThat(text(published)).isEqualTo("[3,true,\"x\",null,\"c\",2.5]");
                    assertThat(property(published, "JMS_AVOCET_MessageType")).containsExactly("stream");
                }),
                row("an empty stream", (c, p, t) -> p.send(t, c.createStreamMessage()), published -> assertThat(
                                text(published))
                        .isEqualTo("[]")),
                row("an object", (c, p, t) -> p.send(t, c.createObjectMessage("mine")), published -> {
                    assertThat(deserialised(published.getPayloadAsBytes())).isEqualTo("mine");
                    assertThat(property(published, "JMS_AVOCET_MessageType")).containsExactly("object");
                }),
                row("a plain message", (c, p, t) -> p.send(t, c.createMessage()), published -> {
                    assertThat(published.getPayloadAsBytes()).isEmpty();
                    assertThat(property(published, "JMS_AVOCET_MessageType")).containsExactly("message");
                }));
    }

    static Stream<Arguments> headers() {
        return Stream.of(
                row("a type", (c, p, t) -> p.setJMSType("greeting").send(t, BINARY), published -> assertThat(
                                published.getContentType().orElseThrow())
                        .hasToString("greeting")),
                row("a topic to reply to", (c, p, t) -> p.setJMSReplyTo(c.createTopic("answers/1"))
                        .send(t, ""), published -> assertThat(
                                published.getResponseTopic().orElseThrow())
                        .hasToString("answers/1")),
                row("a queue to reply to", (c, p, t) -> p.setJMSReplyTo(c.createQueue("answers"))
                        .send(t, ""), published -> assertThat(published.getResponseTopic())
                        .isEmpty()),
                row("a temporary queue to reply to", (c, p, t) -> p.setJMSReplyTo(c.createTemporaryQueue())
                        .send(t, ""), published -> assertThat(published.getResponseTopic())
                        .isEmpty()),
                row("correlated by a text", (c, p, t) -> p.setJMSCorrelationID("né 42").send(t, ""), published -> assertThat(
                                published.getCorrelationData())
                        .contains(ByteBuffer.wrap("né 42".getBytes(UTF_8)))),
                row("correlated by data", (c, p, t) -> p.setJMSCorrelationIDAsBytes(BINARY).send(t, ""), published -> assertThat(
                                published.getCorrelationData())
                        .contains(ByteBuffer.wrap(BINARY))),
                row("correlated by a UUID", (c, p, t) -> p.setJMSCorrelationID(
                                "ID:AMQP_UUID:00000000-0000-0001-0000-000000000002")
                        .send(t, ""), published -> assertThat(published.getCorrelationData())
                        .contains(ByteBuffer.wrap("00000000-0000-0001-0000-000000000002".getBytes(UTF_8)))),
                row("expiring", (c, p, t) -> p.setTimeToLive(600_000).send(t, ""), published -> assertThat(
                                published.getMessageExpiryInterval().orElseThrow())
                        .isBetween(500L, 600L)),
                row("everlasting", (c, p, t) -> p.send(t, ""), published -> assertThat(
                                published.getMessageExpiryInterval())
                        .isEmpty()),
                row("persistent", (c, p, t) -> p.send(t, ""), published -> assertThat(published.getQos())
                        .isEqualTo(EXACTLY_ONCE)),
                row("non-persistent", (c, p, t) -> p.setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                        .send(t, ""), published -> assertThat(published.getQos()).isEqualTo(AT_LEAST_ONCE)),
                row("of a priority", (c, p, t) -> p.setPriority(9).send(t, ""), published -> assertThat(
                                text(published))
                        .isEmpty()),
                row("retained", (c, p, t) -> p.setProperty("JMS_IBM_Retain", 1).send(t, "x"), published -> {
                    assertThat(published.isRetain()).isTrue();
                    assertThat(property(published, "JMS_IBM_Retain")).isEmpty();
                }),
                row("not retained", (c, p, t) -> p.setProperty("JMS_IBM_Retain", 0).send(t, "x"), published -> assertThat(
                                published.isRetain())
                        .isFalse()));
    }

    static Stream<Arguments> properties() {
        return Stream.of(
                row("properties", (c, p, t) -> p.setProperty("b", true)
                        .setProperty("b8", (byte) -1)
                        .setProperty("s", (short) 2)
                        .setProperty("i", 3)
                        .setProperty("l", 5_000_000_000L)
                        .setProperty("f", 1.5f)
                        .setProperty("d", -2.5)
                        .setProperty("é$_", "text")
                        .setProperty("none", (String) null)
                        .setProperty("JMS_AVOCET_MessageType", "map")
                        .send(t, "x"), published -> {
                    assertThat(property(published, "b")).containsExactly("true");
                    assertThat(property(published, "b8")).containsExactly("-1");
                    assertThat(property(published, "s")).containsExactly("2");
                    assertThat(property(published, "i")).containsExactly("3");
                    assertThat(property(published, "l")).containsExactly("5000000000");
                    assertThat(property(published, "f")).containsExactly("1.5");
                    assertThat(property(published, "d")).containsExactly("-2.5");
                    assertThat(property(published, "é$_")).containsExactly("text");
                    assertThat(property(published, "none")).isEmpty();
                    assertThat(property(published, "JMS_AVOCET_MessageType")).isEmpty();
                }),
                row("identified", (c, p, t) -> p.send(t, ""), published -> {
                    assertThat(property(published, "JMSMessageID")).singleElement().asString().startsWith("ID:");
                    assertThat(property(published, "JMSTimestamp")).singleElement().asString().matches("\\d{13}");
                }),
                row("unidentified", (c, p, t) -> p.setDisableMessageID(true).setDisableMessageTimestamp(true).send(t, ""),
                        published -> {
                    assertThat(property(published, "JMSMessageID")).isEmpty();
                    assertThat(property(published, "JMSTimestamp")).isEmpty();
                }),
                row("grouped", (c, p, t) -> p.setProperty("JMSXGroupID", "g").setProperty("JMSXGroupSeq", 3).send(t, ""),
                        published -> {
                    assertThat(property(published, "JMSXGroupID")).containsExactly("g");
                    assertThat(property(published, "JMSXGroupSeq")).containsExactly("3");
                }));
    }

    @ParameterizedTest
    @CsvSource({"0,false,2,AT_MOST_ONCE", "1,false,2,AT_LEAST_ONCE", "2,false,1,AT_LEAST_ONCE",
            "2,true,2,EXACTLY_ONCE", "2,true,1,AT_MOST_ONCE", "0,true,1,AT_MOST_ONCE"})
    void shouldGoAtTheLesserQualityOfService(int subscribed, boolean unacknowledged, int mode, MqttQos expected)
            throws InterruptedException {
        // given
        String topic = clients.newTopic();
        clients.subscribe(topic, MqttQos.fromCode(subscribed));
        try (JMSContext context =
                new AvocetConnectionFactory(clients.url() + "&disableACK=" + unacknowledged).createContext()) {
            // when
            context.createProducer().setDeliveryMode(mode).send(context.createTopic(topic), "x");

            // then
            assertThat(clients.published().getQos()).isEqualTo(expected);
        }
    }

    @Test
    void shouldRetainForWhoComesLater() throws InterruptedException {
        // given
        String topic = clients.newTopic();
        clients.jms().createProducer().setProperty("JMS_IBM_Retain", 1).send(clients.jms().createTopic(topic), "kept");

        // when
        clients.subscribe(topic, EXACTLY_ONCE);

        // then
        Mqtt5Publish published = clients.published();
        assertThat(text(published)).isEqualTo("kept");
        assertThat(published.isRetain()).isTrue();
    }

    @Test
    void shouldComeWithTheIdentifierOfTheSubscription() throws Exception {
        // given
        String topic = clients.newTopic();
        BlockingQueue<org.eclipse.paho.mqttv5.common.MqttMessage> received = new LinkedBlockingQueue<>();
        MqttAsyncClient mqtt =
                new MqttAsyncClient("tcp://127.0.0.1:" + clients.port(), "identifying", new MemoryPersistence());
        mqtt.connect().waitForCompletion(Clients.PATIENCE_MS);
        MqttProperties identifier = new MqttProperties();
        identifier.setSubscriptionIdentifier(77);
        identifier.setSubscriptionIdentifiers(List.of(77)); // this client wants both
        mqtt.subscribe(
                        new MqttSubscription(topic, 1),
                        null,
                        null,
                        (from, message) -> received.add(message),
                        identifier)
                .waitForCompletion(Clients.PATIENCE_MS);

        // when
        clients.jms().createProducer().send(clients.jms().createTopic(topic), "x");

        // then
        org.eclipse.paho.mqttv5.common.MqttMessage message =
                received.poll(Clients.PATIENCE_MS, TimeUnit.MILLISECONDS);
        assertThat(message.getProperties().getSubscriptionIdentifiers())
                .containsExactly(77);
        mqtt.disconnect().waitForCompletion(Clients.PATIENCE_MS);
        mqtt.close();
    }

    @Test
    void shouldBeUnderstoodByMqtt3() throws Exception {
        // given
        String topic = clients.newTopic();
        BlockingQueue<MqttMessage> received = new LinkedBlockingQueue<>();
        try (var mqtt = new org.eclipse.paho.client.mqttv3.MqttClient(
                "tcp://127.0.0.1:" + clients.port(),
                "receiving3",
                new org.eclipse.paho.client.mqttv3.persist.MemoryPersistence())) {
            mqtt.connect();
            mqtt.subscribe(topic, 2, (from, message) -> received.add(message));

            // when
            Topic to = clients.jms().createTopic(topic);
            clients.jms()
                    .createProducer()
                    .setJMSType("t")
                    .setJMSCorrelationID("c")
                    .send(to, "é");
            MqttMessage text = received.poll(Clients.PATIENCE_MS, TimeUnit.MILLISECONDS);
            clients.jms()
                    .createProducer()
                    .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                    .send(to, BINARY);
            MqttMessage bytes = received.poll(Clients.PATIENCE_MS, TimeUnit.MILLISECONDS);

            // then
            assertThat(text.getPayload()).isEqualTo("é".getBytes(UTF_8));
            assertThat(text.getQos()).isEqualTo(2);
            assertThat(bytes.getPayload()).isEqualTo(BINARY);
            assertThat(bytes.getQos()).isEqualTo(1);
            mqtt.disconnect();
        }
    }

    private static void sendWritten(JMSContext context, JMSProducer producer, Topic topic) throws JMSException {
        BytesMessage bytes = context.createBytesMessage();
        bytes.writeInt(7);
        bytes.writeByte((byte) 'x');
        producer.send(topic, bytes);
    }

    private static void sendMap(JMSContext context, JMSProducer producer, Topic topic) throws JMSException {
        MapMessage map = context.createMapMessage();
        map.setBoolean("boolean", true);
        map.setByte("byte", (byte) 1);
        map.setShort("short", (short) -2);
        map.setChar("char", 'é');
        map.setInt("int", 3);
        map.setLong("long", 5_000_000_000L);
        map.setFloat("float", 1.5f);
        map.setDouble("double", -2.5);
        map.setString("string", "\"");
        map.setBytes("bytes", BINARY);
        map.setObject("null", null);
        producer.send(topic, map);
    }

    private static void sendStream(JMSContext context, JMSProducer producer, Topic topic) throws JMSException {
        StreamMessage stream = context.createStreamMessage();
        stream.writeInt(3);
        stream.writeBoolean(true);
        stream.writeString("x");
        stream.writeObject(null);
        stream.writeChar('c');
        stream.writeDouble(2.5);
        producer.send(topic, (Message) stream);
    }

    private static Arguments row(String name, Send send, Check check) {
        return Arguments.of(name, send, check);
    }

    private static String text(Mqtt5Publish published) {
        return new String(published.getPayloadAsBytes(), UTF_8);
    }

    private static List<String> property(Mqtt5Publish published, String name) {
        return published.getUserProperties().asList().stream()
                .filter(each -> each.getName().toString().equals(name))
                .map(each -> each.getValue().toString())
                .toList();
    }

    private static Object deserialised(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }
}
