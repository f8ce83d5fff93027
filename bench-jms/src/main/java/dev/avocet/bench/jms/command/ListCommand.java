package dev.avocet.bench.jms.command;

import static java.util.Locale.ROOT;

import dev.avocet.bench.agent.CombinedCommand;
import dev.avocet.bench.workload.WorkloadLibrary;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the named workloads. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description =
                "Lists the named workloads. Names of RR may have SEC (the broker is reached through TLS) and HA (it is the"
                        + " active one of a pair) in them, as in RR.SEC.C1.HA.2KB.")
final class ListCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        WorkloadLibrary library = new WorkloadLibrary(JmsBench.class, JmsBench.WORKLOADS);
        library.names()
                .forEach(name -> out.printf(
                        ROOT, "%-32s %s%n", name, library.summary(name).what()));
        CombinedCommand.list(out);
    }
}
