package dev.avocet.core.store.image;

import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.commit.GroupCommit;
import dev.avocet.core.time.Clock;
import java.util.UUID;

/**
 * A store of made-up sessions, which a node takes over as it would take over from another node: so Java has compiled
 * that way before clients wait at its end. Blocks on the disk; one owner.
 */
public final class PracticeStore implements AutoCloseable {
    private static final int BODY_BYTES = 64;

    private final StandbyStore standby;

    private PracticeStore(StandbyStore standby) {
        this.standby = standby;
    }

    /**
     * Follows a node that writes such a store.
     *
     * @param files of a store that is empty; nothing needs it afterwards
     */
    public static PracticeStore write(StoreFiles files, Size size, Clock clock) throws JournalException {
        StandbyStore standby = StandbyStore.openForPractice(files, clock);
        try {
            CopyJournal journal = standby.journal();
            journal.adopt(UUID.randomUUID());
            journal.follow();
            write(
                    new MadeUpRecords(
                            journal, (record, length) -> journal.appendCopy(record, length, 0), BODY_BYTES, clock),
                    size);
            return new PracticeStore(standby);
        } catch (JournalException | RuntimeException e) {
            standby.close();
            throw e;
        }
    }

    /** As {@link StandbyStore#takeOver}, with nothing but the own disk to wait for. */
    public StoreTerm takeOver() throws JournalException {
        return standby.takeOver(MadeUpRecords.EPOCH + 1, GroupCommit::new, () -> Long.MAX_VALUE);
    }

    /** Closes the files, unless they were taken over. */
    @Override
    public void close() {
        standby.close();
    }

    /**
     * How much there is.
     *
     * @param sessions each with a subscription of its own
     * @param references to messages that wait for each session
     * @param retained messages
     */
    public record Size(int sessions, int references, int retained) {}

    private static void write(MadeUpRecords records, Size size) throws JournalException {
        for (int session = 1; session <= size.sessions(); session++) {
            records.session(session);
        }
        for (int reference = 1; reference <= size.references(); reference++) {
            for (int session = 1; session <= size.sessions(); session++) {
                records.message("own/" + session, session, reference);
            }
        }
        for (int topic = 0; topic < size.retained(); topic++) {
            records.message("retained/" + topic % 100 + "/" + topic, MadeUpRecords.NO_QUEUE, 0);
        }
        records.flush();
    }
}
