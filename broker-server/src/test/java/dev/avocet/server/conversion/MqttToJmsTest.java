package dev.avocet.server.conversion;

import static com.hivemq.client.mqtt.datatypes.MqttQos.AT_LEAST_ONCE;
import static com.hivemq.client.mqtt.datatypes.MqttQos.AT_MOST_ONCE;
import static com.hivemq.client.mqtt.datatypes.MqttQos.EXACTLY_ONCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PayloadFormatIndicator;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishBuilder;
import dev.avocet.jms.AvocetConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What an MQTT client publishes, as JMS clients get it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MqttToJmsTest {
    private static final byte[] BINARY = {0, 1, -1};

    private Clients clients;

    private interface Publish extends UnaryOperator<Mqtt5PublishBuilder.Complete> {}

    private interface Check {
        void on(Message message) throws JMSException;
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
    @MethodSource({"types", "marked", "properties", "headers"})
    void shouldBecome(String row, Publish publish, Check check) throws JMSException {
        // given
        String topic = clients.newTopic();
        try (JMSConsumer consumer =
                clients.jms().createConsumer(clients.jms().createTopic(topic))) {

            // when
            clients.publish(topic, publish);

            // then
            Message message = Clients.received(consumer);
            assertThat(message.getJMSDestination())
                    .isEqualTo(clients.jms().createTopic(topic))
                    .isInstanceOf(Topic.class);
            check.on(message);
        }
    }

    static Stream<Arguments> types() {
        return Stream.of(
                row("printable UTF-8 a text", m -> m.payload(utf8("21.5 °\n\r\t")), isText("21.5 °\n\r\t")),
                row("binary data bytes", m -> m.payload(BINARY), isBytes(BINARY)),
                row("what is not UTF-8 bytes", m -> m.payload(new byte[] {'a', (byte) 0xC3}), isBytes('a', 0xC3)),
                row("a control character bytes", m -> m.payload(utf8("bell \7")), isBytes('b', 'e', 'l', 'l', ' ', 7)),
                row("what is declared text a text", m -> text(m).payload(utf8("bell \7")), isText("bell \7")),
                row("what is declared text an empty text", m -> text(m).payload(utf8("")), isText("")),
                row("nothing an empty text", m -> m, isText("")),
                row("JSON a text, as nobody says otherwise", m -> m.payload(utf8("{\"a\":1}")), isText("{\"a\":1}")));
    }

    static Stream<Arguments> marked() {
        return Stream.of(
                row("a map", m -> marked(m, "map").payload(utf8("""
                        {"text": "é", "int": -7, "long": 5000000000, "double": 1.5e3, "yes": true, "no": false,
                         "none": null, "": 1}""")), message -> {
                    MapMessage map = (MapMessage) message;
                    assertThat(map.getString("text")).isEqualTo("é");
                    assertThat(map.getObject("int")).isEqualTo(-7);
                    assertThat(map.getObject("long")).isEqualTo(5_000_000_000L);
                    assertThat(map.getObject("double")).isEqualTo(1500.0);
                    assertThat(map.getBoolean("yes")).isTrue();
                    assertThat(map.getObject("no")).isEqualTo(false);
                    assertThat(map.itemExists("none")).isTrue();
                    assertThat(map.getObject("none")).isNull();
                    assertThat(names(map.getMapNames())).hasSize(8);
                    assertThat(map.propertyExists("JMS_AVOCET_MessageType")).isFalse();
                }),
                row("an empty map", m -> marked(m, "map").payload(utf8(" {} ")), message -> assertThat(
                                ((MapMessage) message).getMapNames().hasMoreElements())
                        .isFalse()),
                row("a stream", m -> marked(m, "Stream").payload(utf8("[3, true, \"x\", null, 2.5]")), message -> {
                    StreamMessage stream = (StreamMessage) message;
                    assertThat(stream.readInt()).isEqualTo(3);
                    assertThat(stream.readBoolean()).isTrue();
                    assertThat(stream.readString()).isEqualTo("x");
                    assertThat(stream.readObject()).isNull();
                    assertThat(stream.readDouble()).isEqualTo(2.5);
                    assertThatThrownBy(stream::readInt).isInstanceOf(MessageEOFException.class);
                }),
                row("an empty stream", m -> marked(m, "stream").payload(utf8("[]")), message -> assertThatThrownBy(
                                () -> ((StreamMessage) message).readObject())
                        .isInstanceOf(MessageEOFException.class)),
                row("no map: an array", m -> marked(m, "map").payload(utf8("[1]")), isText("[1]")),
                row("no stream: an object", m -> marked(m, "stream").payload(utf8("{}")), isText("{}")),
                row("no map: nested", m -> marked(m, "map").payload(utf8("{\"a\":{}}")), isText("{\"a\":{}}")),
                row("no map: twice", m -> marked(m, "map").payload(utf8("{\"a\":1,\"a\":2}")), isText("""
                        {"a":1,"a":2}""")),
                row("no map: truncated", m -> marked(m, "map").payload(utf8("{\"a\":1")), isText("{\"a\":1")),
                row("no stream: truncated", m -> marked(m, "stream").payload(utf8("[1,")), isText("[1,")),
                row("no map: more behind it", m -> marked(m, "map").payload(utf8("{} {}")), isText("{} {}")),
                row("no stream: too large a number", m -> marked(m, "stream").payload(utf8("[99999999999999999999]")), isText("""
                        [99999999999999999999]""")),
                row("no map: nothing", m -> marked(m, "map"), isText("")),
                row("no map: not UTF-8", m -> marked(m, "map").payload(BINARY), isBytes(BINARY)),
                row("bytes that are printable", m -> marked(m, "bytes").payload(utf8("ab")), isBytes('a', 'b')),
                row("an object", m -> marked(m, "object").payload(serialised("mine")), message -> assertThat(
                                ((ObjectMessage) message).getObject())
                        .isEqualTo("mine")),
                row("a plain message", m -> marked(m, "message"), message -> assertThat(message)
                        .isNotInstanceOfAny(TextMessage.class, BytesMessage.class, MapMessage.class)),
                row("no plain message: a body", m -> marked(m, "message").payload(utf8("a")), isText("a")),
                row("whatever it is: another mark", m -> marked(m, "xml").payload(utf8("a")), isText("a")));
    }

    static Stream<Arguments> properties() {
        return Stream.of(
                row("properties", m -> m.userProperties(Mqtt5UserProperties.builder()
                        .add("unit", "C")
                        .add("count", "7")
                        .add("not-an identifier", "é")
                        .add("twice", "first")
                        .add("twice", "last")
                        .add("", "nameless")
                        .add("empty", "")
                        .build()), message -> {
                    assertThat(message.getStringProperty("unit")).isEqualTo("C");
                    assertThat(message.getIntProperty("count")).isEqualTo(7);
                    assertThat(message.getObjectProperty("count")).isEqualTo("7");
                    assertThat(message.getStringProperty("not-an identifier")).isEqualTo("é");
                    assertThat(message.getStringProperty("twice")).isEqualTo("last");
                    assertThat(message.getStringProperty("empty")).isEmpty();
                    assertThat(names(message.getPropertyNames())).doesNotContain("");
                }),
                row("headers that are user properties", m -> m.userProperties(Mqtt5UserProperties.builder()
                        .add("JMSMessageID", "ID:mine")
                        .add("JMSTimestamp", "1700000000000")
                        .add("JMSXGroupID", "group")
                        .add("JMSXGroupSeq", "3")
                        .build()), message -> {
                    assertThat(message.getJMSMessageID()).isEqualTo("ID:mine");
                    assertThat(message.getJMSTimestamp()).isEqualTo(1_700_000_000_000L);
                    assertThat(message.getStringProperty("JMSXGroupID")).isEqualTo("group");
                    assertThat(message.getIntProperty("JMSXGroupSeq")).isEqualTo(3);
                    assertThat(names(message.getPropertyNames()))
                            .containsExactlyInAnyOrder("JMSXGroupID", "JMSXGroupSeq", "JMSXDeliveryCount");
                }),
                row("headers that are no numbers", m -> m.userProperties(Mqtt5UserProperties.builder()
                        .add("JMSTimestamp", "noon")
                        .add("JMSXGroupSeq", "-3")
                        .build()), message -> {
                    assertThat(message.getJMSTimestamp()).isZero();
                    assertThat(message.getStringProperty("JMSTimestamp")).isEqualTo("noon");
                    assertThat(message.propertyExists("JMSXGroupSeq")).isFalse();
                }));
    }

    static Stream<Arguments> headers() {
        return Stream.of(
                row("a type", m -> m.contentType("text/plain"), message -> assertThat(message.getJMSType())
                        .isEqualTo("text/plain")),
                row("without a type", m -> m, message -> assertThat(message.getJMSType()).isNull()),
                row("a topic to reply to", m -> m.responseTopic("answers/1"), message -> assertThat(
                                message.getJMSReplyTo())
                        .isInstanceOf(Topic.class)
                        .hasToString("answers/1")),
                row("correlated by a text", m -> m.correlationData(utf8("né 42")), message -> {
                    assertThat(message.getJMSCorrelationID()).isEqualTo("né 42");
                    assertThat(message.getJMSCorrelationIDAsBytes()).isEqualTo(utf8("né 42"));
                }),
                row("correlated by data", m -> m.correlationData(BINARY), message -> {
                    assertThat(message.getJMSCorrelationIDAsBytes()).isEqualTo(BINARY);
                    assertThat(message.getJMSCorrelationID()).isEqualTo("ID:AMQP_BINARY:0001FF");
                }),
                row("uncorrelated", m -> m, message -> assertThat(message.getJMSCorrelationID()).isNull()),
                row("expiring", m -> m.messageExpiryInterval(600), message -> assertThat(
                                message.getJMSExpiration() - System.currentTimeMillis())
                        .isBetween(500_000L, 600_000L)),
                row("everlasting", m -> m, message -> assertThat(message.getJMSExpiration()).isZero()),
                row("non-persistent", m -> m.qos(AT_MOST_ONCE), message -> assertThat(message.getJMSDeliveryMode())
                        .isEqualTo(DeliveryMode.NON_PERSISTENT)),
                row("persistent at QoS 1", m -> m.qos(AT_LEAST_ONCE), message -> assertThat(
                                message.getJMSDeliveryMode())
                        .isEqualTo(DeliveryMode.PERSISTENT)),
                row("persistent at QoS 2", m -> m.qos(EXACTLY_ONCE), message -> assertThat(
                                message.getJMSDeliveryMode())
                        .isEqualTo(DeliveryMode.PERSISTENT)),
                row("of default priority", m -> m, message -> assertThat(message.getJMSPriority())
                        .isEqualTo(4)),
                row("retained", m -> m.retain(true), message -> assertThat(message.getIntProperty("JMS_IBM_Retain"))
                        .isEqualTo(1)),
                row("not retained", m -> m.userProperties(Mqtt5UserProperties.builder()
                        .add("JMS_IBM_Retain", "1")
                        .build()), message -> assertThat(message.propertyExists("JMS_IBM_Retain")).isFalse()));
    }

    @ParameterizedTest
    @CsvSource({"automatic,plain,text", "automatic,binary,bytes", "text,plain,text", "text,binary,text",
            "bytes,plain,bytes", "bytes,binary,bytes", "bytes,declared,text", "text,map,map", "bytes,map,map"})
    void shouldBecomeWhatTheClientWantsOnlyWhereThePublisherSaysNothing(String option, String sent, String expected) {
        // given
        String topic = clients.newTopic();
        String url = clients.url() + "&convertMessageType=" + option;
        try (JMSContext context = new AvocetConnectionFactory(url).createContext();
                JMSConsumer consumer = context.createConsumer(context.createTopic(topic))) {
            // when
            clients.publish(topic, switch (sent) {
                case "binary" -> m -> m.payload(BINARY);
                case "declared" -> m -> text(m).payload(utf8("x"));
                case "map" -> m -> marked(m, "map").payload(utf8("{}"));
                default -> m -> m.payload(utf8("x"));
            });

            // then
            assertThat(Clients.received(consumer)).isInstanceOf(switch (expected) {
                case "bytes" -> BytesMessage.class;
                case "map" -> MapMessage.class;
                default -> TextMessage.class;
            });
        }
    }

    @Test
    void shouldGiveARetainedMessageToWhoComesLater() throws JMSException {
        // given
        String topic = clients.newTopic();
        clients.publish(topic, m -> m.retain(true).payload(utf8("kept")));

        // when
        try (JMSConsumer consumer =
                clients.jms().createConsumer(clients.jms().createTopic(topic))) {
            // then
            Message message = Clients.received(consumer);
            assertThat(message.getBody(String.class)).isEqualTo("kept");
            assertThat(message.getIntProperty("JMS_IBM_Retain")).isEqualTo(1);
        }
    }

    @Test
    void shouldUnderstandTopicAliases() {
        // given
        String topic = clients.newTopic();
        try (JMSConsumer consumer =
                clients.jms().createConsumer(clients.jms().createTopic(topic))) {
            // when
            for (int i = 0; i < 3; i++) {
                int number = i;
                clients.publish(topic, m -> m.payload(utf8("" + number)));
            }

            // then
            for (int i = 0; i < 3; i++) {
                assertThat(consumer.receiveBody(String.class, Clients.PATIENCE_MS))
                        .isEqualTo("" + i);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,2", "2,2"})
    void shouldUnderstandMqtt3(int qos, int deliveryMode) throws Exception {
        // given
        String topic = clients.newTopic();
        try (MqttClient mqtt = new MqttClient(
                        "tcp://127.0.0.1:" + clients.port(), "conversion3", new MemoryPersistence());
                JMSConsumer consumer =
                        clients.jms().createConsumer(clients.jms().createTopic(topic))) {
            mqtt.connect();

            // when
            mqtt.publish(topic, utf8("old"), qos, false);
            mqtt.publish(topic, BINARY, qos, true);
            mqtt.publish(topic, new byte[0], qos, false);

            // then
            Message first = Clients.received(consumer);
            isText("old").on(first);
            assertThat(first.getJMSDeliveryMode()).isEqualTo(deliveryMode);
            assertThat(first.getJMSReplyTo()).isNull();
            assertThat(first.getJMSMessageID()).isNull();
            Message second = Clients.received(consumer);
            isBytes(BINARY).on(second);
            assertThat(second.getIntProperty("JMS_IBM_Retain")).isEqualTo(1);
            isText("").on(Clients.received(consumer));
            mqtt.disconnect();
        }
    }

    private static Arguments row(String name, Publish publish, Check check) {
        return Arguments.of(name, publish, check);
    }

    private static Mqtt5PublishBuilder.Complete text(Mqtt5PublishBuilder.Complete message) {
        return message.payloadFormatIndicator(Mqtt5PayloadFormatIndicator.UTF_8);
    }

    private static Mqtt5PublishBuilder.Complete marked(Mqtt5PublishBuilder.Complete message, String type) {
        return message.userProperties(Mqtt5UserProperties.builder()
                .add("JMS_AVOCET_MessageType", type)
                .build());
    }

    private static Check isText(String text) {
        return message -> assertThat(((TextMessage) message).getText()).isEqualTo(text);
    }

    private static Check isBytes(int... expected) {
        return message -> {
            assertThat(message).isInstanceOf(BytesMessage.class);
            assertThat(message.getBody(byte[].class)).containsExactly(expected);
        };
    }

    private static Check isBytes(byte[] expected) {
        return message -> {
            assertThat(message).isInstanceOf(BytesMessage.class);
            assertThat(message.getBody(byte[].class)).isEqualTo(expected);
        };
    }

    private static List<Object> names(Enumeration<?> names) {
        return new ArrayList<>(Collections.list(names));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] serialised(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
