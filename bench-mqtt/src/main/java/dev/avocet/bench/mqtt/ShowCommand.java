package dev.avocet.bench.mqtt;

import dev.avocet.bench.agent.CombinedCommand;
import dev.avocet.bench.workload.Workload;
import dev.avocet.bench.workload.WorkloadLibrary;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Explains a workload. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = "Says what a workload is, where it comes from, and its options.")
final class ShowCommand implements Runnable {
    @Parameters(paramLabel = "NAME", description = "one that the command list names, or a file that ends in .yaml")
    private String name = "";

    @Option(names = "--scale", description = "shows its options at this scale (default: ${DEFAULT-VALUE})")
    private double scale = 1;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (CombinedCommand.isCombined(name)) {
            CombinedCommand.show(out, name, scale);
            return;
        }
        Workload workload = Main.WORKLOADS.find(name);
        out.println(workload.name());
        out.println("  " + workload.what());
        out.println("  from: " + workload.origin());
        if (!workload.others().isEmpty()) {
            out.println("  also: " + String.join(", ", workload.others()));
        }
        WorkloadLibrary.arguments(workload, scale).forEach(argument -> out.println("  " + argument));
    }
}
