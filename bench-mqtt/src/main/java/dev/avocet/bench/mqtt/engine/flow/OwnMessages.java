package dev.avocet.bench.mqtt.engine.flow;

import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.mqtt.files.OwnMessage;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The messages of one's own that a run sends, and their payloads to be known again. Immutable; any thread. */
public final class OwnMessages {
    private final OwnMessage[] messages;
    private final List<String> topics;

    /** Of the payloads without a head, sorted. */
    private final long[] hashes;

    public OwnMessages(List<OwnMessage> messages) {
        this.messages = messages.toArray(OwnMessage[]::new);
        topics = messages.stream()
                .map(OwnMessage::topic)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        hashes = messages.stream()
                .filter(message -> !message.isStamped())
                .mapToLong(OwnMessage::hash)
                .sorted()
                .toArray();
    }

    int count() {
        return messages.length;
    }

    OwnMessage message(int index) {
        return messages[index];
    }

    /** The topics that messages name themselves, each once. */
    public List<String> topics() {
        return topics;
    }

    /** Whether some cannot be checked but by their number and payload. */
    boolean hasPlain() {
        return hashes.length > 0;
    }

    /** Whether it is one of the payloads without a head. */
    public boolean isPlain(byte[] array, int at, int lengthBytes) {
        return hashes.length > 0 && Arrays.binarySearch(hashes, MessageHead.bodyHash(array, at, lengthBytes)) >= 0;
    }
}
