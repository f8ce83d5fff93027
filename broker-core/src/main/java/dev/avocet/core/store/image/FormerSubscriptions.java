package dev.avocet.core.store.image;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.selector.InvalidSelectorException;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.session.FormerShareNames;
import dev.avocet.core.session.ShareNames;
import dev.avocet.core.store.entry.StoredSubscription;
import dev.avocet.core.store.replay.PendingMessage;
import dev.avocet.core.store.replay.RecoveredQueue;
import dev.avocet.core.store.replay.RecoveredSession;
import dev.avocet.core.store.replay.RecoveredState;
import dev.avocet.core.store.replay.RecoveredTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Durable JMS subscriptions in stores of earlier versions: they get their present names. Where MQTT clients or an
 * administrator share one of the same name, which had a queue of its own, the two become one: what waited in either
 * queue waits in the one, and what waited in both waits once. Two that differ in topic or selector stay apart, and so
 * do two of which a prepared transaction holds something; the next start tries again.
 *
 * <p>It may be repeated on the same log, as long as no checkpoint has what it did. One owner.
 */
final class FormerSubscriptions {
    private static final Logger LOG = LoggerFactory.getLogger(FormerSubscriptions.class);

    private final RecoveredState state;
    /** The shared subscriptions that are there under present names, by group. */
    private final Map<String, StoredSubscription> present = new HashMap<>();

    private FormerSubscriptions(RecoveredState state) {
        this.state = state;
    }

    /**
     * Renames and merges.
     *
     * @return whether queues were merged, so that a checkpoint is needed before anything is written to them
     */
    static boolean bringUpToDate(RecoveredState state) throws JournalException {
        return new FormerSubscriptions(state).run();
    }

    private boolean run() throws JournalException {
        List<Former> all = new ArrayList<>(0);
        for (RecoveredSession session : state.sessions()) {
            for (StoredSubscription subscription : session.subscriptions()) {
                String group = subscription.group();
                String now = group == null ? null : FormerShareNames.now(session.clientId(), subscription.key(), group);
                if (now != null) {
                    all.add(new Former(session, subscription, now));
                } else if (group != null) {
                    present.merge(group, subscription, FormerSubscriptions::withSelector);
                }
            }
        }
        boolean merged = false;
        for (Former former : all) {
            merged |= bringUpToDate(former);
        }
        return merged;
    }

    private boolean bringUpToDate(Former former) throws JournalException {
        StoredSubscription renamed = former.renamed();
        StoredSubscription other = present.get(former.now);
        if (other == null || other.queueId() == renamed.queueId()) {
            boolean unused = former.session.subscribe(renamed) == null;
            return false;
        }
        String problem = problem(renamed, other);
        if (problem != null) {
            LOG.warn(
                    "JMS clients and others share durable subscriptions of the same name '{}', which stay apart: {}. When one of"
                            + " them is unsubscribed, the name is the other's",
                    former.name(),
                    problem);
            return false;
        }
        long moved = merge(renamed.queueId(), other.queueId());
        boolean unused = former.session.subscribe(renamed.in(other.queueId(), other.limits())) == null;
        LOG.info(
                "JMS clients and others share the durable subscription '{}' from now on: {} messages that waited for JMS"
                        + " clients alone have come to it",
                former.name(),
                moved);
        return true;
    }

    /** Why two cannot be one; null when they can. */
    private @Nullable String problem(StoredSubscription one, StoredSubscription other) {
        if (!one.filter().equals(other.filter())) {
            return "their topics differ, '" + one.filter() + "' and '" + other.filter() + "'";
        }
        if (!Objects.equals(one.selector(), other.selector()) || one.takes() != other.takes()) {
            return "they choose different messages";
        }
        boolean inDoubt =
                state.prepared().stream().flatMap(FormerSubscriptions::queuesOf).anyMatch(id -> id == one.queueId());
        return inDoubt ? "a prepared transaction holds messages of it" : null;
    }

    private static Stream<Long> queuesOf(RecoveredTransaction transaction) {
        return Stream.concat(
                transaction.acknowledged().stream().map(RecoveredTransaction.Acknowledged::queueId),
                transaction.messages().stream()
                        .flatMap(message -> message.targets().stream())
                        .map(PendingMessage.Target::queueId));
    }

    /** Puts what waits in one queue alone behind what waits in the other, and ends the one. */
    private long merge(long fromId, long toId) throws JournalException {
        RecoveredQueue from = state.queueOrNew(fromId);
        RecoveredQueue to = state.queueOrNew(toId);
        Set<Long> there = new HashSet<>();
        to.forEach((number, position, storedBytes, expiry, options) -> there.add(position));
        long before = to.size();
        from.forEach((number, position, storedBytes, expiry, options) -> {
            if (there.add(position)) {
                to.put(to.nextReference(), position, storedBytes, expiry, options);
            }
        });
        from.end();
        return to.size() - before;
    }

    private static StoredSubscription withSelector(StoredSubscription one, StoredSubscription other) {
        return one.selector() == null ? other : one;
    }

    /** A subscription under its former name. */
    private record Former(RecoveredSession session, StoredSubscription subscription, String now) {
        String name() {
            return ShareNames.idOf(now).name();
        }

        StoredSubscription renamed() throws JournalException {
            String selector = FormerShareNames.selectorIn(
                    subscription.key(), subscription.filter().text());
            StoredSubscription named = subscription.named(now);
            return selector.isEmpty() || named.selector() != null ? named : named.selecting(compiled(selector));
        }

        private static Selector compiled(String selector) throws JournalException {
            try {
                return Selector.compileAccepted(selector);
            } catch (InvalidSelectorException e) {
                throw new JournalException("a stored selector is not valid: " + e.getMessage());
            }
        }
    }
}
