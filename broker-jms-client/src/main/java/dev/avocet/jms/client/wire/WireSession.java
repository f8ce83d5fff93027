package dev.avocet.jms.client.wire;

import dev.avocet.jms.client.wire.route.WireException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.qpid.protonj2.engine.Session;
import org.jspecify.annotations.Nullable;

/** A session and its links, on whatever line there is. Owned by the connection's turn. */
public final class WireSession {
    /** Servers are known that sometimes do not answer. */
    private static final long ANSWER_PATIENCE_MS = 2_000;

    private final WireConnection connection;
    private final List<WireLink> links = new ArrayList<>();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final WireTransactions transactions = new WireTransactions(this);

    private @Nullable Session session;
    private @Nullable WireException failure;
    /** As the server says in its begin, for all its sessions on one line. */
    private long linksMax = Long.MAX_VALUE;

    WireSession(final WireConnection connection) {
        this.connection = connection;
        links.add(transactions);
    }

    WireConnection connection() {
        return connection;
    }

    public CompletableFuture<Void> opened() {
        return opened;
    }

    public WireTransactions transactions() {
        return transactions;
    }

    /** A link to the coordinator for XA. */
    public BranchLink branches() {
        return add(new BranchLink(this));
    }

    @Nullable Session proton() {
        return session;
    }

    void attach(final Line to) {
        final Session fresh = to.connection().session();
        session = fresh;
        fresh.openHandler(remote -> {
            linksMax = to.limits().linksMax();
            opened.complete(null);
        });
        fresh.closeHandler(remote -> remotelyClosed(fresh));
        fresh.open();
        for (final WireLink link : List.copyOf(links)) {
            link.attach(fresh);
        }
    }

    private void remotelyClosed(final Session which) {
        if (which != session) {
            return;
        }
        if (failure == null && !closed.isDone() && which.isLocallyOpen()) {
            which.close();
            connection.remove(this);
            ended(WireException.of(which.getRemoteCondition(), "the server ended the session"));
        }
        closed.complete(null);
    }

    void detached(final WireException cause) {
        session = null;
        for (final WireLink link : List.copyOf(links)) {
            link.detached(cause);
        }
    }

    void ended(final WireException cause) {
        failure = cause;
        session = null;
        opened.completeExceptionally(cause);
        for (final WireLink link : List.copyOf(links)) {
            link.ended(cause);
        }
        links.clear();
        closed.complete(null);
    }

    /** Adds a sender; {@link WireSender#opened} tells whether the server takes it. */
    public WireSender sender(final SenderSpec spec) {
        return add(new WireSender(this, spec));
    }

    /** Adds a receiver without credit; {@link WireReceiver#opened} tells whether the server takes it. */
    public WireReceiver receiver(final ReceiverSpec spec, final ReceiverEvents events) {
        return add(new WireReceiver(this, spec, events));
    }

    private <T extends WireLink> T add(final T link) {
        if (failure != null) {
            link.ended(failure);
            return link;
        }
        if (links.size() >= linksMax) {
            link.ended(new WireException(
                    WireException.LIMIT_EXCEEDED,
                    "the session has " + (links.size() - 1) + " producers, consumers and browsers open, and the server"
                            + " allows no more (its handle-max); close some, or use another session"));
            return link;
        }
        links.add(link);
        if (session != null) {
            link.attach(session);
        }
        return link;
    }

    void remove(final WireLink link) {
        links.remove(link);
    }

    void pump() {
        for (int i = 0; i < links.size(); i++) {
            links.get(i).pump();
        }
    }

    /** Ends the session with all its links. */
    public CompletableFuture<Void> close() {
        final Session open = session;
        if (open == null || failure != null || !open.isLocallyOpen()) {
            connection.remove(this);
            closed.complete(null);
        } else {
            connection.ending(this, closed);
            if (!transactions.whenAnswered(open::close)) {
                connection.runLater(() -> closeUnanswered(open), ANSWER_PATIENCE_MS);
            }
        }
        failure = failure == null ? new WireException(WireException.CLOSED, "the session is closed") : failure;
        for (final WireLink link : List.copyOf(links)) {
            link.ended(failure);
        }
        links.clear();
        return closed;
    }

    private void closeUnanswered(final Session open) {
        if (!closed.isDone() && open.isLocallyOpen()) {
            open.close();
        }
    }
}
