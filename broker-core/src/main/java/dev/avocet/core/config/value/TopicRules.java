package dev.avocet.core.config.value;

import dev.avocet.core.message.TopicFilter;

/** How topic filters in the configuration must be built. */
final class TopicRules {
    private TopicRules() {}

    static void checkFilter(String filter) throws InvalidValueException {
        try {
            TopicFilter.of(filter);
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("'" + filter + "' is not a topic filter: " + e.getMessage());
        }
    }

    static void checkMonitored(String filter) throws InvalidValueException {
        checkFilter(filter);
        if (!filter.equals("#") && !filter.endsWith("/#")) {
            throw new InvalidValueException("'" + filter + "' does not end in /#, such as orders/#");
        }
        if (filter.indexOf('+') >= 0) {
            throw new InvalidValueException("'" + filter + "' holds +; only # at the end may stand there");
        }
        if (filter.startsWith("$SYS")) {
            throw new InvalidValueException("'" + filter + "' begins with $SYS, which cannot be monitored");
        }
    }

    static void checkShared(String name) throws InvalidValueException {
        int second = name.indexOf('/', 1);
        if (!name.startsWith("/") || second < 2 || second == name.length() - 1) {
            throw new InvalidValueException("'" + name + "' is not /ShareName/TopicFilter, such as /workers/orders/#");
        }
        if (name.substring(1, second).matches(".*[+#].*")) {
            throw new InvalidValueException("'" + name + "' has + or # in the name of the share");
        }
        checkFilter(name.substring(second + 1));
    }
}
