package dev.avocet.jms.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.amqp.frame.TypeCode;
import dev.avocet.testkit.turn.InTurn;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.junit.jupiter.api.Test;

/** Held against ProtonJ2's codec. */
@InTurn
final class AmqpCodecTest {
    private static byte[] encoded(final Object value) {
        final AmqpWriter writer = new AmqpWriter();
        writer.writeObject(value);
        return writer.toByteArray();
    }

    private static Object decoded(final byte[] bytes) {
        return new AmqpReader(bytes, 0).readObject();
    }

    private static List<Object> values() {
        final Map<Object, Object> large = new LinkedHashMap<>();
        for (int i = 0; i < 300; i++) {
            large.put("key" + i, (long) i << i % 60);
        }
        return List.of(
                true,
                (byte) -1,
                (short) 300,
                0,
                -128,
                127,
                128,
                Integer.MIN_VALUE,
                0L,
                -1L,
                Long.MAX_VALUE,
                1.5f,
                -2.5,
                'ö',
                "",
                "text",
                "ö".repeat(300),
                new UUID(1, -2),
                List.of(),
                List.of(1, "two", 3L),
                large,
                Map.of("nested", List.of(Map.of("deep", 1))));
    }

    @Test
    void shouldReadWhatItWrites() {
        for (final Object value : values()) {
            assertThat(decoded(encoded(value))).isEqualTo(value);
        }
        assertThat(decoded(encoded(new byte[300]))).isEqualTo(new byte[300]);
        assertThat(decoded(encoded(Instant.ofEpochMilli(42)))).isEqualTo(Instant.ofEpochMilli(42));
        assertThat(decoded(encoded(new Symbol("symbol")))).isEqualTo(new Symbol("symbol"));
        for (final Unsigned.Width width : Unsigned.Width.values()) {
            assertThat(decoded(encoded(new Unsigned(width, 200)))).isEqualTo(new Unsigned(width, 200));
        }
    }

    @Test
    void shouldWriteWhatAnotherCodecReads() {
        for (final Object value : values()) {
            final ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().copy(encoded(value));
            final Object read = CodecFactory.getDecoder()
                    .readObject(buffer, CodecFactory.getDecoder().newDecoderState());
            assertThat(read).isEqualTo(value);
            assertThat(buffer.getReadableBytes()).isZero();
        }
    }

    @Test
    void shouldReadWhatAnotherCodecWrites() {
        for (final Object value : values()) {
            final ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().allocate();
            CodecFactory.getEncoder()
                    .writeObject(buffer, CodecFactory.getEncoder().newEncoderState(), value);
            final byte[] bytes = new byte[buffer.getReadableBytes()];
            buffer.readBytes(bytes, 0, bytes.length);
            final AmqpReader skipping = new AmqpReader(bytes, 0);
            skipping.skip();

            assertThat(decoded(bytes)).isEqualTo(value);
            assertThat(skipping.isAtEnd()).isTrue();
        }
    }

    /** Whatever comes is read or refused: no other exception, and no memory beyond what came. */
    @Test
    void shouldReadOrRefuseGarbage() {
        final Random random = new Random(42);
        int refused = 0;
        for (int round = 0; round < 100_000; round++) {
            final byte[] bytes;
            if (round % 2 == 0) {
                bytes = new byte[random.nextInt(64)];
                random.nextBytes(bytes);
            } else {
                bytes = encoded(values().get(random.nextInt(values().size())));
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                decoded(bytes);
                new AmqpReader(bytes, 0).skip();
            } catch (final MalformedAmqpException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void shouldRefuseDeepNestingAndHostileSizes() {
        List<Object> nested = List.of();
        for (int i = 0; i < 100; i++) {
            nested = List.of(nested);
        }
        final byte[] deep = encoded(nested);
        assertThatThrownBy(() -> decoded(deep)).hasMessageContaining("nested");
        assertThatThrownBy(() -> decoded(new byte[] {(byte) TypeCode.BINARY_32, 0x7f, -1, -1, -1}))
                .isInstanceOf(MalformedAmqpException.class)
                .hasNoCause();
        assertThatThrownBy(() -> decoded(new byte[] {(byte) TypeCode.LIST_32, 0, 0, 0, 4, 0x7f, -1, -1, -1}))
                .isInstanceOf(MalformedAmqpException.class);
    }
}
