package dev.avocet.admin;

import dev.avocet.admin.imaserver.ImaserverCommand;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.store.BrokerProgram;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The process's entry point. */
public final class Main {
    /** Where the distribution is unpacked; the launcher sets it. */
    private static final String HOME_PROPERTY = "avocet.home";

    private Main() {}

    /** Runs the command and ends the process with one of the codes that {@code --help} lists. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int exitCode = run(Path.of(System.getProperty(HOME_PROPERTY, ".")), out, err, args);
        out.flush();
        System.exit(exitCode);
    }

    /**
     * Runs the command in this process.
     *
     * @param home where the distribution is unpacked
     * @return what the process would end with
     */
    public static int run(Path home, PrintWriter out, PrintWriter err, String... args) {
        String first = args.length == 0 ? "" : args[0];
        return commandLine(new BrokerProgram(home), out, err, first::equals).execute(ImaserverCommand.withHelp(args));
    }

    /** @param isNeeded which of the commands the arguments may speak of */
    static CommandLine commandLine(BrokerProgram broker, PrintWriter out, PrintWriter err, Predicate<String> isNeeded) {
        CommandLine program = new CommandLine(new AdminCommand());
        new Commands(broker, Schema.load(), () -> commandLine(broker, out, err, noun -> true)).addTo(program, isNeeded);
        return program.setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setExpandAtFiles(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((mistake, arguments) ->
                        explain(mistake, mistake.getCommandLine().getErr()))
                .setExecutionExceptionHandler((failure, command, parsed) -> explain(failure, command.getErr()));
    }

    private static int explain(ParameterException mistake, PrintWriter err) {
        err.println("broker-admin: " + mistake.getMessage() + suggestions(mistake));
        err.println("see '" + mistake.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.USAGE;
    }

    private static String suggestions(ParameterException mistake) {
        List<String> near = mistake instanceof UnmatchedArgumentException e ? e.getSuggestions() : List.of();
        return near.isEmpty() ? "" : "; did you mean " + String.join(", ", near) + "?";
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
