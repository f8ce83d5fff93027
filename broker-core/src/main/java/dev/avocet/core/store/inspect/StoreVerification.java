package dev.avocet.core.store.inspect;

import dev.avocet.core.store.entry.EntryKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What reading all of a store has found.
 *
 * @param records of the journal that are whole
 * @param bytes of these
 * @param entries how many of each kind, in the whole journal
 * @param references of queues and topics to messages
 * @param lost what is alive and cannot be read; empty when everything can
 * @param damages what keeps the store from being opened, or something alive from being read
 * @param oldDamages damage where nothing is needed any more: it goes with its segment
 */
public record StoreVerification(
        long records,
        long bytes,
        Map<EntryKind, Long> entries,
        long references,
        List<LostMessages> lost,
        List<Damage> damages,
        List<Damage> oldDamages) {
    public StoreVerification {
        entries = Map.copyOf(entries);
        lost = List.copyOf(lost);
        damages = List.copyOf(damages);
        oldDamages = List.copyOf(oldDamages);
    }

    /** True when the store can be opened, and everything that is alive be read. */
    public boolean isWhole() {
        return damages.isEmpty() && lost.isEmpty();
    }

    /** References whose messages cannot be read. */
    public long lostReferences() {
        return lost.stream().mapToLong(LostMessages::count).sum();
    }

    /** For people, in several lines. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT, "%d records with %d bytes read, %d references to messages\n", records, bytes, references));
        text.append(EntryCounts.text("entries", entries));
        oldDamages.forEach(damage -> text.append("damaged, where nothing is needed any more: ")
                .append(damage)
                .append('\n'));
        damages.forEach(damage -> text.append("damaged: ").append(damage).append('\n'));
        lost.forEach(some -> text.append("cannot be read: ").append(some).append('\n'));
        text.append(isWhole() ? "the store is whole\n" : "the store is damaged\n");
        return text.toString();
    }
}
