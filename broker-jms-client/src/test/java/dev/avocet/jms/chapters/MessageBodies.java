package dev.avocet.jms.chapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 3.7 and 3.9 to 3.12. */
public abstract class MessageBodies extends Chapter {
    private static final List<String> TYPES =
            List.of("boolean", "byte", "short", "char", "int", "long", "float", "double", "String", "byte[]");

    private Session session;

    protected MessageBodies(Provider provider) {
        super(provider);
    }

    @BeforeEach
    final void prepare() throws JMSException {
        session = session();
    }

    private static Object valueOf(String type) {
        return switch (type) {
            case "boolean" -> true;
            case "byte" -> (byte) -7;
            case "short" -> (short) 700;
            case "char" -> 'ß';
            case "int" -> 70_000;
            case "long" -> Long.MIN_VALUE;
            case "float" -> 1.5f;
            case "double" -> 2.25;
            case "String" -> "42";
            case "byte[]" -> new byte[] {1, 2};
            default -> throw new IllegalArgumentException(type);
        };
    }

    private static Object read(MapMessage map, String type) throws JMSException {
        return switch (type) {
            case "boolean" -> map.getBoolean("v");
            case "byte" -> map.getByte("v");
            case "short" -> map.getShort("v");
            case "char" -> map.getChar("v");
            case "int" -> map.getInt("v");
            case "long" -> map.getLong("v");
            case "float" -> map.getFloat("v");
            case "double" -> map.getDouble("v");
            case "String" -> map.getString("v");
            case "byte[]" -> map.getBytes("v");
            default -> throw new IllegalArgumentException(type);
        };
    }

    private static Object read(StreamMessage stream, String type) throws JMSException {
        return switch (type) {
            case "boolean" -> stream.readBoolean();
            case "byte" -> stream.readByte();
            case "short" -> stream.readShort();
            case "char" -> stream.readChar();
            case "int" -> stream.readInt();
            case "long" -> stream.readLong();
            case "float" -> stream.readFloat();
            case "double" -> stream.readDouble();
            case "String" -> stream.readString();
            case "byte[]" -> {
                byte[] bytes = new byte[2];
                assertThat(stream.readBytes(bytes)).isEqualTo(2);
                yield bytes;
            }
            default -> throw new IllegalArgumentException(type);
        };
    }

    private static void assertConverted(Object read, String written, String type) {
        switch (type) {
            case "byte[]" -> assertThat((byte[]) read).containsExactly(1, 2);
            case "boolean" -> assertThat(read).isEqualTo(written.equals("boolean"));
            case "float", "double" ->
                assertThat(((Number) read).doubleValue())
                        .isEqualTo(Double.parseDouble(valueOf(written).toString()));
            default -> assertThat(read).hasToString(valueOf(written).toString());
        }
    }

