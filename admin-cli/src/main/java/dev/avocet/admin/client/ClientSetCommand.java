package dev.avocet.admin.client;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.input.ExportPassword;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker-admin client-set}: many clients at once, with what they left behind. */
@Command(
        name = "client-set",
        description =
                "Moves many clients' sessions, durable JMS subscriptions and retained messages to another broker, or"
                        + " deletes them.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class ClientSetCommand implements Runnable {
    private static final String PATH = "ClientSet";
    /** Shorter than a request may take. */
    private static final int ONE_REQUEST_S = 15;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec().commandLine(), "say what to do: delete, export, forget, import or status");
    }

    @Command(
            name = "delete",
            description =
                    "Deletes sessions and durable JMS subscriptions, with what waits for them, and retained messages."
                            + ClientSetOption.HELP,
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int delete(
            @Mixin ConnectionOptions connection,
            @Mixin ClientSetOption set,
            @Option(names = "--force", description = "disconnect clients that are connected first; else they stay")
                    boolean force,
            @Option(
                            names = "--wait",
                            paramLabel = "SECONDS",
                            defaultValue = "60",
                            description = "how long to go on at most, up to 3600 (default: ${DEFAULT-VALUE})")
                    int waitSeconds)
            throws AdminException {
        Map<String, String> parameters = new LinkedHashMap<>();
        set.addTo(parameters);
        parameters.put("Force", force ? "true" : "");
        ServiceApi service = new ServiceApi(connection.client());
        long sessions = 0;
        long durables = 0;
        long messages = 0;
        Map<String, @Nullable Object> answer;
        int left = waitSeconds;
        do {
            int now = Math.min(left, ONE_REQUEST_S);
            left -= now;
            parameters.put("Wait", Integer.toString(now));
            answer = service.deleted(PATH, parameters);
            sessions += number(answer, "Sessions");
            durables += number(answer, "DurableSubscriptions");
            messages += number(answer, "Retained");
        } while (Boolean.FALSE.equals(answer.get("Complete")) && left > 0);
        out().println(sessions + " sessions, " + durables + " durable JMS subscriptions and " + messages
                + " retained messages are gone");
        return tellRest(answer);
    }

    @Command(
            name = "export",
            description =
                    "Writes sessions and durable JMS subscriptions, with what waits for them, and retained messages"
                            + " into a file below data/export of the broker, which only the password opens. All of it stays"
                            + " where it is. The clients must be away." + ClientSetOption.HELP,
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int export(
            @Mixin ConnectionOptions connection,
            @Mixin ExportPassword password,
            @Mixin ClientSetOption set,
            @Mixin TransferWaitOption wait,
            @Parameters(index = "0", paramLabel = "FILE", description = "the name of the file") String file,
            @Option(
                            names = "--force",
                            description = "disconnect clients that are connected first; else nothing is done")
                    boolean force)
            throws AdminException {
        Map<String, Object> body = new LinkedHashMap<>();
        set.addTo(body);
        body.put("FileName", file);
        body.put("Password", password.get(true));
        body.put("Force", force);
        return transfers(connection).begin("export", body, wait.seconds());
    }

    @Command(
            name = "import",
            description =
                    "Takes in what another broker has exported, from a file below data/export of this broker. None of"
                            + " its clients may have a session here. When something is wrong with the file nothing is changed.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int take(
            @Mixin ConnectionOptions connection,
            @Mixin ExportPassword password,
            @Mixin TransferWaitOption wait,
            @Parameters(index = "0", paramLabel = "FILE", description = "the name of the file") String file)
            throws AdminException {
        return transfers(connection)
                .begin("import", Map.of("FileName", file, "Password", password.get(false)), wait.seconds());
    }

    @Command(
            name = "status",
            description = "Tells how far an export or import is.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int status(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "REQUEST", description = "its number") long request)
            throws AdminException {
        return transfers(connection).status(request);
    }

    @Command(
            name = "forget",
            description = "Deletes the file of an export that is over, or forgets an import that is over.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int forget(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "REQUEST", description = "its number") long request)
            throws AdminException {
        return transfers(connection).forget(request);
    }

    private ClientSetTransfer transfers(ConnectionOptions connection) throws AdminException {
        return new ClientSetTransfer(
                new ServiceApi(connection.client()), out(), spec().commandLine().getErr());
    }

    private int tellRest(Map<String, @Nullable Object> answer) {
        long consumed = number(answer, "Consumed");
        if (consumed > 0) {
            String names = Values.text(answer.get("ConsumedSubscription"));
            out().println(consumed + " durable JMS subscriptions have consumers and stay: " + names);
        }
        long connected = number(answer, "Connected");
        if (connected > 0) {
            String names = Values.text(answer.get("ConnectedClientID"));
            out().println(connected + " clients are connected and stay, --force disconnects them: " + names);
        }
        if (Boolean.FALSE.equals(answer.get("Complete"))) {
            spec().commandLine()
                    .getErr()
                    .println(
                            "broker-admin: there was no time for the rest; run the same command again, or with a longer"
                                    + " --wait");
            return ExitCode.REFUSED;
        }
        return ExitCode.DONE;
    }

    private static long number(Map<String, @Nullable Object> answer, String name) {
        return answer.get(name) instanceof Number number ? number.longValue() : 0;
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
