package dev.avocet.bench.mqtt.files;

import dev.avocet.bench.check.MessageHead;
import org.jspecify.annotations.Nullable;

/**
 * A message of one's own.
 *
 * @param topic where it goes; null for its sender's topics
 * @param qos null for that of the topic, as with {@code retain}
 * @param properties of MQTT 5, without their length
 * @param isStamped whether it begins with a {@link MessageHead}, so that all can be checked; otherwise it is sent as it
 *     is
 * @param hash of what is behind the head, or of all where there is none
 */
public record OwnMessage(
        @Nullable String topic,
        @Nullable Integer qos,
        @Nullable Boolean retain,
        byte[] properties,
        byte[] payload,
        boolean isStamped,
        long hash) {
    static OwnMessage stamped(
            @Nullable String topic, @Nullable Integer qos, @Nullable Boolean retain, byte[] properties, int sizeBytes) {
        byte[] payload = new byte[sizeBytes];
        for (int i = MessageHead.SIZE_BYTES; i < sizeBytes; i++) {
            payload[i] = (byte) (i * 131 + (i >> 8));
        }
        long hash = MessageHead.bodyHash(payload, MessageHead.SIZE_BYTES, sizeBytes - MessageHead.SIZE_BYTES);
        return new OwnMessage(topic, qos, retain, properties, payload, true, hash);
    }

    static OwnMessage plain(
            @Nullable String topic,
            @Nullable Integer qos,
            @Nullable Boolean retain,
            byte[] properties,
            byte[] payload) {
        long hash = MessageHead.bodyHash(payload, 0, payload.length);
        return new OwnMessage(topic, qos, retain, properties, payload, false, hash);
    }
}
