package dev.avocet.core.store.entry;

import dev.avocet.core.journal.record.RecordBuffer;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.MessageProperties;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Writing the entry of a message for one queue: with the checksum of its own, and without, as it was before. And what
 * looking at that checksum costs when a message is read back.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MessageEntryBenchmark {
    private static final int BATCH = 100;

    @Param({"32", "1024", "65536"})
    private int payloadBytes;

    private final RecordBuffer buffer = new RecordBuffer(1 << 20);
    private final EntryWriter out = new EntryWriter(buffer);
    private final CRC32C checksum = new CRC32C();
    private Message message;
    private int entryBytes;

    @Setup
    public void write() {
        message = new Message(
                TopicName.of("building/4/floor/2/temperature"),
                QualityOfService.AT_LEAST_ONCE,
                false,
                new byte[payloadBytes],
                MessageProperties.NONE,
                Message.NEVER,
                "publisher-1");
        buffer.reset(0);
        writeContent(1);
        entryBytes = out.endMessage();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int withChecksum() {
        int bytes = 0;
        for (int i = 0; i < BATCH; i++) {
            buffer.reset(0);
            writeContent(i);
            bytes += out.endMessage();
        }
        return bytes;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int without() {
        int bytes = 0;
        for (int i = 0; i < BATCH; i++) {
            buffer.reset(0);
            writeContent(i);
            bytes += out.end();
        }
        return bytes;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int check() {
        int whole = 0;
        for (int i = 0; i < BATCH; i++) {
            whole += MessageEntry.isWhole(buffer.array(), 0, entryBytes, checksum) ? 1 : 0;
        }
        return whole;
    }

    private void writeContent(long reference) {
        out.begin(EntryKind.MESSAGE);
        out.messageHead(message, false, EntryFormat.NO_TRANSACTION, 1, 0);
        out.target(4, reference, null);
        out.content(message);
    }
}
