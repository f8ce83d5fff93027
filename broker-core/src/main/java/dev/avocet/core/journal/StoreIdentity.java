package dev.avocet.core.journal;

import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which store the parts of a journal belong to: each names it, and all must name the same. A journal without any gets a
 * new name. One owner.
 */
public final class StoreIdentity {
    private @Nullable Path named;
    private UUID id = UUID.randomUUID();

    public UUID id() {
        return id;
    }

    /** A part names its store. */
    public void onPart(Path part, UUID its) throws JournalException {
        Path first = named;
        if (first == null) {
            named = part;
            id = its;
        } else if (!id.equals(its)) {
            throw new JournalException(
                    part + " belongs to the store " + its + ", and " + first + " beside it to the store " + id
                            + ": move the one elsewhere that does not belong here. Nothing was changed");
        }
    }

    /** The store is a copy of another one, and has the name of that. */
    public void adopt(UUID other) throws JournalException {
        Path first = named;
        if (first != null && !id.equals(other)) {
            throw new JournalException(first + " belongs to the store " + id + ", which is not a copy of the store "
                    + other + ": a copy begins in an empty directory. Nothing was changed");
        }
        id = other;
    }
}
