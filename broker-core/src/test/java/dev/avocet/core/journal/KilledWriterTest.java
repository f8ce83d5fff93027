package dev.avocet.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.avocet.core.journal.disk.DiskStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SIGKILL in the middle of writing, again and again in the same directory. */
class KilledWriterTest {
    private static final int LIVES = 3;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void shouldHaveEverythingThatWasDurable(JournalKind kind) throws IOException, InterruptedException {
        killAndLook(kind, List.of());
    }

    /** In a container every life is process 1, and a lock that bears this number looks like one's own. */
    @Test
    void shouldNotMindThatEveryLifeIsProcessOne() throws IOException, InterruptedException {
        List<String> asProcessOne = List.of("unshare", "--pid", "--fork", "--kill-child");
        assumeThat(canRun(asProcessOne))
                .as("this user may create process namespaces")
                .isTrue();
        killAndLook(JournalKind.CHRONICLE, asProcessOne);
    }

    private void killAndLook(JournalKind kind, List<String> launcher) throws IOException, InterruptedException {
        long before = 0;
        for (int life = 1; life <= LIVES; life++) {
            // given
            try (JournalProcess process = JournalProcess.start(launcher, kind, directory, true)) {
                int segments = 3 * life;
                process.await("more segments", () -> process.segments() > segments);

                // when
                process.kill();

                // then
                long last = lastSequenceIn(kind);
                assertThat(process.durable()).isGreaterThan(before);
                assertThat(last).isGreaterThanOrEqualTo(process.durable());
                before = last;
            }
        }
    }

    private long lastSequenceIn(JournalKind kind) throws JournalException {
        try (Journal journal = kind.open(new DiskStorage(), directory, JournalProcess.SEGMENT_BYTES)) {
            FoundRecords found = new FoundRecords();
            ScanResult result = journal.scan(Position.BEGINNING, found);
            assertThat(found.sequences()).containsExactlyElementsOf(FoundRecords.from(1, result.lastSequence()));
            return result.lastSequence();
        }
    }

    private static boolean canRun(List<String> launcher) throws InterruptedException {
        try {
            List<String> command = new ArrayList<>(launcher);
            command.add("true");
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
