package dev.avocet.amqp.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.frame.TypeCode;
import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.testkit.ManualClock;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What becomes of a message's bytes on the way through the broker. */
final class MessageBytesTest {
    private static final TopicName TOPIC = TopicName.of("t");

    private final ManualClock clock = new ManualClock();

    @Test
    void shouldGiveEverythingBackBitForBit() throws AmqpException {
        // given
        byte[] sent = message(false);

        // when
        IncomingMessage incoming = read(sent);

        // then
        assertThat(OutgoingMessage.encode(message(incoming), 0, null, 0)).isEqualTo(sent);
        assertThat(incoming.properties().property("n")).isEqualTo("v");
        assertThat(incoming.properties().isPersistent()).isTrue();
        assertThat(incoming.properties().priority()).isEqualTo(7);
    }

    @Test
    void shouldLeaveOutDeliveryAnnotationsOnly() throws AmqpException {
        // when
        IncomingMessage incoming = read(message(true));

        // then
        assertThat(OutgoingMessage.encode(message(incoming), 0, null, 0)).isEqualTo(message(false));
    }

    @Test
    void shouldCountDeliveriesInTheHeaderOnly() throws AmqpException {
        // given
        IncomingMessage incoming = read(message(false));

        // when
        byte[] again = OutgoingMessage.encode(message(incoming), 3, null, 0);

        // then
        Sections sections = Sections.of(again);
        assertThat(Values.number(again, Values.field(again, sections.header(), 4), 0))
                .isEqualTo(3);
        byte[] behindHeader = Arrays.copyOfRange(again, sections.headFrom(), again.length);
        byte[] original = message(false);
        assertThat(behindHeader)
                .isEqualTo(Arrays.copyOfRange(original, Sections.of(original).headFrom(), original.length));
        assertThat(read(again).properties().priority()).isEqualTo(7);
    }

    @Test
    void shouldSayWhyAMessageIsADeadLetterAndThatItExpiresNoMore() throws AmqpException {
        // given
        SectionWriter out = new SectionWriter();
        OutgoingMessage.header(out, true, 7, 1_000, 0);
        out.section(SectionType.MESSAGE_ANNOTATIONS);
        out.begin(TypeCode.MAP_32);
        out.symbol(ascii("x-opt-avocet-dead-letter-description"));
        out.string("of an earlier death");
        out.symbol(ascii("x-mine"));
        out.string("kept");
        out.end();
        out.section(SectionType.PROPERTIES);
        out.begin(TypeCode.LIST_32);
        out.string("ID:1");
        for (int i = 1; i < PropertyField.ABSOLUTE_EXPIRY_TIME; i++) {
            out.nothing();
        }
        out.timestamp(77);
        out.timestamp(66);
        out.end();
        out.section(SectionType.VALUE);
        out.string("body");
        IncomingMessage incoming = read(out.toBytes());

        // when
        DeadLetter why = new DeadLetter(DeadLetter.Cause.REJECTED, "orders", "no such customer", 3);
        byte[] dead = OutgoingMessage.encode(message(incoming), 0, why, 0);

        // then
        IncomingMessage read = read(dead);
        assertThat(read.expiryDeadlineNs()).isEqualTo(Message.NEVER);
        assertThat(read.properties().priority()).isEqualTo(7);
        assertThat(read.properties().property("JMSMessageID")).isEqualTo("ID:1");
        assertThat(read.properties().property("JMSTimestamp")).isEqualTo(66L);
        assertThat(read.body()).isEqualTo(incoming.body());
        assertThat(annotations(dead))
                .containsExactly(
                        entry("x-mine", "kept"),
                        entry("x-opt-avocet-dead-letter-cause", "REJECTED"),
                        entry("x-opt-avocet-dead-letter-queue", "orders"),
                        entry("x-opt-avocet-dead-letter-delivery-count", 3),
                        entry("x-opt-avocet-dead-letter-description", "no such customer"),
                        entry("x-opt-avocet-dead-letter-expiration", 77L));
    }

