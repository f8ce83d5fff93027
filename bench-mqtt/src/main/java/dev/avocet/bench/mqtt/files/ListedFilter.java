package dev.avocet.bench.mqtt.files;

import java.util.List;

/**
 * A topic filter that a client subscribes to.
 *
 * @param topicStr with <code>${COUNT:a-b}</code> in it, many filters: one for each number from a to b
 * @param retainHandling 0, 1 or 2, of MQTT 5
 */
public record ListedFilter(String topicStr, int qos, boolean noLocal, boolean retainAsPublished, int retainHandling) {
    public ListedFilter {
        ListedTopic.checkQos(qos);
        if (topicStr == null || topicStr.isEmpty()) {
            throw new IllegalArgumentException("topicStr, the topic filter, is missing");
        }
        if (retainHandling < 0 || retainHandling > 2) {
            throw new IllegalArgumentException("retainHandling is from 0 to 2, not " + retainHandling);
        }
        if (noLocal && topicStr.startsWith("$share/")) {
            throw new IllegalArgumentException("noLocal is not for those who share [MQTT-3.8.3-4]");
        }
    }

    /** The topic filters. */
    public List<String> filters() {
        return ListedTopic.expanded(topicStr);
    }

    /** As SUBSCRIBE has them [MQTT-3.8.3.1]; below MQTT 5 only the QoS is. */
    public int options() {
        return qos | (noLocal ? 4 : 0) | (retainAsPublished ? 8 : 0) | retainHandling << 4;
    }
}
