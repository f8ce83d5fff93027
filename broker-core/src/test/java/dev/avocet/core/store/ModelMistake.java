package dev.avocet.core.store;

import dev.avocet.core.store.entry.EntryKind;
import org.jspecify.annotations.Nullable;

/** What {@link StoreModelTest} must find. */
enum ModelMistake {
    NONE(null),
    /** A reference is counted that is not there: its segment stays for ever. */
    LEAKED_REFERENCE(null),
    /** A reference is released twice: its segment goes too early. */
    DOUBLE_RELEASE(null),
    ACKNOWLEDGEMENTS_UNHEARD(EntryKind.ACKNOWLEDGE),
    ENQUEUED_UNHEARD(EntryKind.ENQUEUE),
    MOVES_UNHEARD(EntryKind.MOVE),
    REMOVALS_UNHEARD(EntryKind.RETAINED_REMOVED),
    SESSION_ENDS_UNHEARD(EntryKind.SESSION_ENDED),
    UNSUBSCRIPTIONS_UNHEARD(EntryKind.UNSUBSCRIPTION),
    NOTES_UNHEARD(EntryKind.PROTOCOL),
    COMMITS_UNHEARD(EntryKind.TRANSACTION_COMMIT),
    ROLLBACKS_UNHEARD(EntryKind.TRANSACTION_ROLLBACK),
    TRANSACTED_ACKNOWLEDGEMENTS_UNHEARD(EntryKind.TRANSACTION_ACKNOWLEDGE),
    QUEUE_ENDS_UNHEARD(EntryKind.QUEUE_ENDED);

    /** What the follower takes no notice of. */
    final @Nullable EntryKind unheard;

    ModelMistake(@Nullable EntryKind unheard) {
        this.unheard = unheard;
    }
}
