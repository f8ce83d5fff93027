package dev.avocet.bench.mqtt;

import dev.avocet.bench.report.RunGroup;
import dev.avocet.bench.report.RunResult;
import dev.avocet.bench.report.TerminalReport;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** How often a run is made. */
final class Repetition {
    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "runs of the same, one after the other; the figures are their medians, the verdict is the worst"
                    + " (default: ${DEFAULT-VALUE})",
            defaultValue = "1")
    private int times;

    /** Makes them all, and shows each, and what they come to together. */
    RunGroup group(String name, Supplier<RunResult> run, TerminalReport terminal) {
        return terminal.repeated(name, times, run);
    }
}
