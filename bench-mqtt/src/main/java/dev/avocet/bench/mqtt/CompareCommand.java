package dev.avocet.bench.mqtt;

import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.option.ResultPath;
import dev.avocet.bench.report.Comparison;
import dev.avocet.bench.report.HtmlReport;
import dev.avocet.bench.report.ResultFile;
import dev.avocet.bench.report.RunGroup;
import dev.avocet.bench.report.RunResult;
import java.io.IOException;
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

/** Puts results beside each other. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = {
            "Compares results that 'run --json' has written, by mqttbench or by jmsbench: each with the first.",
            "%nA result is a file, of one run or of --repeat, or several files of the same with commas between them. From three runs of each on the"
                    + " ratio of medians has an interval of 95 %% confidence, and is judged: better, worse, or the same.%n"
        })
final class CompareCommand implements Callable<Integer> {
    @Parameters(arity = "2..*", paramLabel = "FILE[,FILE]", description = "two results or more")
    private List<String> results = List.of();

    @Option(names = "--html", paramLabel = "FILE", description = "writes a page with all, and their plots")
    private @Nullable Path html;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        ResultPath.check("--html", html);
        List<RunGroup> groups = new ArrayList<>();
        for (String files : results) {
            groups.add(new RunGroup(String.valueOf((char) ('A' + groups.size())), read(files), files));
        }
        new Comparison(groups).print(spec.commandLine().getOut());
        if (html != null) {
            new HtmlReport(groups).write(html);
        }
        return ExitCode.PASSED;
    }

    private static List<RunResult> read(String files) {
        List<RunResult> runs = new ArrayList<>();
        for (String file : files.split(",", -1)) {
            try {
                runs.addAll(ResultFile.readAll(Path.of(file)));
            } catch (IOException unreadable) {
                throw new IllegalArgumentException(file + " is not a result of 'run --json'", unreadable);
            }
        }
        return runs;
    }
}
