package dev.avocet.mqtt.model;

/** Filters and topics, as MQTT section 4.7 says it and as slowly as it likes. */
final class TopicMatch {
    private TopicMatch() {}

    static boolean matches(String filter, String topic) {
        String[] wanted = filter.split("/", -1);
        String[] levels = topic.split("/", -1);
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].equals("#")) {
                return true;
            }
            if (i == levels.length || !(wanted[i].equals("+") || wanted[i].equals(levels[i]))) {
                return false;
            }
        }
        return wanted.length == levels.length;
    }
}
