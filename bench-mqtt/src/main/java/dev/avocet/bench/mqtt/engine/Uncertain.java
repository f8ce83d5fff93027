package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.check.MissingMessages;
import dev.avocet.bench.check.ReceiverAccount;
import dev.avocet.bench.mqtt.engine.flow.PublishStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which of the arrivals that did not happen need not have: those of messages that were cut off when their publisher
 * closed its socket. What each receiver misses is compared with what each publisher did not know to be at the server,
 * message by message.
 *
 * <p>At QoS 0 nothing is acknowledged, but a server reads a connection from its beginning on. So what is missing may
 * never have been read only where all of its stream that followed it on the connection is missing too.
 */
final class Uncertain {
    static final Uncertain NONE = new Uncertain(true);

    private final boolean isAtMostOnce;

    /** By stream, ascending: messages, or at QoS 0 the last ones of connections. */
    private final Map<Integer, long[]> cutOff = new HashMap<>();

    private final Map<Integer, PublishStream> streams = new HashMap<>();
    private final Map<Integer, Integer> receivers = new HashMap<>();
    private long messages;
    private long arrivals;
    private boolean isIncomplete;

    private Uncertain(boolean isAtMostOnce) {
        this.isAtMostOnce = isAtMostOnce;
    }

    /** Of a run in which nothing moves any more; asks each lane on its loop, so it is called by none of them. */
    static Uncertain of(boolean isAtMostOnce, List<Lane> lanes, Population population) {
        Uncertain uncertain = new Uncertain(isAtMostOnce);
        Map<Integer, List<Long>> sequences = new HashMap<>();
        onEach(lanes, lane -> uncertain.readSent(lane, population, sequences));
        sequences.forEach((stream, all) -> uncertain.cutOff.put(
                stream,
                all.stream().mapToLong(Long::longValue).sorted().distinct().toArray()));
        onEach(lanes, lane -> uncertain.readReceived(lane, population));
        uncertain.cutOff.keySet().forEach(uncertain::addThoseWhoSawNothing);
        return uncertain;
    }

    private interface Reading {
        void read(Lane lane);
    }

    private static void onEach(List<Lane> lanes, Reading reading) {
        lanes.forEach(lane -> lane.loop.submit(() -> reading.read(lane)).syncUninterruptibly());
    }

    private void readSent(Lane lane, Population population, Map<Integer, List<Long>> sequences) {
        messages += lane.cutOff.messages.value();
        isIncomplete |= lane.cutOff.isIncomplete();
        lane.cutOff.forEach((stream, sequence) ->
                sequences.computeIfAbsent(stream, number -> new ArrayList<>()).add(sequence));
        population
                .of(lane)
                .flatMap(client -> Arrays.stream(client.streams()))
                .forEach(stream -> streams.put(stream.number(), stream));
    }

    private void readReceived(Lane lane, Population population) {
        population.of(lane).map(SimulatedClient::account).forEach(account -> {
            MissingMessages missing = account == null ? null : account.missing();
            if (account != null && missing != null) {
                isIncomplete |= missing.isIncomplete();
                missing.forEach(this::addGap);
                addTails(account);
            }
        });
    }

    private void addTails(ReceiverAccount account) {
        account.forEachStream((number, last) -> {
            PublishStream stream = streams.get(number);
            if (stream != null) {
                receivers.merge(number, 1, Integer::sum);
                addGap(number, last + 1, stream.sequence());
            }
        });
    }

    private void addThoseWhoSawNothing(int number) {
        PublishStream stream = streams.get(number);
        if (stream != null) {
            int others = stream.copies() - receivers.getOrDefault(number, 0);
            for (int i = 0; i < others; i++) {
                addGap(number, 1, stream.sequence());
            }
        }
    }

    private void addGap(int stream, long first, long last) {
        long[] sequences = cutOff.get(stream);
        if (sequences == null || first > last) {
            return;
        }
        int from = indexOf(sequences, first);
        int to = indexOf(sequences, last + 1);
        if (isAtMostOnce && to > from) {
            arrivals += sequences[to - 1] - first + 1;
        } else {
            arrivals += to - from;
        }
    }

    /** Of the first that is not less. */
    private static int indexOf(long[] sequences, long sequence) {
        int found = Arrays.binarySearch(sequences, sequence);
        return found < 0 ? -found - 1 : found;
    }

    /** How many did not happen and need not have. */
    long arrivals() {
        return arrivals;
    }

    List<String> faults() {
        return isIncomplete
                ? List.of(
                        "more is missing, or was cut off, than can be compared; give fewer --storm-clients or a longer --storm-every")
                : List.of();
    }

    List<String> notes() {
        if (isAtMostOnce) {
            return arrivals == 0
                    ? List.of()
                    : List.of(
                            "not known: " + arrivals
                                    + " arrivals that never came were what publishers sent last before they closed"
                                    + " their sockets, and at QoS 0 a client cannot know whether the server has read it; they do not count as lost");
        }
        return messages == 0
                ? List.of()
                : List.of("not known: " + messages
                        + " messages were not acknowledged when their publishers closed their sockets; " + arrivals
                        + " of their arrivals never came, and do not count as lost");
    }

    Map<String, Long> counts() {
        return Map.of("unacknowledged", messages, "unknown", arrivals);
    }
}
