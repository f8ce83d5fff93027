package dev.avocet.core.store.replay;

import dev.avocet.core.message.DeliveryOptions;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A state in words, so that two can be compared. */
public final class Rendering {
    private Rendering() {}

    public static String of(RecoveredState state, Set<String> topics) {
        StringBuilder text = new StringBuilder();
        for (RecoveredSession session : state.sessions()) {
            text.append(session(
                    session.id(),
                    session.clientId(),
                    session.expirySeconds(),
                    session.wasConnected() ? 0 : session.disconnectedWallMs(),
                    session.will() == null ? "" : session.will().topic().text()));
            new TreeSet<>(session.subscriptions().stream()
                            .map(its -> subscription(its.key(), its.group(), its.queueId()))
                            .toList())
                    .forEach(text::append);
            NoteState notes = (NoteState) session.protocolState();
            text.append(notes(notes == null ? new TreeSet<>() : notes.notes()));
        }
        state.queues().stream()
                .sorted((one, other) -> Long.compare(one.id(), other.id()))
                .forEach(queue -> {
                    text.append(queue(queue.id()));
                    queue.forEach((number, position, storedBytes, expiry, options) ->
                            text.append(reference(number, position, storedBytes, expiry, options)));
                });
        for (String topic : new TreeSet<>(topics)) {
            RecoveredRetained retained = state.retained(topic);
            if (retained != null) {
                text.append(retained(topic, retained.position(), retained.storedBytes()));
            }
        }
        for (RecoveredTransaction transaction : state.prepared()) {
            text.append(prepared(
                    transaction.id(), transaction.branchId(), transaction.messages(), acknowledged(transaction)));
        }
        return text.toString();
    }

    public static String session(long id, String client, long expirySeconds, long disconnectedWallMs, String will) {
        return "session " + id + " of " + client + " for " + expirySeconds + " s, gone " + disconnectedWallMs
                + ", will " + will + "\n";
    }

    public static String subscription(String key, @Nullable String group, long queue) {
        return "  " + key + " of " + group + " to " + queue + "\n";
    }

    public static String notes(Set<Integer> notes) {
        return "  notes " + notes + "\n";
    }

    public static String queue(long id) {
        return "queue " + id + "\n";
    }

    public static String reference(
            long number, long position, int storedBytes, long expiry, @Nullable DeliveryOptions options) {
        return "  " + number + " at " + position + ", " + storedBytes + " bytes, until "
                + (expiry == RecoveredQueue.NEVER ? "ever" : expiry)
                + (options == null ? "" : " as " + Arrays.toString(options.subscriptionIdentifiers()))
                + "\n";
    }

    public static String retained(String topic, long position, int storedBytes) {
        return "retained " + topic + " at " + position + ", " + storedBytes + " bytes\n";
    }

    public static String prepared(
            long id, byte[] branch, Collection<PendingMessage> messages, Map<Long, NavigableSet<Long>> acknowledged) {
        StringBuilder text = new StringBuilder("prepared " + id + " " + Arrays.toString(branch) + "\n");
        for (PendingMessage message : messages) {
            text.append("  ").append(message.retainedTopic()).append(message.isEmpty() ? " removed" : "");
            text.append(" at ").append(message.position()).append('\n');
            for (PendingMessage.Target target : message.targets()) {
                text.append("  to ").append(target.queueId());
                text.append(reference(
                        target.reference(),
                        message.position(),
                        message.storedBytes(),
                        message.expiryWallMs(),
                        target.options()));
            }
        }
        return text.append("  without ").append(acknowledged).append('\n').toString();
    }

    private static Map<Long, NavigableSet<Long>> acknowledged(RecoveredTransaction transaction) {
        Map<Long, NavigableSet<Long>> all = new TreeMap<>();
        for (RecoveredTransaction.Acknowledged range : transaction.acknowledged()) {
            for (long reference = range.first(); reference <= range.last(); reference++) {
                all.computeIfAbsent(range.queueId(), key -> new TreeSet<>()).add(reference);
            }
        }
        return all;
    }
}
