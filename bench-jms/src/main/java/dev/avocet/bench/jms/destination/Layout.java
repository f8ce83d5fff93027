package dev.avocet.bench.jms.destination;

import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.List;

/**
 * How the clients of one side are stacked: threads, connections of a thread, sessions of a connection, destinations of
 * a session. A negative count is that many, and says that the level is not part of the names: {@code threads = -4} are
 * four threads on the same destinations.
 *
 * @param base the name to which the numbers are added; one with a {@code #} or {@code +} is taken as it
 *     is, and each session has one of it
 * @param perSession destinations of each session
 * @param sessions sessions of each connection
 * @param connections connections of each thread
 * @param threads threads
 * @param first the first number in names
 */
public record Layout(String base, int perSession, int sessions, int connections, int threads, int first) {
    static final int LARGEST_COUNT = 1_000_000;

    public Layout {
        if (base.isBlank()) {
            throw new IllegalArgumentException("name is empty: give the destinations a base name, such as orders");
        }
        if (isWildcard(base)) {
            perSession = Integer.signum(perSession);
        }
        requireCount("destinations per session", perSession);
        requireCount("sessions per connection", sessions);
        requireCount("connections per thread", connections);
        requireCount("threads", threads);
        requireCount("clients and destinations in all", total(perSession, sessions, connections, threads));
        if (first < 0 || first > 99_999_999) {
            throw new IllegalArgumentException(String.format(
                    ROOT, "first number %d does not fit the eight digits of names: 0 to 99999999", first));
        }
    }

    /** One session and one destination for each of so many threads. */
    public static Layout ofThreads(String base, int threads) {
        return new Layout(base, 1, 1, 1, threads, 0);
    }

    private static void requireCount(String name, long count) {
        if (count == 0 || Math.abs(count) > LARGEST_COUNT) {
            throw new IllegalArgumentException(String.format(
                    ROOT,
                    "%s is %d: from 1 to %d, or negative to leave it out of the names",
                    name,
                    count,
                    LARGEST_COUNT));
        }
    }

    private static long total(long perSession, long sessions, long connections, long threads) {
        return Math.abs(perSession * sessions) * Math.abs(connections * threads);
    }

    public int threadCount() {
        return Math.abs(threads);
    }

    public int connectionCount() {
        return Math.abs(connections);
    }

    public int sessionCount() {
        return Math.abs(sessions);
    }

    /** Whether the base is a filter over many topics and not a name to count with. */
    public boolean isWildcard() {
        return isWildcard(base);
    }

    private static boolean isWildcard(String base) {
        return base.indexOf('#') >= 0 || base.indexOf('+') >= 0;
    }

    public int destinationCount() {
        return Math.abs(perSession);
    }

    /** How many different numbers the levels that are part of the names give. */
    int numbers() {
        return Math.multiplyExact(
                Math.multiplyExact(named(perSession), named(sessions)),
                Math.multiplyExact(named(connections), named(threads)));
    }

    /** All sessions, those of a thread and of a connection together. */
    public List<ClientPosition> positions() {
        List<ClientPosition> positions = new ArrayList<>();
        for (int thread = 0; thread < threadCount(); thread++) {
            for (int connection = 0; connection < connectionCount(); connection++) {
                for (int session = 0; session < sessionCount(); session++) {
                    positions.add(new ClientPosition(thread, connection, session));
                }
            }
        }
        return positions;
    }

    public int clients() {
        return sessionCount() * connectionCount() * threadCount();
    }

    /** What a level multiplies those below it with: nothing when it is left out of the names. */
    static int named(int count) {
        return Math.max(count, 1);
    }
}