    /** The rows of the table: what is written, and what it may be read as. */
    @ParameterizedTest
    @Section("3.11.3")
    @CsvSource({
        "boolean, boolean String",
        "byte, byte short int long String",
        "short, short int long String",
        "char, char String",
        "int, int long String",
        "long, long String",
        "float, float double String",
        "double, double String",
        "String, boolean byte short int long float double String",
        "byte[], byte[]"
    })
    void shouldConvertAsTheTableSays(String written, String readable) throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setObject("v", valueOf(written));
        MapMessage receivedMap = (MapMessage) passed(session, map);
        StreamMessage stream = session.createStreamMessage();
        stream.writeObject(valueOf(written));
        StreamMessage receivedStream = (StreamMessage) passed(session, stream);
        for (String type : TYPES) {
            receivedStream.reset();
            if ((" " + readable + " ").contains(" " + type + " ")) {
                assertConverted(read(map, type), written, type);
                assertConverted(read(receivedMap, type), written, type);
                assertConverted(read(receivedStream, type), written, type);
            } else {
                assertThatThrownBy(() -> read(receivedMap, type))
                        .as("%s as %s", written, type)
                        .isInstanceOf(MessageFormatException.class);
                assertThatThrownBy(() -> read(receivedStream, type))
                        .as("%s as %s", written, type)
                        .isInstanceOf(MessageFormatException.class);
            }
        }
    }

    @Test
    @Section("3.11.3")
    void shouldTreatEntriesThatThereAreNotAsNull() throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setString("v", null);
        MapMessage received = (MapMessage) passed(session, map);
        assertThat(received.itemExists("v")).isTrue();
        assertThat(received.itemExists("w")).isFalse();
        assertThat(received.getObject("w")).isNull();
        assertThat(received.getString("w")).isNull();
        assertThat(received.getBytes("w")).isNull();
        for (MapMessage each : List.of(received, session.createMapMessage())) {
            assertThat(read(each, "boolean")).isEqualTo(false);
            for (String type : List.of("byte", "short", "int", "long")) {
                assertThatThrownBy(() -> read(each, type)).isInstanceOf(NumberFormatException.class);
            }
            for (String type : List.of("char", "float", "double")) {
                assertThatThrownBy(() -> read(each, type)).isInstanceOf(NullPointerException.class);
            }
        }
    }

    @Test
    @Section("3.11.3")
    void shouldRefuseEntriesWithoutAName() throws JMSException {
        MapMessage map = session.createMapMessage();
        for (String name : new String[] {null, ""}) {
            assertThatThrownBy(() -> map.setInt(name, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> map.setObject(name, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> map.setBytes(name, new byte[0])).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @Section("3.11.3")
    void shouldReadAnElementAgainThatCouldNotBeConverted() throws JMSException {
        StreamMessage stream = session.createStreamMessage();
        stream.writeString("word");
        stream.writeBoolean(true);
        stream.writeBytes(new byte[] {9});
        StreamMessage received = (StreamMessage) passed(session, stream);
        assertThatThrownBy(received::readInt).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(received::readChar).isInstanceOf(MessageFormatException.class);
        assertThat(received.readString()).isEqualTo("word");
        assertThatThrownBy(received::readDouble).isInstanceOf(MessageFormatException.class);
        assertThatThrownBy(() -> received.readBytes(new byte[1])).isInstanceOf(MessageFormatException.class);
        assertThat(received.readBoolean()).isTrue();
        assertThatThrownBy(received::readString).isInstanceOf(MessageFormatException.class);
        assertThat((byte[]) received.readObject()).containsExactly(9);
        assertThatThrownBy(received::readObject).isInstanceOf(MessageEOFException.class);
    }

    @Test
    @Section("3.11.3")
    void shouldReadByteArraysOfAStreamInPieces() throws JMSException {
        StreamMessage stream = session.createStreamMessage();
        stream.writeBytes(new byte[] {1, 2, 3, 4, 5});
        stream.writeBytes(new byte[] {9, 6, 7, 9}, 1, 2);
        stream.writeBytes(new byte[0]);
        stream.writeObject(null);
        stream.writeInt(8);
        StreamMessage received = (StreamMessage) passed(session, stream);
        byte[] two = new byte[2];
        assertThat(received.readBytes(two)).isEqualTo(2);
        assertThatThrownBy(received::readInt).isInstanceOf(MessageFormatException.class);
        assertThat(received.readBytes(two)).isEqualTo(2);
        assertThat(two).containsExactly(3, 4);
        assertThat(received.readBytes(two)).isEqualTo(1);
        assertThat(two[0]).isEqualTo((byte) 5);
        // A call that fills the array exactly cannot know that nothing is left: the next one says so.
        assertThat(received.readBytes(two)).isEqualTo(2);
        assertThat(two).containsExactly(6, 7);
        assertThat(received.readBytes(two)).isEqualTo(-1);
        assertThat(received.readBytes(two)).isZero();
        assertThat(received.readBytes(two)).isEqualTo(-1);
        assertThat(received.readInt()).isEqualTo(8);
    }

    @Test
    @Section("3.11.3")
    void shouldReadNullsOfAStream() throws JMSException {
        StreamMessage stream = session.createStreamMessage();
        stream.writeString(null);
        stream.writeObject(null);
        StreamMessage received = (StreamMessage) passed(session, stream);
        assertThat(received.readString()).isNull();
        assertThatThrownBy(received::readInt).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(received::readChar).isInstanceOf(NullPointerException.class);
        assertThat(received.readObject()).isNull();
    }

    @Test
    @Section("3.11")
    void shouldCarryBytes() throws JMSException {
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeBoolean(true);
        bytes.writeByte((byte) -1);
        bytes.writeShort((short) -2);
        bytes.writeChar('€');
        bytes.writeInt(3);
        bytes.writeLong(4);
        bytes.writeFloat(5.5f);
        bytes.writeDouble(6.5);
        bytes.writeUTF("Grüße");
        bytes.writeObject((byte) -1);
        bytes.writeShort((short) -1);
        bytes.writeBytes(new byte[] {7, 8, 9}, 1, 1);
        BytesMessage received = (BytesMessage) passed(session, bytes);
        assertThat(received.getBodyLength()).isEqualTo(43);
        assertThat(received.readBoolean()).isTrue();
        assertThat(received.readByte()).isEqualTo((byte) -1);
        assertThat(received.readShort()).isEqualTo((short) -2);
        assertThat(received.readChar()).isEqualTo('€');
        assertThat(received.readInt()).isEqualTo(3);
        assertThat(received.readLong()).isEqualTo(4);
        assertThat(received.readFloat()).isEqualTo(5.5f);
        assertThat(received.readDouble()).isEqualTo(6.5);
        assertThat(received.readUTF()).isEqualTo("Grüße");
        assertThat(received.readUnsignedByte()).isEqualTo(255);
        assertThat(received.readUnsignedShort()).isEqualTo(65_535);
        byte[] rest = new byte[3];
        assertThat(received.readBytes(rest)).isEqualTo(1);
        assertThat(rest[0]).isEqualTo((byte) 8);
        assertThat(received.readBytes(rest)).isEqualTo(-1);
        assertThatThrownBy(received::readByte).isInstanceOf(MessageEOFException.class);
        received.reset();
        assertThat(received.readBoolean()).isTrue();
    }

    @Test
    @Section("3.11.3")
    @Differs(on = Run.QPID_CLIENT, seen = "MessageEOFException", because = "it goes on to the end of the bytes")
    void shouldNotMoveWhenBytesEndTooSoon() throws JMSException {
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeShort((short) 7);
        BytesMessage received = (BytesMessage) passed(session, bytes);
        assertThatThrownBy(received::readInt).isInstanceOf(MessageEOFException.class);
        assertThat(received.readShort()).isEqualTo((short) 7);
        assertThatThrownBy(() -> received.readBytes(new byte[1], 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> received.readBytes(new byte[1], -1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @Section("10.3")
    void shouldRefuseObjectsThatABodyCannotHold() throws JMSException {
        BytesMessage bytes = session.createBytesMessage();
        StreamMessage stream = session.createStreamMessage();
        MapMessage map = session.createMapMessage();
        for (Object value : new Object[] {java.util.UUID.randomUUID(), new Object(), List.of()}) {
            assertThatThrownBy(() -> bytes.writeObject(value)).isInstanceOf(MessageFormatException.class);
            assertThatThrownBy(() -> stream.writeObject(value)).isInstanceOf(MessageFormatException.class);
            assertThatThrownBy(() -> map.setObject("v", value)).isInstanceOf(MessageFormatException.class);
        }
    }

    @Test
    @Section("3.12")
    void shouldRefuseNullInBytes() throws JMSException {
        BytesMessage bytes = session.createBytesMessage();
        assertThatThrownBy(() -> bytes.writeObject(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    @Section("3.11")
    void shouldNotReadWhatIsBeingWritten() throws JMSException {
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeInt(1);
        StreamMessage stream = session.createStreamMessage();
        stream.writeInt(1);
        assertThatThrownBy(bytes::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(bytes::getBodyLength).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(() -> bytes.readBytes(new byte[1])).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(stream::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(stream::readObject).isInstanceOf(MessageNotReadableException.class);
        bytes.reset();
        stream.reset();
        assertThat(bytes.readInt()).isEqualTo(stream.readInt());
        assertThatThrownBy(() -> bytes.writeInt(2)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> stream.writeInt(2)).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    @Section("3.11.2")
    void shouldKeepBodiesOfReceivedMessagesAsTheyAre() throws JMSException {
        TextMessage text = (TextMessage) passed(session, session.createTextMessage("text"));
        BytesMessage bytes = (BytesMessage) passed(session, session.createBytesMessage());
        MapMessage map = (MapMessage) passed(session, session.createMapMessage());
        StreamMessage stream = (StreamMessage) passed(session, session.createStreamMessage());
        ObjectMessage object = (ObjectMessage) passed(session, session.createObjectMessage("object"));
        assertThatThrownBy(() -> text.setText("x")).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> bytes.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> bytes.writeObject(1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> map.setInt("v", 1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> map.setBytes("v", new byte[1])).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> stream.writeInt(1)).isInstanceOf(MessageNotWriteableException.class);
        assertThatThrownBy(() -> object.setObject("x")).isInstanceOf(MessageNotWriteableException.class);
    }

    @Test
    @Section("3.11.1")
    void shouldBeginAnewWithAClearedBody() throws JMSException {
        TextMessage text = (TextMessage) passed(session, withProperty(session.createTextMessage("text")));
        BytesMessage bytes = (BytesMessage) passed(session, session.createBytesMessage());
        MapMessage newMap = session.createMapMessage();
        newMap.setInt("v", 1);
        MapMessage map = (MapMessage) passed(session, newMap);
        StreamMessage stream = (StreamMessage) passed(session, session.createStreamMessage());
        ObjectMessage object = (ObjectMessage) passed(session, session.createObjectMessage("object"));
        for (Message each : List.of(text, bytes, map, stream, object)) {
            each.clearBody();
        }
        assertThat(text.getText()).isNull();
        assertThat(text.getIntProperty("kept")).isEqualTo(1);
        assertThat(map.getMapNames().hasMoreElements()).isFalse();
        assertThat(object.getObject()).isNull();
        text.setText("new");
        map.setInt("w", 2);
        object.setObject("new");
        stream.writeInt(3);
        bytes.writeInt(4);
        assertThatThrownBy(bytes::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThatThrownBy(stream::readInt).isInstanceOf(MessageNotReadableException.class);
        assertThat(text(passed(session, text))).isEqualTo("new");
        assertThat(((MapMessage) passed(session, map)).getInt("w")).isEqualTo(2);
        assertThat(((ObjectMessage) passed(session, object)).getObject()).isEqualTo("new");
        assertThat(((StreamMessage) passed(session, stream)).readInt()).isEqualTo(3);
        assertThat(((BytesMessage) passed(session, bytes)).readInt()).isEqualTo(4);
    }

    private static Message withProperty(Message message) throws JMSException {
        message.setIntProperty("kept", 1);
        return message;
    }

    @ParameterizedTest
    @Section("3.11")
    @ValueSource(strings = {"", "text", "Grüße, 世界 \uD83D\uDE00", "\u0000\u0001\n", "<xml/>"})
    void shouldCarryTexts(String text) throws JMSException {
        assertThat(((TextMessage) passed(session, session.createTextMessage(text))).getText())
                .isEqualTo(text);
    }

    @Test
    @Section("3.11")
    void shouldCarryATextThatIsNull() throws JMSException {
        TextMessage received = (TextMessage) passed(session, session.createTextMessage());
        assertThat(received.getText()).isNull();
        assertThat(received.getBody(String.class)).isNull();
    }

    @Test
    @Section("3.11")
    void shouldCarryLargeBodies() throws JMSException {
        String text = "0123456789abcdef".repeat(40_000);
        assertThat(text(passed(session, session.createTextMessage(text)))).isEqualTo(text);
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeBytes(new byte[300_000]);
        assertThat(passed(session, bytes).getBody(byte[].class)).hasSize(300_000);
    }

    @Test
    @Section("3.11")
    void shouldCarryObjectsAsTheyWereWhenTheyWereSet() throws JMSException {
        ArrayList<String> list = new ArrayList<>(List.of("a"));
        ObjectMessage message = session.createObjectMessage(list);
        list.add("b");
        ObjectMessage received = (ObjectMessage) passed(session, message);
        assertThat(received.getObject()).isEqualTo(List.of("a"));
        assertThat(received.getObject()).isNotSameAs(received.getObject());
        assertThat(((ObjectMessage) passed(session, session.createObjectMessage())).getObject())
                .isNull();
    }

    @Test
    @Section("3.11.4")
    void shouldCarryEachFormAsItself() throws JMSException {
        assertThat(passed(session, session.createMessage()))
                .isNotInstanceOfAny(TextMessage.class, BytesMessage.class, MapMessage.class, StreamMessage.class);
        assertThat(passed(session, session.createTextMessage())).isInstanceOf(TextMessage.class);
        assertThat(passed(session, session.createBytesMessage())).isInstanceOf(BytesMessage.class);
        assertThat(passed(session, session.createMapMessage())).isInstanceOf(MapMessage.class);
        assertThat(passed(session, session.createStreamMessage())).isInstanceOf(StreamMessage.class);
        assertThat(passed(session, session.createObjectMessage())).isInstanceOf(ObjectMessage.class);
    }

    @Test
    @Section("3.7")
    void shouldGiveTheBodyAsWhatItCanBeAssignedTo() throws JMSException {
        Message text = passed(session, session.createTextMessage("text"));
        assertThat(text.getBody(CharSequence.class)).isEqualTo("text");
        assertThat(text.getBody(Object.class)).isEqualTo("text");
        assertThat(text.isBodyAssignableTo(String.class)).isTrue();
        assertThat(text.isBodyAssignableTo(byte[].class)).isFalse();
        assertThatThrownBy(() -> text.getBody(Map.class)).isInstanceOf(MessageFormatException.class);

        MapMessage newMap = session.createMapMessage();
        newMap.setInt("v", 1);
        Message map = passed(session, newMap);
        assertThat((Object) map.getBody(Map.class)).isEqualTo(Map.of("v", 1));
        assertThat(map.getBody(Object.class)).isEqualTo(Map.of("v", 1));
        assertThatThrownBy(() -> map.getBody(String.class)).isInstanceOf(MessageFormatException.class);

        BytesMessage newBytes = session.createBytesMessage();
        newBytes.writeByte((byte) 1);
        BytesMessage bytes = (BytesMessage) passed(session, newBytes);
        bytes.readByte();
        assertThat(bytes.getBody(byte[].class)).containsExactly(1);
        assertThat(bytes.isBodyAssignableTo(Object.class)).isTrue();
        assertThatThrownBy(() -> bytes.getBody(String.class)).isInstanceOf(MessageFormatException.class);
    }

    @Test
    @Section("3.7")
    void shouldGiveABodyOnlyWhereThereIsOne() throws JMSException {
        Message object = passed(session, session.createObjectMessage(5));
        assertThat(object.getBody(Integer.class)).isEqualTo(5);
        assertThat(object.getBody(Serializable.class)).isEqualTo(5);
        assertThat(object.isBodyAssignableTo(String.class)).isFalse();
        assertThatThrownBy(() -> object.getBody(String.class)).isInstanceOf(MessageFormatException.class);

        StreamMessage newStream = session.createStreamMessage();
        newStream.writeInt(1);
        Message stream = passed(session, newStream);
        assertThat(stream.isBodyAssignableTo(Object.class)).isFalse();
        assertThatThrownBy(() -> stream.getBody(Object.class)).isInstanceOf(MessageFormatException.class);

        Message none = passed(session, session.createMessage());
        assertThat(none.isBodyAssignableTo(String.class)).isTrue();
        assertThat(none.getBody(String.class)).isNull();
    }

    @Test
    @Section("3.7")
    void shouldResetBytesBeforeAndAfterItGivesThem() throws JMSException {
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeByte((byte) 1);
        bytes.writeByte((byte) 2);
        BytesMessage received = (BytesMessage) passed(session, bytes);
        received.readByte();
        assertThat(received.getBody(byte[].class)).containsExactly(1, 2);
        assertThat(received.readByte()).isEqualTo((byte) 1);
    }

    @Test
    @Section("3.9")
    void shouldSendWhatAMessageIsAtThatTime() throws JMSException {
        Queue queue = queue(session);
        TextMessage message = session.createTextMessage("first");
        message.setIntProperty("n", 1);
        send(session, queue, message);
        message.setText("second");
        message.setIntProperty("n", 2);
        send(session, queue, message);
        MessageConsumer consumer = session.createConsumer(queue);
        Message first = take(consumer);
        Message second = take(consumer);
        assertThat(text(first) + first.getIntProperty("n")).isEqualTo("first1");
        assertThat(text(second) + second.getIntProperty("n")).isEqualTo("second2");
    }

    @Test
    @Section("3.9")
    void shouldLetTheSenderReadAndWriteItsMessageAgain() throws JMSException {
        MapMessage map = session.createMapMessage();
        map.setInt("v", 1);
        send(session, queue(session), map);
        assertThat(map.getInt("v")).isEqualTo(1);
        map.setInt("v", 2);
        assertThat(((MapMessage) passed(session, map)).getInt("v")).isEqualTo(2);
    }

    @Test
    @Section("3.10")
    void shouldRedeliverWhatWasSentAndNotWhatTheReceiverMadeOfIt() throws JMSException {
        Queue queue = queue(session);
        TextMessage message = session.createTextMessage("text");
        message.setStringProperty("p", "property");
        send(session, queue, message);
        Session client = session(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        TextMessage received = (TextMessage) take(consumer);
        received.clearBody();
        received.setText("changed");
        received.clearProperties();
        received.setStringProperty("p", "changed");
        received.setJMSType("changed");

        client.recover();

        Message again = take(consumer);
        assertThat(text(again)).isEqualTo("text");
        assertThat(again.getStringProperty("p")).isEqualTo("property");
        assertThat(again.getJMSType()).isNull();
    }

    @Test
    @Section("3.12")
    @Differs(on = Run.QPID_CLIENT, seen = "[2]", because = "it keeps the array that it is given")
    void shouldCopyArraysInAndOut() throws JMSException {
        byte[] in = {1};
        MapMessage map = session.createMapMessage();
        map.setBytes("set", in);
        map.setObject("object", in);
        StreamMessage stream = session.createStreamMessage();
        stream.writeBytes(in);
        stream.writeObject(in);
        in[0] = 2;
        map.getBytes("set")[0] = 3;
        ((byte[]) map.getObject("object"))[0] = 3;
        assertThat(map.getBytes("set")).containsExactly(1);
        assertThat(map.getBytes("object")).containsExactly(1);
        stream.reset();
        assertThat((byte[]) stream.readObject()).containsExactly(1);
        ((byte[]) stream.readObject())[0] = 3;
        stream.reset();
        stream.readObject();
        assertThat((byte[]) stream.readObject()).containsExactly(1);
    }

    /** Of the same interface, and none of the provider's classes. */
    private static <T extends Message> T foreign(Class<T> type, T message) {
        return type.cast(Proxy.newProxyInstance(
                MessageBodies.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(message, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    @Section("3.12")
    void shouldSendMessagesOfForeignClasses() throws JMSException {
        TextMessage text = session.createTextMessage("text");
        text.setJMSType("type");
        text.setJMSCorrelationID("id");
        text.setIntProperty("n", 1);
        MapMessage map = session.createMapMessage();
        map.setBytes("v", new byte[] {1});
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeInt(7);
        bytes.reset();
        StreamMessage stream = session.createStreamMessage();
        stream.writeBytes(new byte[] {2, 3});
        stream.writeString("end");
        stream.reset();

        Message receivedText = passed(session, foreign(TextMessage.class, text));
        assertThat(text(receivedText)).isEqualTo("text");
        assertThat(receivedText.getJMSType()).isEqualTo("type");
        assertThat(receivedText.getJMSCorrelationID()).isEqualTo("id");
        assertThat(receivedText.getIntProperty("n")).isEqualTo(1);
        assertThat(text.getJMSMessageID()).isEqualTo(receivedText.getJMSMessageID());
        MapMessage receivedMap = (MapMessage) passed(session, foreign(MapMessage.class, map));
        assertThat(names(receivedMap.getMapNames())).hasSize(1);
        assertThat(receivedMap.getBytes("v")).containsExactly(1);
        assertThat(((BytesMessage) passed(session, foreign(BytesMessage.class, bytes))).readInt())
                .isEqualTo(7);
        StreamMessage receivedStream = (StreamMessage) passed(session, foreign(StreamMessage.class, stream));
        assertThat((byte[]) receivedStream.readObject()).containsExactly(2, 3);
        assertThat(receivedStream.readString()).isEqualTo("end");
        assertThat(((ObjectMessage) passed(session, foreign(ObjectMessage.class, session.createObjectMessage("o"))))
                        .getObject())
                .isEqualTo("o");
        assertThat(passed(session, foreign(Message.class, session.createMessage())))
                .isNotNull();
    }
}
