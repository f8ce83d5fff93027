package dev.avocet.ha.log;

import dev.avocet.core.journal.RecordVisitor;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.ha.role.EpochStarts;

/** Notes where epochs begin that are not known yet, while a journal is looked through. One owner. */
final class EpochScan implements RecordVisitor {
    private EpochStarts starts;

    EpochScan(EpochStarts known) {
        starts = known;
    }

    @Override
    public void onRecord(long position, byte[] bytes, int offset, int length) {
        int epoch = RecordHeader.epoch(bytes, offset);
        if (epoch > starts.last()) {
            starts = starts.with(epoch, LogPositions.ofJournal(position));
        }
    }

    EpochStarts starts() {
        return starts;
    }
}
