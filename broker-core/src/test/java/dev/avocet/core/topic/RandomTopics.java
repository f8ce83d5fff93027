package dev.avocet.core.topic;

import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.message.TopicName;
import java.util.SplittableRandom;

/** Short names and filters from a small alphabet, so that matches, empty levels and {@code $} are common. */
final class RandomTopics {
    private static final String[] LEVELS = {"", "a", "b", "a", "b", "$", "$a", "ä", "€", "😀"};
    private static final int LEVELS_MAX = 5;
    /** As many as a name may have by default. */
    private static final int DEEP = 32;

    private final SplittableRandom random;

    RandomTopics(SplittableRandom random) {
        this.random = random;
    }

    TopicName name() {
        String text = "";
        while (text.isEmpty()) {
            text = levels(random.nextInt(50) == 0 ? DEEP : 1 + random.nextInt(LEVELS_MAX), false);
        }
        return TopicName.of(text);
    }

    TopicFilter filter() {
        String text = "";
        while (text.isEmpty()) {
            int count = random.nextInt(50) == 0 ? DEEP - 1 : random.nextInt(LEVELS_MAX + 1);
            boolean hash = count == 0 || random.nextInt(4) == 0;
            String levels = count == 0 ? "" : levels(count, true);
            text = hash ? (count == 0 ? "#" : levels + "/#") : levels;
        }
        return TopicFilter.of(text);
    }

    private String levels(int count, boolean plus) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : "/");
            boolean wildcard = plus && random.nextInt(4) == 0;
            text.append(wildcard ? "+" : LEVELS[random.nextInt(LEVELS.length)]);
        }
        return text.toString();
    }
}
