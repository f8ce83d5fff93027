package dev.avocet.bench.jms.command;

import dev.avocet.bench.agent.AgentCommand;
import dev.avocet.bench.agent.CombinedCommand;
import dev.avocet.bench.jms.client.UnusableClientException;
import dev.avocet.bench.jms.measure.Version;
import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.workload.WorkloadException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program without a command. */
@Command(
        name = "jmsbench",
        description =
                "Puts load on a JMS broker with any Jakarta Messaging client, checks that every message arrives once, in"
                        + " order and whole, and measures how long it takes.",
        subcommands = {ListCommand.class, ShowCommand.class, AgentCommand.class},
        mixinStandardHelpOptions = true,
        versionProvider = JmsBench.VersionText.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the run PASSED",
            "1:the run FAILED: the broker did not do what was asked of it",
            "2:the command line has a mistake, or a file cannot be written",
            "3:the run is INVALID: jmsbench itself was too slow",
            "70:a mistake in this program"
        })
public final class JmsBench implements Runnable {
    /** Where the named workloads are. */
    static final String WORKLOADS = "/dev/avocet/bench/jms/workloads";

    @Spec
    private CommandSpec spec;

    /** For {@code --version}. */
    static final class VersionText implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {Version.text()};
        }
    }

    /** @return the code with which the process is to end */
    public static int execute(PrintWriter out, PrintWriter err, String... arguments) {
        return execute(Map.of(), out, err, arguments);
    }

    /**
     * @param environment what the reference harness read from it is heeded, and said
     * @return the code with which the process is to end
     */
    public static int execute(Map<String, String> environment, PrintWriter out, PrintWriter err, String... arguments) {
        try {
            List<String> added = OldEnvironment.options(List.of(arguments), environment);
            if (!added.isEmpty()) {
                err.println("jmsbench: taken from the environment: " + String.join(" ", added));
            }
            String[] translated = Stream.concat(Arrays.stream(OldOptions.translated(arguments)), added.stream())
                    .toArray(String[]::new);
            boolean isCombined = CombinedCommand.isMeant(List.of(translated));
            return commandLine(isCombined ? new CombinedCommand() : new RunCommand(), out, err)
                    .execute(translated);
        } catch (WorkloadException | IllegalArgumentException mistake) {
            return explain(mistake, err);
        }
    }

    private static CommandLine commandLine(Object run, PrintWriter out, PrintWriter err) {
        return new CommandLine(new JmsBench())
                .addSubcommand(run)
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(120)
                .setParameterExceptionHandler((mistake, arguments) ->
                        explain(mistake, mistake.getCommandLine().getErr()))
                .setExecutionExceptionHandler((failure, command, parsed) -> explain(failure, command.getErr()));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "which command? run, list, show or agent");
    }

    private static int explain(ParameterException mistake, PrintWriter err) {
        List<String> near = mistake instanceof UnmatchedArgumentException e ? e.getSuggestions() : List.of();
        err.println("jmsbench: " + mistake.getMessage()
                + (near.isEmpty() ? "" : "; did you mean " + String.join(", ", near) + "?"));
        err.println("see '" + mistake.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.USAGE;
    }

    private static int explain(Exception failure, PrintWriter err) {
        if (failure instanceof IllegalArgumentException
                || failure instanceof WorkloadException
                || failure instanceof UnusableClientException) {
            err.println("jmsbench: " + failure.getMessage());
            return ExitCode.USAGE;
        }
        if (failure instanceof IOException) {
            err.println("jmsbench: a file cannot be written: " + failure.getMessage());
            return ExitCode.USAGE;
        }
        err.println("jmsbench: a mistake in this program; please report it:");
        failure.printStackTrace(err);
        return ExitCode.INTERNAL;
    }
}
