package dev.avocet.core.store.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.DiskStorage;
import dev.avocet.core.journal.file.FileJournal;
import dev.avocet.core.store.image.PracticeStore.Size;
import dev.avocet.core.store.replay.NoteState;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.testkit.ManualClock;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node finds in a store that it takes over for practice. */
class PracticeStoreTest {
    private static final int SEGMENT_BYTES = 64 << 10;

    @TempDir
    private Path directory;

    @Test
    void shouldHoldSessionsWhatWaitsForThemAndRetainedMessages() throws JournalException {
        // given
        DiskStorage storage = new DiskStorage();
        StoreFiles files = new StoreFiles(
                where -> FileJournal.open(storage, where, SEGMENT_BYTES),
                storage,
                directory,
                List.of(),
                NoteState::new);

        // when
        try (PracticeStore store = PracticeStore.write(files, new Size(30, 60, 7), new ManualClock())) {
            StoreTerm term = store.takeOver();

            // then
            assertThat(term.isPractice()).isTrue();
            RecoveredState state = term.takeState();
            assertThat(state.sessions())
                    .hasSize(30)
                    .allSatisfy(session -> assertThat(session.subscriptions()).hasSize(1));
            assertThat(state.queues())
                    .hasSize(30)
                    .allSatisfy(queue -> assertThat(queue.size()).isEqualTo(60));
            assertThat(state.retainedTopics()).hasSize(7);
            assertThat(term.journal().map().last()).as("segments").isGreaterThan(1);
            term.journal().close();
            term.pages().close();
        }
    }
}
