package dev.avocet.server;

import dev.avocet.server.broker.BrokerStarter;
import dev.avocet.server.broker.JournalInspector;
import dev.avocet.server.broker.Wiring;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.store.StoreInspector;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;

/** The process's entry point. */
public final class Main {
    /** Where the distribution is unpacked; the launcher sets it. */
    private static final String HOME_PROPERTY = "avocet.home";

    /** Logging is set up here, once, before other threads begin to log. */
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {}

    /** Runs the command and ends the process with one of the codes that {@code --help} lists. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        Path home = Path.of(System.getProperty(HOME_PROPERTY, "."));
        System.exit(commandLine(new Wiring(), new JournalInspector(), home, out, err)
                .execute(args));
    }

    static CommandLine commandLine(
            BrokerStarter starter, StoreInspector inspector, Path path, PrintWriter out, PrintWriter err) {
        Home home = new Home(path);
        return new CommandLine(new BrokerCommand(starter, home))
                .addSubcommand(new StoreCommand(home, inspector))
                .addSubcommand(new SetupCommand(home))
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((mistake, arguments) ->
                        explain(mistake, mistake.getCommandLine().getErr()))
                .setExecutionExceptionHandler((failure, command, parsed) -> explain(failure, command.getErr()));
    }

    private static int explain(ParameterException mistake, PrintWriter err) {
        err.println("broker: " + mistake.getMessage());
        err.println("see '" + mistake.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.USAGE;
    }

    private static int explain(Exception failure, PrintWriter err) {
        if (failure instanceof ConfigurationException e) {
            err.println("broker: " + e.source() + " cannot be used:");
            e.problems().forEach(problem -> err.println("  " + problem));
            return ExitCode.USAGE;
        }
        if (failure instanceof StartException e) {
            err.println("broker: " + e.getMessage());
            return e.exitCode();
        }
        LOG.error("the broker cannot start because of a mistake in it", failure);
        return ExitCode.INTERNAL;
    }
}
