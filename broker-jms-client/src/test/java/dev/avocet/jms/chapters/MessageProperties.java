package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.Session;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3.5. */
public abstract class MessageProperties extends Chapter {
    /** One value of each type. */
    private static final Map<String, Object> VALUES = Map.of(
            "boolean",
            true,
            "byte",
            (byte) -7,
            "short",
            (short) -700,
            "int",
            Integer.MIN_VALUE,
            "long",
            Long.MAX_VALUE,
            "float",
            1.5f,
            "double",
            Double.MIN_VALUE,
            "String",
            "42");

    private Session session;
    private Message message;

    protected MessageProperties(Provider provider) {
        super(provider);
    }

    @BeforeEach
    final void prepare() throws JMSException {
        session = session();
        message = session.createMessage();
    }

    static Object read(Message from, String name, String type) throws JMSException {
        return switch (type) {
            case "boolean" -> from.getBooleanProperty(name);
            case "byte" -> from.getByteProperty(name);
            case "short" -> from.getShortProperty(name);
            case "int" -> from.getIntProperty(name);
            case "long" -> from.getLongProperty(name);
            case "float" -> from.getFloatProperty(name);
            case "double" -> from.getDoubleProperty(name);
            case "String" -> from.getStringProperty(name);
            default -> throw new IllegalArgumentException(type);
        };
    }

    @ParameterizedTest
    @Section("3.5.1")
    @ValueSource(strings = {"a", "_a", "$a", "a1", "a_b$c", "größe", "JMS_vendor_x", "and2"})
    void shouldTakeNamesThatAreIdentifiers(String name) throws JMSException {
        message.setStringProperty(name, "value");
        assertThat(passed(session, message).getStringProperty(name)).isEqualTo("value");
    }

    @ParameterizedTest
    @Section("3.5.1")
    @ValueSource(strings = {"1a", "a-b", "a b", "a.b", "NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE"})
    void shouldRefuseNamesThatNoSelectorCouldName(String name) {
        assertThatThrownBy(() -> message.setStringProperty(name, "value")).isInstanceOf(Exception.class);
    }

