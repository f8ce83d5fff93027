package dev.avocet.bench.mqtt;

import static java.util.Locale.ROOT;

import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.report.Figure;
import dev.avocet.bench.report.HtmlReport;
import dev.avocet.bench.report.ResultFile;
import dev.avocet.bench.report.RunResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Puts two results beside each other. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = "Compares two results that 'run --json' has written.")
final class CompareCommand implements Callable<Integer> {
    @Parameters(arity = "2", paramLabel = "FILE", description = "two results")
    private List<Path> files = List.of();

    @Option(names = "--html", paramLabel = "FILE", description = "writes a page with both, and their plots")
    private @Nullable Path html;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        List<RunResult> results = new ArrayList<>();
        for (Path file : files) {
            results.add(read(file));
        }
        print(results);
        if (html != null) {
            new HtmlReport(results).write(html);
        }
        return ExitCode.PASSED;
    }

    private void print(List<RunResult> results) {
        PrintWriter out = spec.commandLine().getOut();
        String format = "%-34s %14s %14s %8s%n";
        out.printf(ROOT, format, "", "A", "B", "B / A");
        out.printf(
                ROOT,
                format,
                "verdict",
                results.get(0).verdict().outcome(),
                results.get(1).verdict().outcome(),
                "");
        for (Figure figure : Figure.of(results)) {
            out.printf(
                    ROOT,
                    format,
                    figure.name(),
                    Figure.text(figure.values().get(0)),
                    Figure.text(figure.values().get(1)),
                    figure.ratio());
        }
    }

    private static RunResult read(Path file) {
        try {
            return ResultFile.read(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(file + " is no result of 'run --json'", unreadable);
        }
    }
}
