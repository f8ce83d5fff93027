package dev.avocet.bench.mqtt;

import dev.avocet.bench.agent.AgentCommand;
import dev.avocet.bench.agent.CombinedCommand;
import dev.avocet.bench.mqtt.engine.plan.DeadTargetException;
import dev.avocet.bench.option.ExitCode;
import dev.avocet.bench.workload.WorkloadException;
import dev.avocet.bench.workload.WorkloadLibrary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The process's entry point. */
public final class Main {
    static final WorkloadLibrary WORKLOADS = new WorkloadLibrary(Main.class, "/dev/avocet/bench/mqtt/workloads");

    private Main() {}

    /** Runs the command and ends the process with one of the codes that {@code --help} lists. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int exitCode = execute(List.of(args), out, err);
        out.flush();
        System.exit(exitCode);
    }

    static int execute(List<String> arguments, PrintWriter out, PrintWriter err) {
        return execute(arguments, System.getenv(), out, err);
    }

    static int execute(List<String> arguments, Map<String, String> environment, PrintWriter out, PrintWriter err) {
        try {
            OldNames.refuse(arguments);
            boolean isCombined = CombinedCommand.isMeant(arguments);
            List<String> expanded = isCombined
                    ? arguments
                    : withVariables(
                            new WorkloadArguments(WORKLOADS).expand(OldArguments.translate(arguments)), environment);
            return commandLine(isCombined ? new CombinedCommand() : new RunCommand(), out, err)
                    .execute(expanded.toArray(String[]::new));
        } catch (WorkloadException | IllegalArgumentException mistake) {
            err.println("mqttbench: " + mistake.getMessage());
            return ExitCode.USAGE;
        }
    }

    /** What the environment says comes first, so that it counts for least. */
    static List<String> withVariables(List<String> arguments, Map<String, String> environment) {
        if (arguments.isEmpty() || !arguments.get(0).equals("run") || isHelpWanted(arguments)) {
            return arguments;
        }
        List<String> all = new ArrayList<>(arguments);
        all.addAll(1, OldVariables.options(environment));
        return all;
    }

    private static boolean isHelpWanted(List<String> arguments) {
        return arguments.contains("--help") || arguments.contains("-h");
    }

    private static CommandLine commandLine(Object run, PrintWriter out, PrintWriter err) {
        return new CommandLine(new BenchCommand())
                .addSubcommand(run)
                .addSubcommand(new ListCommand())
                .addSubcommand(new ShowCommand())
                .addSubcommand(new CompareCommand())
                .addSubcommand(new AgentCommand())
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setOverwrittenOptionsAllowed(true)
                .setParameterExceptionHandler((mistake, words) -> explain(mistake))
                .setExecutionExceptionHandler((failure, command, parsed) -> explain(failure, command.getErr()));
    }

    private static int explain(ParameterException mistake) {
        PrintWriter err = mistake.getCommandLine().getErr();
        err.println("mqttbench: " + mistake.getMessage() + suggestions(mistake));
        err.println("see '" + mistake.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.USAGE;
    }

    private static String suggestions(ParameterException mistake) {
        List<String> near = mistake instanceof UnmatchedArgumentException e ? e.getSuggestions() : List.of();
        return near.isEmpty() ? "" : "; did you mean " + String.join(", ", near) + "?";
    }

    private static int explain(Exception failure, PrintWriter err) {
        if (failure instanceof DeadTargetException) {
            err.println("mqttbench: " + failure.getMessage());
            return ExitCode.FAILED;
        }
        if (failure instanceof WorkloadException || failure instanceof IllegalArgumentException) {
            err.println("mqttbench: " + failure.getMessage());
            return ExitCode.USAGE;
        }
        if (failure instanceof IOException) {
            err.println("mqttbench: a file cannot be written: " + failure.getMessage());
            return ExitCode.USAGE;
        }
        err.println("mqttbench: a mistake in this program; please report it:");
        failure.printStackTrace(err);
        return ExitCode.INTERNAL;
    }
}
