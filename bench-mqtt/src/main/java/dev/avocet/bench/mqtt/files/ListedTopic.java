package dev.avocet.bench.mqtt.files;

import dev.avocet.bench.mqtt.wire.PropertyWriter;
import dev.avocet.bench.mqtt.wire.PublishProperties;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A topic that a client publishes to.
 *
 * @param topicStr with <code>${COUNT:a-b}</code> in it, many topics: one for each number from a to b
 */
public record ListedTopic(
        String topicStr,
        int qos,
        boolean retain,
        @Nullable String responseTopicStr,
        @Nullable String correlationData,
        @Nullable List<UserProperty> userProperties) {
    private static final Pattern COUNT = Pattern.compile("\\$\\{COUNT:(\\d{1,9})-(\\d{1,9})}");
    private static final int MOST = 1_000_000;

    public ListedTopic {
        checkQos(qos);
        if (topicStr == null || topicStr.isEmpty() || topicStr.contains("#") || topicStr.contains("+")) {
            throw new IllegalArgumentException("topicStr is a topic name, without # and +");
        }
    }

    /** The topic names. */
    public List<String> names() {
        return expanded(topicStr);
    }

    /** Properties of MQTT 5, without their length. */
    public byte[] properties() {
        PropertyWriter writer = new PropertyWriter()
                .text(PublishProperties.RESPONSE_TOPIC, responseTopicStr)
                .text(PublishProperties.CORRELATION_DATA, correlationData);
        UserProperty.write(userProperties, writer);
        return writer.toBytes();
    }

    static List<String> expanded(String text) {
        Matcher count = COUNT.matcher(text);
        if (!count.find()) {
            return List.of(text);
        }
        int from = Integer.parseInt(count.group(1));
        int to = Integer.parseInt(count.group(2));
        if (to < from || to - from >= MOST) {
            throw new IllegalArgumentException(count.group() + " is to count upwards, to " + MOST + " at most");
        }
        String before = text.substring(0, count.start());
        String behind = text.substring(count.end());
        return IntStream.rangeClosed(from, to)
                .mapToObj(number -> before + number + behind)
                .toList();
    }

    static void checkQos(int qos) {
        if (qos < 0 || qos > 2) {
            throw new IllegalArgumentException("qos is from 0 to 2, not " + qos);
        }
    }
}
