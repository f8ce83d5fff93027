package dev.avocet.bench.mqtt.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.avocet.bench.check.MessageHead;
import dev.avocet.bench.mqtt.wire.PropertyWriter;
import dev.avocet.bench.mqtt.wire.PublishProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message as it stands in a file.
 *
 * @param payload text; there is this, or one of the two that follow
 * @param payloadSizeBytes of a payload that the harness makes, and can check
 * @param payloadFile its path, from where the file is that names it
 * @param payloadFormat 1 for UTF-8
 */
record MessageEntry(
        @Nullable String topic,
        @Nullable Integer qos,
        @Nullable Boolean retain,
        @Nullable String payload,
        @Nullable Integer payloadSizeBytes,
        @Nullable String payloadFile,
        @Nullable String contentType,
        @Nullable Integer payloadFormat,
        @Nullable Integer expiryIntervalSecs,
        @Nullable String responseTopicStr,
        @Nullable String correlationData,
        @Nullable List<UserProperty> userProperties) {
    private static final int MAX_BYTES = 268_000_000;

    MessageEntry {
        if (qos != null) {
            ListedTopic.checkQos(qos);
        }
        if (Stream.of(payload != null, payloadSizeBytes != null, payloadFile != null)
                        .filter(given -> given)
                        .count()
                != 1) {
            throw new IllegalArgumentException(
                    "a message has one of payload, payloadSizeBytes and payloadFile, not more or less");
        }
        if (payloadSizeBytes != null && (payloadSizeBytes < MessageHead.SIZE_BYTES || payloadSizeBytes > MAX_BYTES)) {
            throw new IllegalArgumentException("payloadSizeBytes is from " + MessageHead.SIZE_BYTES
                    + ", which the checks need, to " + MAX_BYTES + ", not " + payloadSizeBytes);
        }
        if (topic != null && (topic.isEmpty() || topic.contains("#") || topic.contains("+"))) {
            throw new IllegalArgumentException("topic is a topic name, without # and +");
        }
    }

    /** @param folder from which {@code payloadFile} is looked for */
    OwnMessage message(Path folder) throws IOException {
        if (payloadSizeBytes != null) {
            return OwnMessage.stamped(topic, qos, retain, properties(), payloadSizeBytes);
        }
        return OwnMessage.plain(topic, qos, retain, properties(), bytes(folder));
    }

    private byte[] bytes(Path folder) throws IOException {
        if (payloadFile == null) {
            return payload == null ? new byte[0] : payload.getBytes(UTF_8);
        }
        Path file = folder.resolve(payloadFile);
        if (Files.size(file) > MAX_BYTES) {
            throw new IllegalArgumentException(file + " is larger than a message can be");
        }
        return Files.readAllBytes(file);
    }

    private byte[] properties() {
        PropertyWriter writer = new PropertyWriter()
                .one(PropertyWriter.PAYLOAD_FORMAT, payloadFormat)
                .four(PropertyWriter.MESSAGE_EXPIRY, expiryIntervalSecs)
                .text(PropertyWriter.CONTENT_TYPE, contentType)
                .text(PublishProperties.RESPONSE_TOPIC, responseTopicStr)
                .text(PublishProperties.CORRELATION_DATA, correlationData);
        UserProperty.write(userProperties, writer);
        return writer.toBytes();
    }
}
