package dev.avocet.core.store.inspect;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.Journal;
import org.jspecify.annotations.Nullable;

/**
 * Something in a file of the store that is not as it was written.
 *
 * @param file its path
 * @param offset of the first byte that makes no sense
 * @param position in the log, as of {@link dev.avocet.core.journal.Position}; -1 where it has none
 * @param reason what is wrong there, for people
 */
public record Damage(String file, long offset, long position, String reason) {
    /** Where what is damaged has no position in the log. */
    static final long NOWHERE = -1;

    static Damage of(CorruptJournalException found) {
        return of(found, NOWHERE);
    }

    static Damage of(CorruptJournalException found, long position) {
        String message = found.getMessage();
        String prefix = found.file() + " is damaged at byte " + found.offset() + ": ";
        String reason = message != null && message.startsWith(prefix) ? message.substring(prefix.length()) : message;
        return new Damage(found.file(), found.offset(), position, String.valueOf(reason));
    }

    /** What lies at a position makes no sense. */
    static Damage at(Journal journal, long position, @Nullable String reason) {
        long place = journal.map().placeOf(position);
        String file = journal.segments().stream()
                .filter(segment -> segment.number() == FilePlace.segment(place))
                .map(segment -> segment.file().toString())
                .findFirst()
                .orElse("the journal");
        return new Damage(file, FilePlace.offset(place), position, String.valueOf(reason));
    }

    @Override
    public String toString() {
        String where = position == NOWHERE ? "" : " (position " + position + ")";
        return file + ", byte " + offset + ": " + reason + where;
    }
}
