package dev.avocet.core.store.inspect;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.Position;
import dev.avocet.core.journal.record.RecordHeader;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryKind;
import dev.avocet.core.store.entry.EntryReader;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.store.place.DamagedMessageException;
import dev.avocet.core.store.replay.EntryReplay;
import dev.avocet.core.store.replay.RecoveredState;
import java.util.zip.CRC32C;

/**
 * Reads every entry of every record it is given, to the last byte, and keeps nothing but how many there are. One owner.
 */
final class EntryCheck {
    /** So that what is read for nothing does not fill the memory. */
    private static final int RECORDS_PER_STATE = 256;

    private final RecordReader in = new RecordReader();
    private final Formats formats;
    private final ProtocolStates protocolStates;
    private final EntryReader entries;
    private final EntryCounts counts = new EntryCounts();
    private final LivePlaces places;
    private final CRC32C checksum = new CRC32C();
    private EntryReplay scratch;
    private long records;
    private long bytes;

    EntryCheck(Formats formats, ProtocolStates protocolStates, LivePlaces places) {
        this.formats = formats;
        this.protocolStates = protocolStates;
        this.places = places;
        entries = new EntryReader(in, formats);
        scratch = new EntryReplay(new RecoveredState(), formats, protocolStates);
    }

    EntryCounts counts() {
        return counts;
    }

    long records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    /** As {@link dev.avocet.core.journal.RecordVisitor#onRecord}. */
    void check(long position, byte[] record, int offset, int length) throws JournalException {
        records++;
        bytes += length;
        if (records % RECORDS_PER_STATE == 0) {
            scratch = new EntryReplay(new RecoveredState(), formats, protocolStates);
        }
        int count = 0;
        int at = offset + RecordHeader.BYTES;
        int limit = offset + length;
        while (at < limit) {
            int end = checkEntry(position + at - offset, record, at, limit);
            count++;
            at = end;
        }
        if (count != RecordHeader.entries(record, offset)) {
            throw new JournalException("the record at " + Position.show(position) + " has " + count
                    + " entries and says " + RecordHeader.entries(record, offset));
        }
    }

    /** Returns where the next entry begins. */
    private int checkEntry(long position, byte[] record, int at, int limit) throws JournalException {
        in.over(record, at, limit);
        EntryKind kind = EntryKind.find(in.readByte());
        int rest = in.readInt();
        if (rest < 0 || rest > in.remaining()) {
            throw new JournalException("the entry at " + Position.show(position) + " does not fit its record");
        }
        int end = in.at() + rest;
        if (kind == EntryKind.MESSAGE || kind == EntryKind.MOVE) {
            if (!MessageEntry.isWhole(record, at, end - at, checksum)) {
                throw new DamagedMessageException(position, end - at);
            }
            in.over(record, in.at(), end - EntryFormat.CHECKSUM_BYTES);
            readMessage(position);
            places.onMessage(position, end - at);
        } else {
            scratch.applyEntries(position, record, at, end);
        }
        counts.add(kind);
        return end;
    }

    private void readMessage(long position) throws JournalException {
        MessageEntry head = MessageEntry.readHead(in);
        for (int i = 0; i < head.targets(); i++) {
            MessageEntry.readTarget(entries);
        }
        entries.topic();
        in.skip(in.readVarInt()); // the publisher
        entries.properties();
        in.skip(in.readVarInt()); // the payload
        if (in.hasMore()) {
            throw new JournalException("the message at " + Position.show(position) + " is longer than it should be");
        }
    }
}
