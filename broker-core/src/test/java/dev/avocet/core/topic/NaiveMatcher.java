package dev.avocet.core.topic;

/** Matches a filter to a topic by the letter of section 4.7 of the standard, level by level and slowly. */
final class NaiveMatcher {
    private NaiveMatcher() {}

    static boolean matches(String filter, String topic) {
        if (topic.startsWith("$") && (filter.startsWith("+") || filter.startsWith("#"))) {
            return false;
        }
        return matches(filter.split("/", -1), topic.split("/", -1));
    }

    private static boolean matches(String[] filter, String[] topic) {
        for (int i = 0; i < filter.length; i++) {
            if (filter[i].equals("#")) {
                return true;
            }
            if (i == topic.length || !(filter[i].equals("+") || filter[i].equals(topic[i]))) {
                return false;
            }
        }
        return filter.length == topic.length;
    }
}
