package dev.avocet.server;

import dev.avocet.server.broker.BrokerProcess;
import dev.avocet.server.broker.ProcessStarter;
import dev.avocet.server.broker.store.JournalInspector;
import dev.avocet.server.command.HashPasswordCommand;
import dev.avocet.server.command.SetupCommand;
import dev.avocet.server.command.StoreCommand;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.process.ExitCode;
import dev.avocet.server.process.Home;
import dev.avocet.server.process.StartException;
import dev.avocet.server.store.StoreInspector;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;

/** The process's entry point. */
public final class Main {
    /** Where the distribution is unpacked; the launcher sets it. */
    private static final String HOME_PROPERTY = "avocet.home";

    private static final Set<String> ASKING = Set.of("--help", "--version");

    /** Logging is set up here, once, before other threads begin to log. */
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {}

    /** Runs the command and ends the process with one of the codes that {@code --help} lists. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        Path home = Path.of(System.getProperty(HOME_PROPERTY, "."));
        CommandLine command = onlyServes(args)
                ? commandLine(BrokerProcess::start, home, out, err)
                : commandLine(BrokerProcess::start, new JournalInspector(), home, out, err);
        System.exit(command.execute(args));
    }

    /**
     * Options alone, and none that asks for help: then the other commands need not be loaded, which takes as long as
     * all else here.
     */
    private static boolean onlyServes(String... args) {
        boolean isValue = false;
        for (String arg : args) {
            boolean isOption = arg.startsWith("--");
            if ((!isOption && !isValue) || ASKING.contains(arg)) {
                return false;
            }
            isValue = isOption && !arg.contains("=");
        }
        return true;
    }

    static CommandLine commandLine(
            ProcessStarter starter, StoreInspector inspector, Path path, PrintWriter out, PrintWriter err) {
        Home home = new Home(path);
        // The settings below reach the subcommands that are there by then.
        return set(
                new CommandLine(new BrokerCommand(starter, home))
                        .addSubcommand(new HashPasswordCommand())
                        .addSubcommand(new StoreCommand(home, inspector))
                        .addSubcommand(new SetupCommand(home)),
                out,
                err);
    }

    private static CommandLine commandLine(ProcessStarter starter, Path home, PrintWriter out, PrintWriter err) {
        return set(new CommandLine(new BrokerCommand(starter, new Home(home))), out, err);
    }

    private static CommandLine set(CommandLine command, PrintWriter out, PrintWriter err) {
        return command.setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((mistake, arguments) ->
                        explain(mistake, mistake.getCommandLine().getErr()))
                .setExecutionExceptionHandler((failure, thrower, parsed) -> explain(failure, thrower.getErr()));
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
        LOG.error("internal error: the broker cannot start", failure);
        return ExitCode.INTERNAL;
    }
}
