package dev.avocet.core.journal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.LogWriter;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * What is written is read back, and whatever the bytes are, nothing but a {@link JournalException} comes of reading
 * them.
 */
class RecordPropertyTest {
    private sealed interface Value {
        void writeTo(RecordBuffer buffer);

        void readFrom(RecordReader reader) throws JournalException;
    }

    private record ByteValue(int value) implements Value {
        @Override
        public void writeTo(RecordBuffer buffer) {
            buffer.putByte(value);
        }

        @Override
        public void readFrom(RecordReader reader) throws JournalException {
            assertThat(reader.readByte()).isEqualTo(value & 0xFF);
        }
    }

    private record IntValue(int value) implements Value {
        @Override
        public void writeTo(RecordBuffer buffer) {
            buffer.putInt(value);
        }

        @Override
        public void readFrom(RecordReader reader) throws JournalException {
            assertThat(reader.readInt()).isEqualTo(value);
        }
    }

    private record LongValue(long value) implements Value {
        @Override
        public void writeTo(RecordBuffer buffer) {
            buffer.putLong(value);
            buffer.putVarLong(value);
        }

        @Override
        public void readFrom(RecordReader reader) throws JournalException {
            assertThat(reader.readLong()).isEqualTo(value);
            assertThat(reader.readVarLong()).isEqualTo(value);
        }
    }

    private record TextValue(String value) implements Value {
        @Override
        public void writeTo(RecordBuffer buffer) {
            buffer.putText(value);
        }

        @Override
        public void readFrom(RecordReader reader) throws JournalException {
            assertThat(reader.readText()).isEqualTo(value);
        }
    }

    private record BytesValue(byte[] value) implements Value {
        @Override
        public void writeTo(RecordBuffer buffer) {
            buffer.putBytes(value);
            buffer.putRaw(value, 0, value.length);
        }

        @Override
        public void readFrom(RecordReader reader) throws JournalException {
            assertThat(reader.readBytes()).isEqualTo(value);
            reader.skip(value.length);
        }
    }

    @Property
    void shouldReadWhatWasWritten(@ForAll("values") List<Value> values, @ForAll @IntRange(max = 50) int reserved)
            throws JournalException {
        // given
        RecordBuffer buffer = new RecordBuffer(1);
        buffer.reset(0);
        buffer.putRaw(new byte[reserved], 0, reserved);

        // when
        values.forEach(value -> value.writeTo(buffer));

        // then
        RecordReader reader = new RecordReader().over(buffer.array(), reserved, buffer.length());
        for (Value value : values) {
            value.readFrom(reader);
        }
        assertThat(reader.hasMore()).isFalse();
        assertThatThrownBy(reader::readByte).isInstanceOf(JournalException.class);
    }

    @Property
    void shouldNoticeThatTheEndIsMissing(@ForAll("values") @Size(min = 1) List<Value> values) {
        // given
        RecordBuffer buffer = new RecordBuffer(64);
        values.forEach(value -> value.writeTo(buffer));

        // when
        RecordReader reader = new RecordReader().over(buffer.array(), 0, buffer.length() - 1);

        // then
        assertThatThrownBy(() -> {
                    for (Value value : values) {
                        value.readFrom(reader);
                    }
                })
                .isInstanceOf(JournalException.class);
    }

    @Property
    void shouldReadAnyBytesInsideItsBounds(@ForAll byte[] bytes, @ForAll List<@IntRange(max = 6) Integer> steps) {
        // given
        byte[] surrounded = new byte[bytes.length + 20];
        System.arraycopy(bytes, 0, surrounded, 10, bytes.length);
        RecordReader reader = new RecordReader().over(surrounded, 10, 10 + bytes.length);

        for (int step : steps) {
            // when
            try {
                step(reader, step);
            } catch (JournalException e) {
                assertThat(e)
                        .hasMessageMatching("the record ends too early|.* does not end|.* is not a count or length");
            }

            // then
            assertThat(reader.at()).isBetween(10, 10 + bytes.length);
        }
    }

    @Property
    void shouldKnowAWholeRecordFromADamagedOne(
            @ForAll @Size(max = 300) byte[] body,
            @ForAll long sequence,
            @ForAll @IntRange int at,
            @ForAll byte change) {
        // given
        int length = RecordHeader.BYTES + body.length;
        byte[] record = new byte[length + 5];
        System.arraycopy(body, 0, record, RecordHeader.BYTES, body.length);
        RecordHeader.write(record, length, 7, sequence, 8 * sequence, sequence - 1, 3);

        // then
        assertThat(RecordHeader.isValid(record, 0, length + 5)).isTrue();
        assertThat(RecordHeader.sequence(record, 0)).isEqualTo(sequence);
        assertThat(RecordHeader.isValid(record, 0, length - 1)).isFalse();

        // and when
        record[Math.floorMod(at, length)] ^= change;

        // then
        assertThat(RecordHeader.isValid(record, 0, length + 5)).isEqualTo(change == 0);
    }

    @Property
    void shouldTakeNoRandomBytesForARecord(@ForAll @Size(min = 40, max = 200) byte[] bytes) {
        // given
        byte[] withMagic = bytes.clone();
        System.arraycopy(LogWriter.record(1, 1, 8, 0, RecordHeader.BYTES), 24, withMagic, 24, Integer.BYTES);

        // when, then
        assertThat(RecordHeader.isValid(bytes, 0, bytes.length)).isFalse();
        assertThat(RecordHeader.isValid(withMagic, 0, bytes.length)).isFalse();
    }

    @Provide
    Arbitrary<List<Value>> values() {
        Arbitrary<Value> bytes = Arbitraries.bytes().map(value -> new ByteValue(value));
        Arbitrary<Value> ints = Arbitraries.integers().map(IntValue::new);
        Arbitrary<Value> longs = Arbitraries.longs().map(LongValue::new);
        Arbitrary<Value> texts = Arbitraries.strings()
                .all()
                .ofMaxLength(300)
                .filter(text -> text.chars().noneMatch(c -> Character.isSurrogate((char) c)))
                .map(TextValue::new);
        Arbitrary<Value> arrays = Arbitraries.bytes().array(byte[].class).map(BytesValue::new);
        return Arbitraries.oneOf(bytes, ints, longs, texts, arrays).list().ofMaxSize(30);
    }

    private static void step(RecordReader reader, int step) throws JournalException {
        switch (step) {
            case 0 -> reader.readByte();
            case 1 -> reader.readInt();
            case 2 -> reader.readLong();
            case 3 -> reader.readVarLong();
            case 4 -> reader.readVarInt();
            case 5 -> assertThat(reader.readBytes().length).isLessThanOrEqualTo(reader.array().length);
            default -> assertThat(reader.readText().length()).isLessThanOrEqualTo(reader.array().length);
        }
    }
}
