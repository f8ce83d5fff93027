package dev.avocet.core.store;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import java.util.Set;
import java.util.TreeSet;

/** Looks for living messages in segments that are not there. */
final class MissingSegments implements RecoveredState.PlaceVisitor {
    private final Set<Integer> present;
    private final Set<Integer> missing = new TreeSet<>();
    private long references;
    private int lastPresent = -1;

    MissingSegments(Set<Integer> present) {
        this.present = present;
    }

    @Override
    public void onPlace(long position, int storedBytes) {
        int segment = Position.segment(position);
        if (segment == lastPresent) {
            return;
        }
        if (present.contains(segment)) {
            lastPresent = segment;
        } else {
            missing.add(segment);
            references++;
        }
    }

    void throwIfAny() throws JournalException {
        if (!missing.isEmpty()) {
            throw new JournalException("the segments " + missing + " of the journal are missing, in which " + references
                    + " messages lie that were not yet delivered: put the files back, or have the store repaired, which gives"
                    + " the messages up");
        }
    }
}
