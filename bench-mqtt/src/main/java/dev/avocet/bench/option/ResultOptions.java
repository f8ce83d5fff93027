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

    /**
     * Does a run, or as many as there are to be, and reports them.
     *
     * @param run takes who is to be told of each interval
     */
    public RunGroup report(PrintWriter out, Function<Consumer<Snapshot>, RunResult> run) throws IOException {
        TerminalReport terminal = new TerminalReport(out);
        Consumer<Snapshot> printed = isQuiet ? snapshot -> {} : terminal::snapshot;
        RunGroup runs;
        try (SnapshotCsv rows = csv == null ? null : new SnapshotCsv(csv)) {
            Consumer<Snapshot> all = rows == null ? printed : printed.andThen(rows::add);
            runs = terminal.repeated("A", repeat, () -> run.apply(all));
        }
        write(runs);
        return runs;
    }

    private void write(RunGroup runs) throws IOException {
        if (json != null) {
            ResultFile.write(runs.runs(), json);
        }
        if (html != null) {
            new HtmlReport(List.of(runs)).write(html);
        }
        if (latencyCsv != null) {
            // Of several runs, those of the last.
            LatencyCsv.write(runs.runs().get(repeat - 1), latencyCsv);
        }
    }
}
