package dev.avocet.admin.service;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.input.Terminal;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.OutputOption;
import dev.avocet.admin.print.StatusLines;
import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code broker-admin ha}: the pair that a broker is one of. */
@Command(
        name = "ha",
        description = "Tells of the pair that the broker is one of, has the two exchange their roles, and has a standby"
                + " pause, begin anew or"
                + " become active by force.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class HaCommand implements Runnable {
    private static final String PATH = "ha";
    private static final String PART = "HighAvailability";

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec().commandLine(), "say what to do: status, switch, pause, resume, resync or promote");
    }

    @Command(
            name = "status",
            description = "Tells the role of this node, which one is active, and which ones have everything.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int status(@Mixin ConnectionOptions connection, @Mixin OutputOption output) throws AdminException {
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client()).get(PATH, Map.of());
        answer.remove("Version");
        if (output.isJson()) {
            out().println(Documents.toJson(answer));
        } else if (answer.get(PART) instanceof Map<?, ?> members) {
            StatusLines.print(members, "", out());
        }
        return ExitCode.DONE;
    }

    @Command(
            name = "switch",
            description = "Has the active node hand its role over to the standby, which has to be in sync. Ask the"
                    + " active one.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int switchOver(@Mixin ConnectionOptions connection) throws AdminException {
        return ask(connection, "switch");
    }

    @Command(
            name = "pause",
            description = "Has a standby leave those in sync, for maintenance: it gets no more messages, and does not"
                    + " take over before it is resumed or started again. Ask the standby.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int pause(@Mixin ConnectionOptions connection) throws AdminException {
        return ask(connection, "pause");
    }

    @Command(
            name = "resume",
            description = "Has a standby that is paused follow the active node again. Ask the standby.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int resume(@Mixin ConnectionOptions connection) throws AdminException {
        return ask(connection, "resume");
    }

    @Command(
            name = "resync",
            description = "Has a standby put its store aside, and get everything from the active node anew. Until it is"
                    + " in sync the active node alone has what it acknowledges. Ask the standby.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int resync(
            @Mixin ConnectionOptions connection,
            @Option(names = "--yes", description = "do not ask whether that is meant") boolean yes)
            throws AdminException {
        if (!yes) {
            Terminal.confirm(
                    "The standby puts its store aside. Until it has got everything from the active node, that one alone"
                            + " has what it acknowledges. Go on?",
                    "--yes");
        }
        return ask(connection, "resync");
    }

    @Command(
            name = "promote",
            description = "The last resort when the active node is lost: has a standby become active that is not in"
                    + " sync. What the other node has acknowledged and this one has not got is lost. Stop the other"
                    + " node first. Ask the standby.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int promote(
            @Mixin ConnectionOptions connection,
            @Option(names = "--force", description = "do not ask whether that is meant") boolean force)
            throws AdminException {
        if (!force) {
            Terminal.confirm(
                    "Messages, subscriptions and settlements are lost that the other node has acknowledged and this one"
                            + " has not got; messages that were settled there may come again. If the other node still"
                            + " runs, both serve clients until it learns of this. Is the other node stopped, and shall"
                            + " this one become active?",
                    "--force");
        }
        return ask(connection, "promote", Map.of("Force", true));
    }

    private int ask(ConnectionOptions connection, String verb) throws AdminException {
        return ask(connection, verb, Map.of());
    }

    private int ask(ConnectionOptions connection, String verb, Map<String, Object> body) throws AdminException {
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client()).post(PATH + "/" + verb, body);
        out().println(Values.text(answer.get("Message")));
        return ExitCode.DONE;
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
