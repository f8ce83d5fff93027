package dev.avocet.core.store.inspect;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.DamageVisitor;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Notes all damage of a journal by its position, each once. One owner. */
final class DamageList implements DamageVisitor {
    private final NavigableMap<Long, Damage> found = new TreeMap<>();

    @Override
    public void onDamage(long position, CorruptJournalException damage) {
        add(position, Damage.of(damage, position));
    }

    @Override
    public boolean isCertain(long position) {
        return found.containsKey(position);
    }

    void add(long position, Damage damage) {
        found.putIfAbsent(position, damage);
    }

    List<Damage> before(long position) {
        return new ArrayList<>(found.headMap(position, false).values());
    }

    List<Damage> from(long position) {
        return new ArrayList<>(found.tailMap(position, true).values());
    }
}
