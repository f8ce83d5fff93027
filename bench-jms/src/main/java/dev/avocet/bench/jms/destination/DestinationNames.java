package dev.avocet.bench.jms.destination;

import static java.util.Locale.ROOT;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The names of the destinations of each session. The arithmetic is that of the reference harness, so that its scripts
 * and policies keep their meaning:
 *
 * <ul>
 *   <li>plain: {@code base.00000007}, the number counted through destinations, sessions, connections and threads;
 *   <li>in partitions: {@code /p3/t.00000007} from the base {@code /p/t}, the numbers cut in as many blocks as there
 *       are partitions, counted afresh in each; the last block takes what is left over;
 *   <li>round robin: as many destinations as one session was given, times the partitions, are dealt to the sessions in
 *     turn;
 *   <li>a base with a {@code #} or {@code +} is a filter: {@code /p/#} in partitions is {@code /p3/#}.
 * </ul>
 */
public final class DestinationNames {
    private final Layout layout;
    private final Spread spread;
    private final String level;
    private final String rest;

    public DestinationNames(Layout layout, Spread spread) {
        this.layout = layout;
        this.spread = spread;
        int slash = layout.base().lastIndexOf('/');
        if (spread.isParted() && (slash <= 0 || slash == layout.base().length() - 1)) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "name '%s' has one level: partitions need two, such as /p/t", layout.base()));
        }
        level = spread.isParted() ? layout.base().substring(0, slash) : "";
        rest = spread.isParted() ? layout.base().substring(slash) : layout.base();
    }

    /** The names for one session, in the order in which it uses them. */
    public List<String> of(ClientPosition client) {
        return spread.roundRobin() ? dealt(client.index(layout)) : counted(client);
    }

    private List<String> counted(ClientPosition client) {
        return IntStream.range(0, layout.destinationCount())
                .mapToObj(k -> nameOfNumber(numberOf(client, k)))
                .toList();
    }

    private int numberOf(ClientPosition client, int destination) {
        int inSession = Layout.named(layout.perSession());
        int inConnection = inSession * Layout.named(layout.sessions());
        int inThread = inConnection * Layout.named(layout.connections());
        return term(layout.threads(), client.thread() * inThread)
                + term(layout.connections(), client.connection() * inConnection)
                + term(layout.sessions(), client.session() * inSession)
                + term(layout.perSession(), destination);
    }

    private static int term(int count, int value) {
        return count < 0 ? 0 : value;
    }

    private String nameOfNumber(int number) {
        if (!spread.isParted()) {
            return name(0, number);
        }
        int block = Math.max(layout.numbers() / spread.partitions(), 1);
        int partition = Math.min(number / block, spread.partitions() - 1);
        return name(partition, number - partition * block);
    }

    /** When there are more sessions than destinations, several sessions get the same one. */
    private List<String> dealt(int client) {
        int clients = layout.clients();
        int partitions = Math.max(spread.partitions(), 1);
        int total = Math.multiplyExact(layout.destinationCount(), partitions);
        int share = clients >= total ? 1 : (total - client + clients - 1) / clients;
        return IntStream.range(0, share)
                .map(k -> (client + k * clients) % total)
                .mapToObj(n -> name(n % partitions, n / partitions))
                .toList();
    }

    private String name(int partition, int number) {
        String parted = spread.isParted() ? level + partition + rest : rest;
        return layout.isWildcard() ? parted : parted + String.format(ROOT, ".%08d", layout.first() + number);
    }
}
