package dev.avocet.bench.option;

import dev.avocet.bench.report.HtmlReport;
import dev.avocet.bench.report.LatencyCsv;
import dev.avocet.bench.report.ResultFile;
import dev.avocet.bench.report.RunGroup;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.Snapshot;
import dev.avocet.bench.report.SnapshotCsv;
import dev.avocet.bench.report.TerminalReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the figures of a run go: to the terminal, and to files. */
public final class ResultOptions {
    @Option(
            names = "--repeat",
            paramLabel = "N",
            description =
                    "runs of the same, one after the other; the figures are their medians, the verdict is the worst"
                            + " (default: ${DEFAULT-VALUE})",
            defaultValue = "1")
    private int repeat;

    @Option(names = "--json", paramLabel = "FILE", description = "writes the result as JSON")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "writes the result as a page with plots")
    private @Nullable Path html;

    @Option(
            names = {"--csv", "-csv"},
            paramLabel = "FILE",
            description = "writes a row per interval")
    private @Nullable Path csv;

    @Option(
            names = {"--latency-csv", "-lcsv"},
            paramLabel = "FILE",
            description = "writes the percentiles of latency")
    private @Nullable Path latencyCsv;

    @Option(
            names = {"--quiet", "-q"},
            description = "prints the result only")
    private boolean isQuiet;

    private volatile @Nullable ReportGuard guard;

    /**
     * Does a run, or as many as there are to be, and reports them, also when the process is told to end meanwhile.
     *
     * @param run takes who is to be told of each interval
     * @throws IllegalArgumentException before the first run, if a file cannot be written
     * @throws IOException after the last, if one could not; the others are
     */
    public RunGroup report(PrintWriter out, Function<Consumer<Snapshot>, RunResult> run) throws IOException {
        ResultPath.check("--json", json);
        ResultPath.check("--html", html);
        ResultPath.check("--csv", csv);
        ResultPath.check("--latency-csv", latencyCsv);
        try (ReportGuard watching = ReportGuard.begin()) {
            guard = watching;
            return reportGuarded(out, run, watching);
        }
    }

    /** Whether the process was told to end, so that no other run is to begin. Any thread. */
    public boolean isInterrupted() {
        ReportGuard watching = guard;
        return watching != null && watching.isInterrupted();
    }

    private RunGroup reportGuarded(PrintWriter out, Function<Consumer<Snapshot>, RunResult> run, ReportGuard watching)
            throws IOException {
        TerminalReport terminal = new TerminalReport(out);
        Consumer<Snapshot> printed = isQuiet ? snapshot -> {} : terminal::snapshot;
        SnapshotCsv rows = csv == null ? null : new SnapshotCsv(csv);
        Consumer<Snapshot> all = rows == null ? printed : printed.andThen(rows::add);
        RunGroup runs = terminal.repeated("A", repeat, () -> run.apply(all), watching::isInterrupted);
        out.flush();
        write(runs, rows);
        return runs;
    }

    private void write(RunGroup runs, @Nullable SnapshotCsv rows) throws IOException {
        List<String> unwritten = new ArrayList<>();
        if (rows != null) {
            attempt(csv, rows::close, unwritten);
        }
        if (json != null) {
            attempt(json, () -> ResultFile.write(runs.runs(), json), unwritten);
        }
        if (html != null) {
            attempt(html, () -> new HtmlReport(List.of(runs)).write(html), unwritten);
        }
        if (latencyCsv != null) {
            // Of several runs, those of the last.
            RunResult last = runs.runs().get(runs.runs().size() - 1);
            attempt(latencyCsv, () -> LatencyCsv.write(last, latencyCsv), unwritten);
        }
        if (!unwritten.isEmpty()) {
            throw new IOException(String.join("; ", unwritten));
        }
    }

    /** A disk that is full, say, must not cost the other files. */
    private static void attempt(@Nullable Path file, Writing writing, List<String> unwritten) {
        try {
            writing.write();
        } catch (IOException failure) {
            unwritten.add(file + " (" + failure.getMessage() + ")");
        }
    }

    private interface Writing {
        void write() throws IOException;
    }
}
