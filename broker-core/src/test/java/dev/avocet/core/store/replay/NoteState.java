package dev.avocet.core.store.replay;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/** A front end's state in tests: a set of small numbers, each of which comes once and goes once. */
public final class NoteState implements ProtocolState {
    public static final byte ADD = 1;
    public static final byte REMOVE = 2;

    private final TreeSet<Integer> notes = new TreeSet<>();

    public SortedSet<Integer> notes() {
        return notes;
    }

    public static byte[] entry(byte action, int note) {
        return new byte[] {action, (byte) (note >> 16), (byte) (note >> 8), (byte) note};
    }

    @Override
    public void replay(byte[] bytes, int from, int to) throws JournalException {
        if (to - from != 4) {
            throw new JournalException("a note has four bytes");
        }
        int note = (bytes[from + 1] & 0xFF) << 16 | (bytes[from + 2] & 0xFF) << 8 | bytes[from + 3] & 0xFF;
        if (bytes[from] == ADD) {
            notes.add(note);
        } else if (bytes[from] == REMOVE) {
            notes.remove(note);
        } else {
            throw new JournalException("nothing is done as " + bytes[from]);
        }
    }

    @Override
    public void snapshot(Consumer<byte[]> entries) {
        notes.forEach(note -> entries.accept(entry(ADD, note)));
    }

    @Override
    public void onSessionEnd() {}

    @Override
    public void onRestored(ClientSession session) {}
}