    @Test
    @Section("3.5.1")
    void shouldRefuseToSetWithoutAName() {
        for (String name : new String[] {null, ""}) {
            assertThatThrownBy(() -> message.setStringProperty(name, "value"))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> message.setIntProperty(name, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> message.setObjectProperty(name, 1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @Section("3.5.2")
    void shouldCarryEachTypeAsItself() throws JMSException {
        for (Map.Entry<String, Object> each : VALUES.entrySet()) {
            message.setObjectProperty("p_" + each.getKey(), each.getValue());
        }
        Message received = passed(session, message);
        for (Map.Entry<String, Object> each : VALUES.entrySet()) {
            assertThat(received.getObjectProperty("p_" + each.getKey())).isEqualTo(each.getValue());
        }
    }

    @Test
    @Section("3.5.2")
    void shouldCarryTheExtremesOfNumbers() throws JMSException {
        message.setDoubleProperty("nan", Double.NaN);
        message.setDoubleProperty("infinite", Double.NEGATIVE_INFINITY);
        message.setFloatProperty("zero", -0.0f);
        message.setByteProperty("small", Byte.MIN_VALUE);
        message.setLongProperty("smallest", Long.MIN_VALUE);
        Message received = passed(session, message);
        assertThat(received.getDoubleProperty("nan")).isNaN();
        assertThat(received.getDoubleProperty("infinite")).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(received.getObjectProperty("zero")).isEqualTo(-0.0f);
        assertThat(received.getByteProperty("small")).isEqualTo(Byte.MIN_VALUE);
        assertThat(received.getLongProperty("smallest")).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    @Section("3.5.2")
    void shouldCarryNullAndEmptyStrings() throws JMSException {
        message.setStringProperty("empty", "");
        message.setStringProperty("none", null);
        Message received = passed(session, message);
        assertThat(received.getStringProperty("empty")).isEmpty();
        assertThat(received.getStringProperty("none")).isNull();
        assertThat(received.getObjectProperty("none")).isNull();
    }

    @Test
    @Section("3.5.5")
    @Differs(
            on = Run.QPID_CLIENT,
            seen = "Expecting code to raise a throwable",
            because = "it takes arrays of bytes and characters as properties")
    void shouldRefuseObjectsOfOtherTypes() {
        for (Object value : new Object[] {new byte[1], 'c', java.util.UUID.randomUUID(), List.of(1), new Object()}) {
            assertThatThrownBy(() -> message.setObjectProperty("p", value)).isInstanceOf(MessageFormatException.class);
        }
    }

    @ParameterizedTest
    @Section("3.5.4")
    @CsvSource({
        "boolean, boolean String",
        "byte, byte short int long String",
        "short, short int long String",
        "int, int long String",
        "long, long String",
        "float, float double String",
        "double, double String",
        "String, boolean byte short int long float double String"
    })
    void shouldConvertAsTheTableSays(String written, String readable) throws JMSException {
        Object value = VALUES.get(written);
        message.setObjectProperty("p", value);
        Message received = passed(session, message);
        for (Message each : List.of(message, received)) {
            for (String type : VALUES.keySet()) {
                if ((" " + readable + " ").contains(" " + type + " ")) {
                    String expected = type.equals("boolean") && written.equals("String") ? "false" : value.toString();
                    String read = read(each, "p", type).toString();
                    assertThat(type.equals("float") || type.equals("double") ? read.replaceFirst("^42.0$", "42") : read)
                            .isEqualTo(expected);
                } else {
                    assertThatThrownBy(() -> read(each, "p", type))
                            .as("%s as %s", written, type)
                            .isInstanceOf(MessageFormatException.class);
                }
            }
        }
    }

    @Test
    @Section("3.5.4")
    void shouldReadStringsAsTheValueOfMethodsDo() throws JMSException {
        message.setStringProperty("word", "word");
        message.setStringProperty("yes", "TrUe");
        Message received = passed(session, message);
        assertThat(received.getBooleanProperty("yes")).isTrue();
        assertThat(received.getBooleanProperty("word")).isFalse();
        for (String type : List.of("byte", "short", "int", "long", "float", "double")) {
            assertThatThrownBy(() -> read(received, "word", type)).isInstanceOf(NumberFormatException.class);
        }
    }

    @Test
    @Section("3.5.5")
    void shouldGiveObjectsOfTheSmallestTypeThatFits() throws JMSException {
        message.setByteProperty("b", (byte) 1);
        message.setObjectProperty("i", 5);
        message.setIntProperty("same", 5);
        Message received = passed(session, message);
        assertThat(received.getObjectProperty("b")).isInstanceOf(Byte.class);
        assertThat(received.getObjectProperty("i")).isEqualTo(received.getObjectProperty("same"));
    }

    @Test
    @Section("3.5.6")
    @Differs(
            on = Run.QPID_CLIENT,
            seen = "JMSXDeliveryCount",
            because = "it counts deliveries of messages that were not sent yet")
    void shouldNameThePropertiesButNoHeaders() throws JMSException {
        message.setJMSType("type");
        message.setJMSCorrelationID("id");
        message.setIntProperty("a", 1);
        message.setStringProperty("b", "2");
        Message received = passed(session, message);
        assertThat(names(message.getPropertyNames())).containsExactlyInAnyOrder("a", "b");
        assertThat(names(received.getPropertyNames()).stream()
                        .filter(name -> !name.startsWith("JMSX"))
                        .toList())
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    @Section("3.5.7")
    void shouldClearPropertiesButNeitherBodyNorHeaders() throws JMSException {
        Message text = session.createTextMessage("body");
        text.setJMSType("type");
        text.setIntProperty("a", 1);
        Message received = passed(session, text);

        received.clearProperties();

        assertThat(received.propertyExists("a")).isFalse();
        assertThat(received.getJMSType()).isEqualTo("type");
        assertThat(text(received)).isEqualTo("body");
        received.setIntProperty("b", 2);
        assertThat(received.getIntProperty("b")).isEqualTo(2);
    }

    @Test
    @Section("3.5.3")
    void shouldKeepPropertiesOfReceivedMessagesAsTheyAre() throws JMSException {
        Message received = passed(session, message);
        assertThatThrownBy(() -> received.setBooleanProperty("p", true))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setByteProperty("p", (byte) 1))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setShortProperty("p", (short) 1))
                .isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setIntProperty("p", 1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setLongProperty("p", 1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setFloatProperty("p", 1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setDoubleProperty("p", 1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setStringProperty("p", "")).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> received.setObjectProperty("p", "")).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    @Section("3.5.8")
    void shouldTreatPropertiesThatThereAreNotAsNull() throws JMSException {
        for (Message each : List.of(message, passed(session, message))) {
            assertThat(each.propertyExists("p")).isFalse();
            assertThat(each.getObjectProperty("p")).isNull();
            assertThat(each.getStringProperty("p")).isNull();
            assertThat(each.getBooleanProperty("p")).isFalse();
            for (String type : List.of("byte", "short", "int", "long")) {
                assertThatThrownBy(() -> read(each, "p", type)).isInstanceOf(NumberFormatException.class);
            }
            for (String type : List.of("float", "double")) {
                assertThatThrownBy(() -> read(each, "p", type)).isInstanceOf(NullPointerException.class);
            }
        }
    }

    @Test
    @Section("3.5.9")
    void shouldCarryTheGroupOfAMessage() throws JMSException {
        message.setStringProperty("JMSXGroupID", "group");
        message.setIntProperty("JMSXGroupSeq", 3);
        Message received = passed(session, message);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("group");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(3);
        assertThat(received.getObjectProperty("JMSXGroupSeq")).isEqualTo(3);
        assertThat(received.propertyExists("JMSXGroupID")).isTrue();
    }

    @Test
    @Section("3.5.11")
    void shouldCountDeliveries() throws JMSException {
        Session client = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(filled("text"));
        for (int count = 1; count <= 4; count++) {
            Message received = take(consumer);
            assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(count);
            assertThat(received.getStringProperty("JMSXDeliveryCount")).isEqualTo(String.valueOf(count));
            assertThat(received.getLongProperty("JMSXDeliveryCount")).isEqualTo(count);
            assertThat(received.propertyExists("JMSXDeliveryCount")).isTrue();
            assertThat(received.getJMSRedelivered()).isEqualTo(count > 1);
            client.recover();
        }
    }

    @Test
    @Section("3.5.10")
    void shouldKeepPropertiesOfOtherVendors() throws JMSException {
        message.setStringProperty("JMS_OTHER_Thing", "value");
        assertThat(passed(session, message).getStringProperty("JMS_OTHER_Thing"))
                .isEqualTo("value");
    }
}
