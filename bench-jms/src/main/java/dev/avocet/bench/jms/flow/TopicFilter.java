package dev.avocet.bench.jms.flow;

/** Which topic names a consumer's name stands for: {@code +} for one level, {@code #} at the end for all below. */
final class TopicFilter {
    private TopicFilter() {}

    static boolean matches(String filter, String name) {
        String[] wanted = filter.split("/", -1);
        String[] levels = name.split("/", -1);
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
