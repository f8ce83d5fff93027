package dev.avocet.bench.mqtt.engine.plan;

import java.util.Locale;

/**
 * Names for many clients out of one pattern: {@code {i}} is the client's number, {@code {t}} that of its topic,
 * {@code {p}} the name's partition, {@code {n}} its number within the partition, with eight digits, and {@code {s}} its
 * number when all names of one client follow each other and begin anew behind the last partition, so that each client
 * has as many different ones as it can.
 *
 * @param clients how many there are
 * @param dealsRound whether names are dealt round clients and partitions; otherwise each client has names that follow
 *     each other, and each partition a block of them, the last one with what is left over
 */
public record TopicNames(String pattern, int clients, int topicsPerClient, int partitions, boolean dealsRound) {
    public TopicNames {
        if (partitions < 1 || topicsPerClient < 1) {
            throw new IllegalArgumentException("partitions and topics per client are 1 or more");
        }
    }

    public String of(int client, int topic) {
        int flat = dealsRound ? client + topic * clients : client * topicsPerClient + topic;
        int partition = dealsRound ? flat % partitions : Math.min(partitions - 1, flat / block());
        int number = dealsRound ? flat / partitions : flat - partition * block();
        String name = pattern.replace("{i}", String.valueOf(client))
                .replace("{t}", String.valueOf(topic))
                .replace("{p}", String.valueOf(partition))
                .replace("{s}", String.valueOf(subject(client, topic)));
        return name.contains("{n}") ? name.replace("{n}", String.format(Locale.ROOT, "%08d", number)) : name;
    }

    /** The same names behind something else. */
    public TopicNames withPrefix(String prefix) {
        return new TopicNames(prefix + pattern, clients, topicsPerClient, partitions, dealsRound);
    }

    private long subject(int client, int topic) {
        return ((long) client * topicsPerClient + topic) % partitions;
    }

    private int block() {
        return Math.max(1, clients * topicsPerClient / partitions);
    }
}
