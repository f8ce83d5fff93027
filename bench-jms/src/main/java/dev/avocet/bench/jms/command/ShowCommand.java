package dev.avocet.bench.jms.command;

import dev.avocet.bench.agent.CombinedCommand;
import dev.avocet.bench.workload.Workload;
import dev.avocet.bench.workload.WorkloadLibrary;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a named workload is made of. */
@Command(name = "show", mixinStandardHelpOptions = true, description = "Shows a workload: its origin and its options.")
final class ShowCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "as list has it, or a file that ends in .yaml")
    private String name;

    @Option(names = "--scale", paramLabel = "FACTOR", description = "as in run")
    private double scale = 1;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (CombinedCommand.isCombined(name)) {
            CombinedCommand.show(out, name, scale);
            return;
        }
        NamedWorkload named = NamedWorkload.find(name);
        Workload workload = named.workload();
        out.println(named.name() + ": " + workload.what());
        out.println("from " + workload.origin());
        WorkloadLibrary.arguments(workload, scale).forEach(argument -> out.println("    " + argument));
    }
}
