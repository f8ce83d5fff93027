package dev.avocet.bench.mqtt;

import static java.util.Locale.ROOT;

import dev.avocet.bench.agent.CombinedCommand;
import dev.avocet.bench.workload.WorkloadSummary;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Names the workloads. */
@Command(name = "list", mixinStandardHelpOptions = true, description = "Lists the named workloads.")
final class ListCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (String name : Main.WORKLOADS.names()) {
            WorkloadSummary workload = Main.WORKLOADS.summary(name);
            String others = workload.others().isEmpty() ? "" : " Also " + String.join(", ", workload.others()) + ".";
            out.printf(ROOT, "%-34s %s%s%n", name, workload.what(), others);
        }
        CombinedCommand.list(out);
    }
}
