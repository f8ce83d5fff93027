package dev.avocet.jms.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.jms.Allocations;
import dev.avocet.jms.Lies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What claims more than there is of it is refused before memory is taken for it, by whoever reads and by whoever only
 * checks.
 */
final class HostileTypesTest {
    /** An exception, its words, and the reader. */
    private static final long BYTES_PER_VALUE = 16 * 1024;
    /** An empty list of one byte is some forty bytes of heap. */
    private static final long BYTES_PER_BYTE = 80;

    private static final int LARGE_BYTES = 200_000;

    @ParameterizedTest
    @EnumSource
    void shouldRefuseALieAndNameIt(final Lies lie) {
        final byte[] bytes = lie.bytes();

        assertThatThrownBy(() -> new AmqpReader(bytes, 0).readObject())
                .isInstanceOf(MalformedAmqpException.class)
                .hasMessageContaining(lie.named());
        assertThatThrownBy(() -> new AmqpReader(bytes, 0).check())
                .isInstanceOf(MalformedAmqpException.class)
                .hasMessageContaining(lie.named());
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeNoMemoryForALie(final Lies lie) {
        assertInProportion(lie.bytes());
        assertInProportion(listOf(List.of(lie.bytes(), lie.bytes())));
        assertInProportion(joined(new byte[] {0, 0x53, 0x77}, lie.bytes()));
    }

    /** Each is not too large for what comes after it, and all of them together are a million times what came. */
    @Test
    void shouldTakeNoMemoryForManyArraysThatClaimWhatIsLeftOfAllOthers() {
        final List<byte[]> arrays = new ArrayList<>();
        for (int left = LARGE_BYTES; left > 0; left -= 10) {
            arrays.add(ByteBuffer.allocate(10)
                    .put((byte) 0xf0)
                    .putInt(5)
                    .putInt(left)
                    .put((byte) 0x45)
                    .array());
        }

        assertInProportion(listOf(arrays));
    }

    @Test
    void shouldTakeNoMemoryForManySmallArraysOfNothing() {
        final byte[] array = {(byte) 0xe0, 2, (byte) 255, 0x45};

        assertInProportion(listOf(IntStream.range(0, LARGE_BYTES / array.length)
                .mapToObj(i -> array)
                .toList()));
    }

    @Test
    void shouldTakeNoMemoryForListsWithinListsThatAllClaimWhatIsLeft() {
        final ByteBuffer bytes = ByteBuffer.allocate(LARGE_BYTES);
        for (int level = 0; level < 31; level++) {
            bytes.put((byte) 0xd0).putInt(bytes.remaining() - 4).putInt(bytes.remaining() - 4);
        }
        Arrays.fill(bytes.array(), bytes.position(), LARGE_BYTES, (byte) 0x40);

        assertInProportion(bytes.array());
    }

    @Test
    void shouldRefuseElementsThatEndBeforeOrBehindWhatTheyAreIn() {
        final byte[] early = {(byte) 0xc0, 4, 1, 0x40, 0x40, 0x40};
        final byte[] late = {(byte) 0xc0, 4, 2, (byte) 0xc0, 3, 1, 0x40, 0x40};

        for (final byte[] bytes : List.of(early, late)) {
            assertThatThrownBy(() -> new AmqpReader(bytes, 0).readObject()).isInstanceOf(MalformedAmqpException.class);
            assertThatThrownBy(() -> new AmqpReader(bytes, 0).check()).isInstanceOf(MalformedAmqpException.class);
        }
    }

    @Test
    void shouldReadArraysOfNothingAndOfDescribedValues() {
        final byte[] truths = {(byte) 0xe0, 2, 3, 0x41};
        final byte[] described = {(byte) 0xe0, 7, 2, 0, 0x53, 9, 0x52, 1, 2};

        assertThat(new AmqpReader(truths, 0).readObject()).isEqualTo(List.of(true, true, true));
        final Unsigned nine = new Unsigned(Unsigned.Width.ULONG, 9);
        assertThat(new AmqpReader(described, 0).readObject())
                .isEqualTo(List.of(
                        new Described(nine, new Unsigned(Unsigned.Width.UINT, 1)),
                        new Described(nine, new Unsigned(Unsigned.Width.UINT, 2))));
        new AmqpReader(truths, 0).check();
        new AmqpReader(described, 0).check();
    }

    /**
     * Of anything: who checks and who reads agree, memory is in proportion, and ProtonJ2 takes no more than that either
     * for what was let through.
     */
    @Test
    void shouldSurviveWhateverComes() {
        final Random random = new Random(11);
        int passed = 0;
        for (int round = 0; round < 2_000; round++) {
            final byte[] bytes = new AnyTypes(random).next();
            for (int damage = random.nextInt(3); damage > 0; damage--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            final boolean checked = ends(bytes, AmqpReader::check);
            assertThat(ends(bytes, AmqpReader::readObject) && !checked)
                    .as("read but not let through: %s", Arrays.toString(bytes))
                    .isFalse();
            assertInProportion(bytes);
            if (checked) {
                passed++;
                assertThat(Allocations.bytesOf(() -> decodeByProton(bytes)))
                        .as("taken by ProtonJ2 for %s", Arrays.toString(bytes))
                        .isLessThan(BYTES_PER_VALUE + BYTES_PER_BYTE * bytes.length);
            }
        }
        assertThat(passed).isBetween(400, 1_960);
    }

    private static void decodeByProton(final byte[] bytes) {
        try {
            final Object unused = CodecFactory.getDecoder()
                    .readObject(
                            ProtonBufferAllocator.defaultAllocator().copy(bytes),
                            CodecFactory.getDecoder().newDecoderState());
        } catch (final RuntimeException e) {
            // It may refuse more, and says so in many ways; the engine takes them all.
        }
    }

    private static boolean ends(final byte[] bytes, final Consumer<AmqpReader> how) {
        try {
            how.accept(new AmqpReader(bytes, 0));
            return true;
        } catch (final MalformedAmqpException e) {
            return false;
        }
    }

    private static void assertInProportion(final byte[] bytes) {
        final long most = BYTES_PER_VALUE + BYTES_PER_BYTE * bytes.length;
        assertThat(Allocations.bytesOf(() -> ends(bytes, AmqpReader::readObject)))
                .as("taken to read %d bytes", bytes.length)
                .isLessThan(most);
        assertThat(Allocations.bytesOf(() -> ends(bytes, AmqpReader::check)))
                .as("taken to check %d bytes", bytes.length)
                .isLessThan(BYTES_PER_VALUE);
    }

    private static byte[] listOf(final List<byte[]> elements) {
        final byte[] all = joined(elements.toArray(byte[][]::new));
        return joined(
                ByteBuffer.allocate(9)
                        .put((byte) 0xd0)
                        .putInt(all.length + 4)
                        .putInt(elements.size())
                        .array(),
                all);
    }

    private static byte[] joined(final byte[]... parts) {
        final ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(parts).mapToInt(part -> part.length).sum());
        Arrays.stream(parts).forEach(all::put);
        return all.array();
    }
}
