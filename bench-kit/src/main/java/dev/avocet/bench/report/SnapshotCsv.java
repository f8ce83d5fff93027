package dev.avocet.bench.report;

import static java.util.Locale.ROOT;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The intervals of a run as rows of CSV, written as they end. Latencies are in microseconds. */
public final class SnapshotCsv implements AutoCloseable {
    static final String HEADER = "phase,seconds,connections,sent_per_second,received_per_second,under_way,samples,"
            + "min_us,mean_us,p50_us,p90_us,p95_us,p99_us,p999_us,max_us";

    private final PrintWriter out;

    public SnapshotCsv(Path file) throws IOException {
        out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8), true);
        out.println(HEADER);
    }

    public void add(Snapshot snapshot) {
        out.println(row(snapshot));
    }

    /** @throws IOException if some of the rows could not be written */
    @Override
    public void close() throws IOException {
        out.close();
        if (out.checkError()) {
            throw new IOException("rows are missing");
        }
    }

    static String row(Snapshot s) {
        return String.format(
                ROOT,
                "%s,%.3f,%d,%.1f,%.1f,%d,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f",
                s.phase(),
                s.seconds(),
                s.connections(),
                s.sentPerSecond(),
                s.receivedPerSecond(),
                s.underWay(),
                s.latency().samples(),
                s.latency().minNs() / 1e3,
                s.latency().meanNs() / 1e3,
                s.latency().p50Ns() / 1e3,
                s.latency().p90Ns() / 1e3,
                s.latency().p95Ns() / 1e3,
                s.latency().p99Ns() / 1e3,
                s.latency().p999Ns() / 1e3,
                s.latency().maxNs() / 1e3);
    }
}
