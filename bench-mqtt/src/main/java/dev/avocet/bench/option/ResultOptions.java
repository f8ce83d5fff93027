package dev.avocet.bench.option;

import dev.avocet.bench.report.HtmlReport;
import dev.avocet.bench.report.LatencyCsv;
import dev.avocet.bench.report.ResultFile;
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
     * Does a run and reports it.
     *
     * @param run takes who is to be told of each interval
     */
    public RunResult report(PrintWriter out, Function<Consumer<Snapshot>, RunResult> run) throws IOException {
        TerminalReport terminal = new TerminalReport(out);
        Consumer<Snapshot> printed = isQuiet ? snapshot -> {} : terminal::snapshot;
        RunResult result;
        try (SnapshotCsv rows = csv == null ? null : new SnapshotCsv(csv)) {
            result = run.apply(rows == null ? printed : printed.andThen(rows::add));
        }
        terminal.result(result);
        write(result);
        return result;
    }

    private void write(RunResult result) throws IOException {
        if (json != null) {
            ResultFile.write(result, json);
        }
        if (html != null) {
            new HtmlReport(List.of(result)).write(html);
        }
        if (latencyCsv != null) {
            LatencyCsv.write(result, latencyCsv);
        }
    }
}
