package dev.avocet.admin;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;

/** The process's entry point. */
public final class Main {
    /** Where the distribution is unpacked; the launcher sets it. */
    private static final String HOME_PROPERTY = "avocet.home";

    private Main() {}

    /** Runs the command and ends the process with one of the codes that {@code --help} lists. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        Path home = Path.of(System.getProperty(HOME_PROPERTY, "."));
        System.exit(commandLine(new BrokerProgram(home), out, err).execute(args));
    }

    static CommandLine commandLine(BrokerProgram broker, PrintWriter out, PrintWriter err) {
        return new CommandLine(new AdminCommand())
                .addSubcommand(new StoreCommand(broker))
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((mistake, arguments) ->
                        explain(mistake, mistake.getCommandLine().getErr()))
                .setExecutionExceptionHandler((failure, command, parsed) -> explain(failure, command.getErr()));
    }

    private static int explain(ParameterException mistake, PrintWriter err) {
        err.println("broker-admin: " + mistake.getMessage());
        err.println("see '" + mistake.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.USAGE;
    }

    private static int explain(Exception failure, PrintWriter err) {
        if (failure instanceof AdminException e) {
            err.println("broker-admin: " + e.getMessage());
            return e.exitCode();
        }
        err.println("broker-admin: a mistake in this program; please report it:");
        failure.printStackTrace(err);
        return ExitCode.INTERNAL;
    }
}