    @Test
    void shouldSayWhyAMessageOfAnMqttClientIsADeadLetter() throws AmqpException {
        // given
        Message message = new Message(
                TOPIC, true, QualityOfService.AT_LEAST_ONCE, false, ascii("x"), MessageProperties.NONE, 5, "me");

        // when
        DeadLetter why = new DeadLetter(DeadLetter.Cause.EXPIRED, "orders", null, 0);
        byte[] dead = OutgoingMessage.encode(message, 0, why, 10);

        // then
        assertThat(annotations(dead))
                .containsEntry("x-opt-avocet-dead-letter-cause", "EXPIRED")
                .doesNotContainKey("x-opt-avocet-dead-letter-description");
        assertThat(read(dead).expiryDeadlineNs()).isEqualTo(Message.NEVER);
    }

    @Test
    void shouldReadPropertiesBackFromTheStore() throws AmqpException {
        // given
        IncomingMessage incoming = read(message(false));

        // when
        var restored = new AmqpFormat().decode(incoming.properties().encoded());

        // then
        assertThat(restored.property("n")).isEqualTo("v");
        assertThat(restored.payloadOf(incoming.body())).isEqualTo("body".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldRefuseDamagedMessagesAndNothingElseHappens() throws AmqpException {
        Random random = new Random(1);
        byte[] good = message(true);
        for (int round = 0; round < 20_000; round++) {
            byte[] bad = Arrays.copyOf(good, 1 + random.nextInt(good.length));
            for (int i = random.nextInt(4); i >= 0; i--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            tryToUse(bad);
        }
    }

    @Test
    void shouldRefuseSectionsInTheWrongOrder() {
        // given
        SectionWriter out = new SectionWriter();
        out.section(SectionType.VALUE);
        out.string("body");
        out.section(SectionType.PROPERTIES);
        out.begin(TypeCode.LIST_32);
        out.end();

        // when, then
        assertThatThrownBy(() -> read(out.toBytes())).isInstanceOf(AmqpException.class);
    }

    /** Out of the middle of an array, as it comes. */
    private IncomingMessage read(byte[] message) throws AmqpException {
        byte[] array = new byte[message.length + 7];
        System.arraycopy(message, 0, array, 3, message.length);
        return IncomingMessage.of(array, 3, 3 + message.length, clock);
    }

    private void tryToUse(byte[] bytes) {
        try {
            IncomingMessage incoming = read(bytes);
            assertThat(incoming.properties().userProperties()).isNotNull();
            assertThat(incoming.properties().payloadOf(incoming.body())).isNotNull();
            assertThat(OutgoingMessage.encode(message(incoming), 1, null, 0)).isNotEmpty();
        } catch (AmqpException refused) {
            assertThat(refused.symbol()).isNotNull();
        }
    }

    private static Message message(IncomingMessage incoming) {
        return new Message(
                TOPIC,
                false,
                QualityOfService.AT_LEAST_ONCE,
                false,
                incoming.body(),
                incoming.properties(),
                incoming.expiryDeadlineNs(),
                "me");
    }

    private static byte[] message(boolean deliveryAnnotations) {
        SectionWriter out = new SectionWriter();
        out.section(SectionType.HEADER);
        out.begin(TypeCode.LIST_32);
        out.truth(true);
        out.ubyte(7);
        out.end();
        if (deliveryAnnotations) {
            out.section(SectionType.DELIVERY_ANNOTATIONS);
            out.begin(TypeCode.MAP_32);
            out.symbol(ascii("x-hop"));
            out.string("mine");
            out.end();
        }
        out.section(SectionType.MESSAGE_ANNOTATIONS);
        out.begin(TypeCode.MAP_32);
        out.symbol(ascii("x-opt-jms-msg-type"));
        out.signedByte(MessageType.TEXT.ordinal());
        out.end();
        out.section(SectionType.PROPERTIES);
        out.begin(TypeCode.LIST_32);
        out.string("ID:1");
        out.end();
        out.section(SectionType.APPLICATION_PROPERTIES);
        out.begin(TypeCode.MAP_32);
        out.string("n");
        out.string("v");
        out.end();
        out.section(SectionType.VALUE);
        out.string("body");
        return out.toBytes();
    }

    private static Map<String, Object> annotations(byte[] message) throws AmqpException {
        int map = Sections.of(message).messageAnnotations();
        Map<String, Object> found = new LinkedHashMap<>();
        int at = Values.firstElement(message, map);
        for (int i = 0; i < Values.count(message, map); i += 2) {
            int value = Values.end(message, at);
            found.put(Values.text(message, at), Values.value(message, value));
            at = Values.end(message, value);
        }
        return found;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
