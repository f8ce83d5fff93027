package dev.avocet.server.conversion;

import static com.hivemq.client.mqtt.datatypes.MqttQos.EXACTLY_ONCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PayloadFormatIndicator;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes back when a client of the other protocol sends on what it has received, with all of its properties. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RoundTripTest {
    private static final byte[] BINARY = {0, 1, -1};

    private Clients clients;

    private interface Make {
        Message by(JMSContext context) throws JMSException;
    }

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
    @MethodSource("messages")
    void shouldComeBackByMqtt(String row, Make make, Check check) throws Exception {
        // given
        String out = clients.newTopic();
        String back = clients.newTopic();
        clients.subscribe(out, EXACTLY_ONCE);
        JMSContext jms = clients.jms();
        try (JMSConsumer consumer = jms.createConsumer(jms.createTopic(back))) {
            Message message = make.by(jms);
            Topic answers = jms.createTopic("answers");
            jms.createProducer()
                    .setJMSType("type")
                    .setJMSCorrelationID("correlation")
                    .setJMSReplyTo(answers)
                    .setTimeToLive(600_000)
                    .setProperty("mine", 7)
                    .setProperty("JMSXGroupID", "group")
                    .setProperty("JMSXGroupSeq", 5)
                    .setProperty("JMS_IBM_Retain", 1)
                    .send(jms.createTopic(out), message);

            // when
            Mqtt5Publish published = clients.published();
            clients.mqtt().publish(published.extend().topic(back).build());

            // then
            Message returned = Clients.received(consumer);
            assertThat(returned.getJMSMessageID()).isEqualTo(message.getJMSMessageID());
            assertThat(returned.getJMSTimestamp()).isEqualTo(message.getJMSTimestamp());
            assertThat(returned.getJMSType()).isEqualTo("type");
            assertThat(returned.getJMSCorrelationID()).isEqualTo("correlation");
            assertThat(returned.getJMSReplyTo()).isEqualTo(answers);
            assertThat(returned.getJMSExpiration() - message.getJMSExpiration()).isBetween(-60_000L, 1_000L);
            assertThat(returned.getIntProperty("mine")).isEqualTo(7);
            assertThat(returned.getStringProperty("JMSXGroupID")).isEqualTo("group");
            assertThat(returned.getIntProperty("JMSXGroupSeq")).isEqualTo(5);
            assertThat(returned.getIntProperty("JMS_IBM_Retain")).isEqualTo(1);
            assertThat(returned.getJMSDeliveryMode()).isEqualTo(message.getJMSDeliveryMode());
            check.on(returned);
        }
    }

    static Stream<Arguments> messages() {
        return Stream.of(
                row("text", c -> c.createTextMessage("Grüße"), message -> assertThat(((TextMessage) message).getText())
                        .isEqualTo("Grüße")),
                row(
                        "bytes",
                        c -> {
                            BytesMessage bytes = c.createBytesMessage();
                            bytes.writeBytes(BINARY);
                            return bytes;
                        },
                        message -> {
                            assertThat(message).isInstanceOf(BytesMessage.class);
                            assertThat(message.getBody(byte[].class)).isEqualTo(BINARY);
                        }),
                row(
                        "map",
                        c -> {
                            MapMessage map = c.createMapMessage();
                            map.setInt("n", 7);
                            map.setString("text", "é");
                            map.setBoolean("yes", true);
                            map.setDouble("infinite", Double.POSITIVE_INFINITY);
                            return map;
                        },
                        message -> {
                            MapMessage map = (MapMessage) message;
                            assertThat(map.getInt("n")).isEqualTo(7);
                            assertThat(map.getString("text")).isEqualTo("é");
                            assertThat(map.getBoolean("yes")).isTrue();
                            assertThat(map.getDouble("infinite")).isInfinite();
                        }),
                row(
                        "stream",
                        c -> {
                            StreamMessage stream = c.createStreamMessage();
                            stream.writeLong(5_000_000_000L);
                            stream.writeString("x");
                            return stream;
                        },
                        message -> {
                            StreamMessage stream = (StreamMessage) message;
                            assertThat(stream.readLong()).isEqualTo(5_000_000_000L);
                            assertThat(stream.readString()).isEqualTo("x");
                        }),
                row("object", c -> c.createObjectMessage(42L), message -> assertThat(
                                ((ObjectMessage) message).getObject())
                        .isEqualTo(42L)),
                row("plain", JMSContext::createMessage, message -> assertThat(message)
                        .isNotInstanceOfAny(TextMessage.class, BytesMessage.class)));
    }

    @Test
    void shouldComeBackByJms() throws Exception {
        // given
        String out = clients.newTopic();
        String back = clients.newTopic();
        clients.subscribe(back, EXACTLY_ONCE);
        JMSContext jms = clients.jms();
        try (JMSConsumer consumer = jms.createConsumer(jms.createTopic(out))) {
            clients.publish(out, m -> m.payload("é".getBytes(UTF_8))
                    .payloadFormatIndicator(Mqtt5PayloadFormatIndicator.UTF_8)
                    .contentType("text/plain")
                    .responseTopic("answers")
                    .correlationData(BINARY)
                    .retain(true)
                    .userProperties(Mqtt5UserProperties.builder()
                            .add("not an identifier", "x")
                            .build()));

            // when
            jms.createProducer().send(jms.createTopic(back), Clients.received(consumer));

            // then
            Mqtt5Publish published = clients.published();
            assertThat(published.getPayloadAsBytes()).isEqualTo("é".getBytes(UTF_8));
            assertThat(published.getPayloadFormatIndicator()).contains(Mqtt5PayloadFormatIndicator.UTF_8);
            assertThat(published.getContentType().orElseThrow()).hasToString("text/plain");
            assertThat(published.getResponseTopic().orElseThrow()).hasToString("answers");
            assertThat(published.getCorrelationData()).contains(ByteBuffer.wrap(BINARY));
            assertThat(published.isRetain()).isTrue();
            assertThat(published.getUserProperties().asList())
                    .anyMatch(each -> each.getName().toString().equals("not an identifier")
                            && each.getValue().toString().equals("x"));
        }
    }

    @Test
    void shouldAnswerAJmsRequestByMqtt() throws Exception {
        // given
        String service = clients.newTopic();
        clients.subscribe(service, EXACTLY_ONCE);
        JMSContext jms = clients.jms();
        TemporaryTopic answers = jms.createTemporaryTopic();
        try (JMSConsumer consumer = jms.createConsumer(answers)) {
            // when
            jms.createProducer()
                    .setJMSReplyTo(answers)
                    .setJMSCorrelationID("q1")
                    .send(jms.createTopic(service), "question");
            Mqtt5Publish question = clients.published();
            clients.publish(question.getResponseTopic().orElseThrow().toString(), m -> m.payload("answer".getBytes(UTF_8))
                    .correlationData(question.getCorrelationData().orElseThrow()));

            // then
            Message answer = Clients.received(consumer);
            assertThat(answer.getBody(String.class)).isEqualTo("answer");
            assertThat(answer.getJMSCorrelationID()).isEqualTo("q1");
        }
    }

    @Test
    void shouldAnswerAnMqttRequestByJms() throws Exception {
        // given
        String service = clients.newTopic();
        String answers = clients.newTopic();
        clients.subscribe(answers, EXACTLY_ONCE);
        JMSContext jms = clients.jms();
        try (JMSConsumer consumer = jms.createConsumer(jms.createTopic(service))) {
            // when
            clients.publish(service, m -> m.responseTopic(answers).correlationData(BINARY));
            Message question = Clients.received(consumer);
            Destination to = question.getJMSReplyTo();
            jms.createProducer()
                    .setJMSCorrelationID(question.getJMSCorrelationID())
                    .send(to, "answer");

            // then
            Mqtt5Publish answer = clients.published();
            assertThat(answer.getPayloadAsBytes()).isEqualTo("answer".getBytes(UTF_8));
            assertThat(answer.getCorrelationData()).contains(ByteBuffer.wrap(BINARY));
        }
    }

    private static Arguments row(String name, Make make, Check check) {
        return Arguments.of(name, make, check);
    }
}
