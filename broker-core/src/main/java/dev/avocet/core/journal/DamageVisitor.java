package dev.avocet.core.journal;

/** Hears of damage that a {@linkplain Journal#scan(long, RecordVisitor, DamageVisitor) scan} comes across. */
@FunctionalInterface
public interface DamageVisitor {
    /** For whom damage is the end. */
    DamageVisitor REFUSE = (position, damage) -> {
        throw damage;
    };

    /**
     * Something is damaged that had been durable. When this returns, the scan goes on behind it.
     *
     * @param position of the damage; of the whole segment when its offset is 0
     */
    void onDamage(long position, CorruptJournalException damage) throws CorruptJournalException;

    /**
     * True when an earlier scan has told of damage at this position: whatever is valid behind it in its segment is part
     * of the log then. A first scan knows that only from some record on and skips those before.
     */
    default boolean isCertain(long position) {
        return false;
    }
}
