package dev.avocet.jms.client.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.client.codec.MalformedAmqpException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whatever bytes came as a message: each getter gives a value or throws a {@link JMSException}. */
final class HostileMessageTest {
    private static final int MUTATIONS = 4_000;

    @FunctionalInterface
    private interface Getter {
        Object get(Message message) throws JMSException;
    }

    private static final Map<String, Getter> GETTERS = new TreeMap<>(Map.ofEntries(
            Map.entry("getJMSMessageID", Message::getJMSMessageID),
            Map.entry("getJMSTimestamp", Message::getJMSTimestamp),
            Map.entry("getJMSCorrelationID", Message::getJMSCorrelationID),
            Map.entry("getJMSCorrelationIDAsBytes", Message::getJMSCorrelationIDAsBytes),
            Map.entry("getJMSReplyTo", Message::getJMSReplyTo),
            Map.entry("getJMSDestination", Message::getJMSDestination),
            Map.entry("getJMSDeliveryMode", Message::getJMSDeliveryMode),
            Map.entry("getJMSRedelivered", Message::getJMSRedelivered),
            Map.entry("getJMSType", Message::getJMSType),
            Map.entry("getJMSExpiration", Message::getJMSExpiration),
            Map.entry("getJMSDeliveryTime", Message::getJMSDeliveryTime),
            Map.entry("getJMSPriority", Message::getJMSPriority),
            Map.entry("getPropertyNames", HostileMessageTest::names),
            Map.entry("propertyExists", message -> message.propertyExists("text")),
            Map.entry("getStringProperty", message -> message.getStringProperty("text")),
            Map.entry("getObjectProperty", HostileMessageTest::allProperties),
            Map.entry("getIntProperty", message -> message.getIntProperty("int")),
            Map.entry("getLongProperty", message -> message.getLongProperty("int")),
            Map.entry("getBooleanProperty", message -> message.getBooleanProperty("flag")),
            Map.entry("JMSXDeliveryCount", message -> message.getIntProperty("JMSXDeliveryCount")),
            Map.entry("JMSXGroupID", message -> message.getStringProperty("JMSXGroupID")),
            Map.entry("JMSXGroupSeq", message -> message.getObjectProperty("JMSXGroupSeq")),
            Map.entry("JMSXUserID", message -> message.getStringProperty("JMSXUserID")),
            Map.entry("getBody", message -> message.getBody(Object.class)),
            Map.entry("toString", Object::toString)));

    @Test
    void shouldGiveAValueOrAJmsException() {
        final Random random = new Random(1);
        final Map<String, String> unchecked = new TreeMap<>();
        for (final byte[] well : wellFormed()) {
            for (int i = 0; i < MUTATIONS; i++) {
                final byte[] bytes = well.clone();
                for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                read(bytes, unchecked);
            }
            for (int length = 0; length < well.length; length++) {
                read(Arrays.copyOf(well, length), unchecked);
            }
        }
        assertThat(unchecked).isEmpty();
    }

    private static void read(final byte[] bytes, final Map<String, String> unchecked) {
        final Message message;
        try {
            message = new MessageReader(ConvertMessageType.AUTOMATIC, new TrustedClasses(List.of())).read(bytes);
        } catch (final MalformedAmqpException | JMSException e) {
            return; // it is rejected as it comes
        }
        GETTERS.forEach((name, getter) -> {
            try {
                final Object unused = getter.get(message);
            } catch (final JMSException e) {
                return;
            } catch (final NumberFormatException e) {
                if (!name.startsWith("getInt") && !name.startsWith("getLong")) {
                    unchecked.put(name, trace(e));
                }
            } catch (final RuntimeException | Error e) {
                unchecked.put(name, trace(e));
            }
        });
    }

    private static String trace(final Throwable thrown) {
        return thrown + " at " + List.of(thrown.getStackTrace()).subList(0, Math.min(4, thrown.getStackTrace().length));
    }

    private static List<?> names(final Message message) throws JMSException {
        final Enumeration<?> names = message.getPropertyNames();
        return Collections.list(names);
    }

    private static Object allProperties(final Message message) throws JMSException {
        final List<Object> values = new ArrayList<>();
        for (final Object name : names(message)) {
            values.add(message.getObjectProperty((String) name));
            values.add(asString(message, (String) name));
        }
        return values;
    }

    private static Object asString(final Message message, final String name) {
        try {
            return message.getStringProperty(name);
        } catch (final JMSException e) {
            return e; // of another type
        }
    }

    /** With a value in each place that a getter reads. */
    private static byte[] wellFormed(final JmsMessage message) {
        try {
            message.setJMSMessageID("ID:1");
            message.setJMSCorrelationID("correlation");
            message.setJMSTimestamp(1_000_000_000_000L);
            message.setJMSExpiration(4_000_000_000_000L);
            message.setJMSDeliveryTime(1_000_000_001_000L);
            message.setJMSDeliveryMode(2);
            message.setJMSPriority(7);
            message.setJMSType("type");
            message.setJMSReplyTo(new JmsTopic("reply"));
            message.setJMSDestination(new JmsQueue("queue"));
            message.setStringProperty("text", "value");
            message.setIntProperty("int", 100_000);
            message.setBooleanProperty("flag", true);
            message.setDoubleProperty("double", 1.5);
            message.setLongProperty("long", 1L << 40);
            message.setStringProperty("JMSXGroupID", "group");
            message.setIntProperty("JMSXGroupSeq", 3);
            message.setStringProperty("JMSXUserID", "user");
            return new MessageWriter().write(message, 60_000);
        } catch (final JMSException e) {
            throw new AssertionError(e);
        }
    }

    private static List<byte[]> wellFormed() {
        try {
            final JmsTextMessage text = new JmsTextMessage("a text");
            final JmsMapMessage map = new JmsMapMessage();
            map.setString("text", "value");
            map.setInt("int", 5);
            final JmsBytesMessage bytes = new JmsBytesMessage();
            bytes.writeUTF("some bytes");
            bytes.reset();
            final JmsStreamMessage stream = new JmsStreamMessage();
            stream.writeString("a text");
            stream.writeInt(5);
            stream.reset();
            return List.of(wellFormed(text), wellFormed(map), wellFormed(bytes), wellFormed(stream));
        } catch (final JMSException e) {
            throw new AssertionError(e);
        }
    }
}
