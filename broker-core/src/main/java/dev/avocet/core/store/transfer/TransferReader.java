package dev.avocet.core.store.transfer;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.record.RecordReader;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.queue.room.QueueLimits;
import dev.avocet.core.queue.transit.DeliverySource;
import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.session.ProtocolStates;
import dev.avocet.core.session.Will;
import dev.avocet.core.store.entry.EntryFormat;
import dev.avocet.core.store.entry.EntryReader;
import dev.avocet.core.store.entry.Formats;
import dev.avocet.core.store.entry.MessageEntry;
import dev.avocet.core.store.entry.StoredSession;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.time.Clock;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of an export, and holds them against the order in which they must come. Whatever the bytes are, it
 * answers or throws a {@link TransferException}. One owner; each reads one export.
 */
public final class TransferReader {
    private final RecordReader in = new RecordReader();
    private final EntryReader entries;
    private final ProtocolStates protocolStates;
    private final Clock clock;
    /** Queues of the sessions so far that may get messages: all that are shared, and those of the present session. */
    private final Set<Long> sharedQueues = new HashSet<>();

    private final Set<Long> ownQueues = new HashSet<>();
    private TransferCounts counts = TransferCounts.NONE;
    private boolean inSession;
    private boolean ended;

    public TransferReader(Formats formats, ProtocolStates protocolStates, Clock clock) {
        this.entries = new EntryReader(in, formats);
        this.protocolStates = protocolStates;
        this.clock = clock;
    }

    /** What was read so far. */
    public TransferCounts counts() {
        return counts;
    }

    /** Checks a record to the last byte; tells the client identifier of each session that begins. */
    public void check(int kind, byte[] bytes, Consumer<String> clientIds) throws TransferException {
        Transferred record = read(kind, bytes);
        if (record instanceof Transferred.Session begun) {
            clientIds.accept(begun.session().clientId());
        } else if (record instanceof Transferred.Protocol protocol) {
            try {
                protocolStates.create().replay(protocol.entry(), 0, protocol.entry().length);
            } catch (JournalException e) {
                throw unreadable(e);
            }
        }
    }

    /** Nothing more comes. */
    public void expectEnd() throws TransferException {
        if (!ended) {
            throw new TransferException("the export ends before its last record");
        }
    }

    Transferred read(int kind, byte[] bytes) throws TransferException {
        TransferKind known = TransferKind.of(kind);
        expectInOrder(known);
        in.over(bytes, 0, bytes.length);
        try {
            Transferred record =
                    switch (known) {
                        case SESSION -> session();
                        case SUBSCRIPTION -> subscription();
                        case MESSAGE -> waiting();
                        case PROTOCOL -> protocol();
                        case SESSION_END -> sessionEnd();
                        case RETAINED -> retained();
                        case END -> end();
                    };
            if (in.remaining() > 0) {
                throw new JournalException(in.remaining() + " bytes follow a record of kind " + known);
            }
            return record;
        } catch (JournalException e) {
            throw unreadable(e);
        }
    }

    private void expectInOrder(TransferKind kind) throws TransferException {
        boolean ofSession =
                switch (kind) {
                    case SESSION, RETAINED, END -> false;
                    case SUBSCRIPTION, MESSAGE, PROTOCOL, SESSION_END -> true;
                };
        if (ended || ofSession != inSession) {
            throw new TransferException("a record of kind " + kind + " stands where none can be");
        }
    }

    private Transferred session() throws JournalException {
        in.readVarLong();
        String clientId = entries.text();
        long expirySeconds = in.readVarLong();
        int flags = in.readByte();
        long disconnectedWallMs = in.readVarLong();
        Will will = entries.flag() ? entries.will() : null;
        String userName = (flags & EntryFormat.HAS_USER) != 0 ? entries.text() : null;
        if (clientId.isEmpty() || expirySeconds <= 0) {
            throw new JournalException("a session of '" + clientId + "' that expires after " + expirySeconds + " s");
        }
        inSession = true;
        counts = counts.plus(1, 0, 0, 0);
        return new Transferred.Session(
                new StoredSession(clientId, expirySeconds, false, disconnectedWallMs, will, userName));
    }

    private Transferred subscription() throws JournalException {
        in.readVarLong();
        String key = entries.text();
        TopicFilter filter = filter();
        String group = entries.optionalText();
        DeliveryOptions options = entries.options();
        int flags = in.readByte();
        QualityOfServiceFilter takes = EntryReader.takes(flags);
        long queueId = in.readVarLong();
        QueueLimits limits = entries.limits();
        Selector selector = (flags & EntryFormat.HAS_SELECTOR) != 0 ? selector() : null;
        if (options == null) {
            throw new JournalException("a subscription has no options");
        }
        (group == null ? ownQueues : sharedQueues).add(queueId);
        counts = counts.plus(0, 1, 0, 0);
        return new Transferred.Subscribed(new StoredSubscription(
                key, filter, group, options, (flags & EntryFormat.NO_LOCAL) != 0, queueId, limits, takes, selector));
    }

    private Transferred waiting() throws JournalException {
        long queueId = in.readVarLong();
        long reference = in.readVarLong();
        boolean bound = entries.flag();
        DeliveryOptions options = entries.options();
        Message message = message();
        boolean known = ownQueues.contains(queueId) || sharedQueues.contains(queueId);
        if (!known || reference < 0 || bound && reference == DeliverySource.NOT_STORED) {
            throw new JournalException("a message waits as " + reference + " in queue " + queueId);
        }
        counts = counts.plus(0, 0, 1, 0);
        return new Transferred.Waiting(queueId, reference, bound, options, message);
    }

    private Transferred protocol() throws JournalException {
        in.readVarLong();
        return new Transferred.Protocol(in.readBytes());
    }

    private Transferred sessionEnd() {
        inSession = false;
        ownQueues.clear();
        return new Transferred.SessionEnd();
    }

    private Transferred retained() throws JournalException {
        Message message = message();
        counts = counts.plus(0, 0, 0, 1);
        return new Transferred.Retained(message);
    }

    private Transferred end() throws JournalException {
        TransferCounts said =
                new TransferCounts(in.readVarLong(), in.readVarLong(), in.readVarLong(), in.readVarLong());
        if (!said.equals(counts)) {
            throw new JournalException("it says that it holds " + said + ", and holds " + counts);
        }
        ended = true;
        return new Transferred.End(said);
    }

    private Message message() throws JournalException {
        return MessageEntry.readHead(in).readMessage(entries, clock);
    }

    private TopicFilter filter() throws JournalException {
        try {
            return TopicFilter.of(entries.text());
        } catch (IllegalArgumentException e) {
            throw new JournalException("a topic filter is not valid: " + e.getMessage());
        }
    }

    private @Nullable Selector selector() throws JournalException {
        try {
            return Selector.compileAccepted(entries.text());
        } catch (InvalidSelectorException e) {
            throw new JournalException("a selector is not valid: " + e.getMessage());
        }
    }

    private static TransferException unreadable(JournalException e) {
        return new TransferException("a record of the export cannot be read: " + e.getMessage());
    }
}
