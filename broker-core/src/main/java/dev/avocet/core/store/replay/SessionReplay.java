package dev.avocet.core.store.replay;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.destination.QueueKind;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.session.ProtocolState;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.session.Will;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryReader;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import org.jspecify.annotations.Nullable;

/** Applies sessions and what belongs to them. The reader stands behind the entry's prefix. One owner. */
final class SessionReplay {
    private final RecoveredState state;
    private final EntryReader entries;
    private final RecordReader in;
    private final ProtocolStates protocolStates;

    SessionReplay(RecoveredState state, EntryReader entries, ProtocolStates protocolStates) {
        this.state = state;
        this.entries = entries;
        this.in = entries.in();
        this.protocolStates = protocolStates;
    }

    void session() throws JournalException {
        RecoveredSession session = state.session(in.readVarLong());
        String clientId = entries.text();
        long expirySeconds = in.readVarLong();
        int flags = in.readByte();
        boolean connected = (flags & EntryFormat.CONNECTED) != 0;
        long disconnectedWallMs = in.readVarLong();
        Will will = entries.flag() ? entries.will() : null;
        String userName = (flags & EntryFormat.HAS_USER) != 0 ? entries.text() : null;
        if (session != null) {
            session.describe(new StoredSession(clientId, expirySeconds, connected, disconnectedWallMs, will, userName));
        }
    }

    void subscription() throws JournalException {
        RecoveredSession session = state.session(in.readVarLong());
        String key = entries.text();
        TopicFilter filter = filter();
        String group = entries.optionalText();
        DeliveryOptions options = options();
        int flags = in.readByte();
        QualityOfServiceFilter takes = EntryReader.takes(flags);
        long queueId = in.readVarLong();
        RecoveredQueue queue = state.queueOrNew(queueId);
        QueueLimits limits = entries.limits();
        Selector selector = (flags & EntryFormat.HAS_SELECTOR) != 0 ? selector() : null;
        StoredSubscription subscription = new StoredSubscription(
                key, filter, group, options, (flags & EntryFormat.NO_LOCAL) != 0, queueId, limits, takes, selector);
        if (session != null) {
            queue.begin();
            session.subscribe(subscription);
        }
    }

    /** A queue that clients know by name. */
    void queue() throws JournalException {
        long id = in.readVarLong();
        String name = entries.text();
        int kind = in.readVarInt();
        if (kind >= QueueKind.values().length) {
            throw new JournalException("no queue is of kind " + kind);
        }
        state.destination(new RecoveredDestination(id, name, QueueKind.values()[kind]));
    }

    void unsubscription() throws JournalException {
        RecoveredSession session = state.session(in.readVarLong());
        String key = entries.text();
        if (session != null) {
            session.unsubscribe(key);
        }
    }

    void protocol() throws JournalException {
        RecoveredSession session = state.session(in.readVarLong());
        int length = in.readVarInt();
        int from = in.at();
        in.skip(length);
        if (session != null) {
            protocolState(session).replay(in.array(), from, from + length);
        }
    }

    private ProtocolState protocolState(RecoveredSession session) {
        ProtocolState present = session.protocolState();
        if (present == null) {
            present = protocolStates.create();
            session.protocolState(present);
        }
        return present;
    }

    private @Nullable Selector selector() throws JournalException {
        try {
            return Selector.compileAccepted(entries.text());
        } catch (InvalidSelectorException e) {
            throw new JournalException("a stored selector is not valid: " + e.getMessage());
        }
    }

    private TopicFilter filter() throws JournalException {
        try {
            return TopicFilter.of(entries.text());
        } catch (IllegalArgumentException e) {
            throw new JournalException("a stored topic filter is not valid: " + e.getMessage());
        }
    }

    private DeliveryOptions options() throws JournalException {
        DeliveryOptions options = entries.options();
        if (options == null) {
            throw new JournalException("a subscription has no options");
        }
        return options;
    }
}
