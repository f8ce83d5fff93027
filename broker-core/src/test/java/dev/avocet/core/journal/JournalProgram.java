package dev.avocet.core.journal;

import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.disk.ForgetfulStorage;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.record.RecordHeader;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A process to be killed: appends records without end, forces them beside, and prints up to which one they are durable.
 * A third thread keeps a spare segment, a fourth reads back.
 *
 * <p>Arguments: kind of journal, directory, bytes of a segment, and whether to force.
 */
final class JournalProgram {
    private static final int RECORD_MAX_BYTES = 3_000;
    private static final int UNFORCED_MAX = 400;
    private static final long REST_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final Journal journal;
    private final LogWriter writer;
    private final AtomicLong appended = new AtomicLong();
    private final AtomicLong durable = new AtomicLong();
    private final AtomicReference<long[]> newest = new AtomicReference<>();

    private JournalProgram(Journal journal) throws JournalException {
        this.journal = journal;
        writer = new LogWriter(journal, journal.scan(Position.BEGINNING, new FoundRecords()));
        appended.set(writer.sequence());
        durable.set(writer.sequence());
    }

    public static void main(String[] arguments) throws JournalException {
        Storage storage = Boolean.parseBoolean(arguments[3]) ? new DiskStorage() : new ForgetfulStorage();
        Journal journal =
                JournalKind.valueOf(arguments[0]).open(storage, Path.of(arguments[1]), Integer.parseInt(arguments[2]));
        JournalProgram program = new JournalProgram(journal);
        start(program::force);
        start(program::prepare);
        start(program::read);
        System.out.println("begun");
        program.append();
    }

    private void append() throws JournalException {
        SplittableRandom sizes = new SplittableRandom();
        while (true) {
            int length = sizes.nextInt(RecordHeader.BYTES + Long.BYTES, RECORD_MAX_BYTES);
            writer.durable(durable.get());
            newest.set(new long[] {writer.append(length), writer.sequence(), length});
            appended.set(writer.sequence());
            while (appended.get() - durable.get() > UNFORCED_MAX) {
                rest();
            }
        }
    }

    private void force() throws JournalException {
        while (true) {
            long upTo = appended.get();
            if (upTo > durable.get()) {
                journal.force();
                durable.set(upTo);
                System.out.println(upTo + " " + journal.segments().size());
            }
            rest();
        }
    }

    private void prepare() throws JournalException {
        while (true) {
            if (!journal.hasSpare()) {
                journal.prepareSpare();
            }
            rest();
        }
    }

    private void read() throws JournalException {
        while (true) {
            long[] record = newest.get();
            if (record != null) {
                byte[] bytes = new byte[(int) record[2]];
                journal.read(record[0], bytes, 0, bytes.length);
                if (!RecordHeader.isValid(bytes, 0, bytes.length) || RecordHeader.sequence(bytes, 0) != record[1]) {
                    throw new JournalException("read something else at " + Position.show(record[0]));
                }
            }
            rest();
        }
    }

    /** Leaves the processors to the threads that have something to do. */
    private static void rest() {
        LockSupport.parkNanos(REST_NS);
    }

    private static void start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (JournalException e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @FunctionalInterface
    private interface Task {
        void run() throws JournalException;
    }
}
