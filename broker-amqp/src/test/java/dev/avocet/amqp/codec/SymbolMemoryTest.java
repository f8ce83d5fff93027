package dev.avocet.amqp.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.junit.jupiter.api.Test;

/** Symbols in performatives, which ProtonJ2 would remember without a bound. */
final class SymbolMemoryTest {
    private final SymbolMemory memory = new SymbolMemory(2);

    @Test
    void shouldLetThroughSoManyDifferentSymbols() throws AmqpException {
        // given
        scan(symbol("one"), symbol("two"));

        // when, then
        scan(symbol("two"), longSymbol("one"));
        assertThatThrownBy(() -> scan(symbol("three")))
                .isInstanceOfSatisfying(
                        AmqpException.class,
                        e -> assertThat(e.condition().getCondition()).isEqualTo(AmqpError.RESOURCE_LIMIT_EXCEEDED));
        assertThatThrownBy(() -> scan(longSymbol("four"))).isInstanceOf(AmqpException.class);
        assertThatThrownBy(() -> scan(array("five"))).isInstanceOf(AmqpException.class);
    }

    @Test
    void shouldAlwaysLetThroughWhatUsualClientsSay() throws AmqpException {
        // given
        scan(symbol("one"), symbol("two"));

        // when, then
        scan(symbol("queue"), symbol("sole-connection-for-container"), array("product"));
    }

    @Test
    void shouldNotCountWhatIsNotRemembered() throws AmqpException {
        for (int i = 0; i < 10; i++) {
            scan(symbol("x".repeat(65) + i));
        }
        scan(symbol("one"), symbol("two"));
    }

    @Test
    void shouldNotCountStrings() throws AmqpException {
        for (int i = 0; i < 10; i++) {
            scan(new byte[] {(byte) 0xA1, 1, (byte) ('a' + i)});
        }
    }

    /** A begin with those fields. */
    private void scan(byte[]... fields) throws AmqpException {
        int length = 0;
        for (byte[] field : fields) {
            length += field.length;
        }
        ByteBuffer begin = ByteBuffer.allocate(6 + length)
                .put(new byte[] {0, 0x53, 0x11, (byte) 0xC0, (byte) (length + 1), (byte) fields.length});
        for (byte[] field : fields) {
            begin.put(field);
        }
        assertThat(TypeScan.performativeEnd(begin.array(), 0, begin.capacity(), memory))
                .isEqualTo(begin.capacity());
    }

    private static byte[] symbol(String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(2 + ascii.length)
                .put((byte) 0xA3)
                .put((byte) ascii.length)
                .put(ascii)
                .array();
    }

    private static byte[] longSymbol(String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(5 + ascii.length)
                .put((byte) 0xB3)
                .putInt(ascii.length)
                .put(ascii)
                .array();
    }

    private static byte[] array(String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(5 + ascii.length)
                .put((byte) 0xE0)
                .put((byte) (ascii.length + 3))
                .put((byte) 1)
                .put((byte) 0xA3)
                .put((byte) ascii.length)
                .put(ascii)
                .array();
    }
}
