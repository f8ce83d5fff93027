package dev.avocet.core.journal;

import dev.avocet.core.journal.chronicle.ChronicleFlags;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** A running {@link JournalProgram}. */
final class JournalProcess implements AutoCloseable {
    static final int SEGMENT_BYTES = 64 * 1024;

    private static final int LONGEST_WAIT_SECONDS = 120;

    private final Process process;
    private final Thread reader;
    private final Queue<String> otherLines = new ConcurrentLinkedQueue<>();
    private volatile long durable;
    private volatile int segments;

    private JournalProcess(Process process) {
        this.process = process;
        reader = new Thread(this::readLines, "output of the journal process");
        reader.start();
    }

    /**
     * @param launcher words in front of the command
     * @param forces false for a storage that forgets to
     */
    static JournalProcess start(List<String> launcher, JournalKind kind, Path directory, boolean forces)
            throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                ChronicleFlags.EXPORT_CHANNELS, ChronicleFlags.EXPORT_REFERENCES, ChronicleFlags.OPEN_REFLECTION));
        command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:-CreateCoredumpOnCrash"));
        command.addAll(List.of("-XX:ErrorFile=/dev/null", "-cp", System.getProperty("java.class.path")));
        command.add(JournalProgram.class.getName());
        command.addAll(
                List.of(kind.name(), directory.toString(), Integer.toString(SEGMENT_BYTES), Boolean.toString(forces)));
        return new JournalProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Up to which record it has said that they are durable. */
    long durable() {
        return durable;
    }

    int segments() {
        return segments;
    }

    /** Waits for something that it prints. */
    void await(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .atMost(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)
                .until(() -> condition.getAsBoolean() || hasEnded());
    }

    private boolean hasEnded() {
        if (!process.isAlive()) {
            throw new AssertionError("the process has ended by itself: " + String.join("\n", otherLines));
        }
        return false;
    }

    /** SIGKILL; everything that it has printed is known afterwards. */
    void kill() throws InterruptedException {
        // Not by the process itself, which would throw away what is not read yet.
        process.toHandle().destroyForcibly();
        if (!process.waitFor(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the process does not end");
        }
        reader.join(TimeUnit.SECONDS.toMillis(LONGEST_WAIT_SECONDS));
    }

    private void readLines() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                if (words.length == 2 && Character.isDigit(line.charAt(0))) {
                    durable = Long.parseLong(words[0]);
                    segments = Integer.parseInt(words[1]);
                } else {
                    otherLines.add(line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
