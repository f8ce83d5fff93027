package dev.avocet.admin.client;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.LimitOption;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.ObjectFormat;
import dev.avocet.admin.print.ObjectFormatOption;
import dev.avocet.admin.print.RowPrinter;
import dev.avocet.admin.print.TextTable;
import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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

/** {@code broker-admin client}: who is connected, and who has left a session behind. */
@Command(
        name = "client",
        description =
                "Lists clients, connected and away, disconnects them, deletes what they left behind, and traces their packets.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class ClientCommand implements Runnable {
    private static final String PATH = "MQTTClient";
    private static final String ID = "ClientID";
    private static final List<String> COLUMNS = List.of(
            ID,
            "IsConnected",
            "UserID",
            "Endpoint",
            "ClientAddress",
            "Subscriptions",
            "BufferedMsgs",
            "LastConnectedTime");

    private static final int TRACE_MIN = 7;
    private static final int TRACE_MAX = 9;
    private static final String TRACE_FILE = "trace/trace.log in the broker's data directory";

    @Spec
    private @Nullable CommandSpec spec;

    /** Which clients. */
    enum State {
        ALL,
        CONNECTED,
        DISCONNECTED
    }

    @Override
    public void run() {
        throw mistake("say what to do: list, show, disconnect, delete or trace");
    }

    @Command(
            name = "list",
            description =
                    "Lists sessions, of clients that are connected and of those that are away. In a pattern * stands"
                            + " for any characters. Who is away has no user, endpoint or address.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int list(
            @Mixin ConnectionOptions connection,
            @Option(names = "--id", paramLabel = "PATTERN", defaultValue = "", description = "the client identifier")
                    String id,
            @Option(names = "--user-id", paramLabel = "PATTERN", defaultValue = "", description = "the user")
                    String userId,
            @Option(names = "--address", paramLabel = "PATTERN", defaultValue = "", description = "where the client is")
                    String address,
            @Option(
                            names = "--endpoint",
                            paramLabel = "PATTERN",
                            defaultValue = "",
                            description = "the endpoint that it is connected to")
                    String endpoint,
            @Option(
                            names = "--state",
                            paramLabel = "STATE",
                            defaultValue = "all",
                            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
                    State state,
            @Mixin LimitOption limit,
            @Mixin ObjectFormatOption output)
            throws AdminException {
        Map<String, String> filters = new LinkedHashMap<>();
        filters.put(ID, id);
        filters.put("UserID", userId);
        filters.put("ClientAddress", address);
        filters.put("Endpoint", endpoint);
        filters.put("ConnectionState", state.name().toLowerCase(Locale.ROOT));
        ServiceApi.Listing found =
                new ServiceApi(connection.client()).list(PATH, filters, Map.of("After", ID), limit.limit());
        new RowPrinter(output.format(), List.of(ID), out()).several(found.rows(), COLUMNS);
        LimitOption.warn(found, spec().commandLine().getErr());
        return ExitCode.DONE;
    }

    @Command(
            name = "show",
            description = "Shows the session of a client, with its subscriptions.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int show(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = ID, description = "the client identifier") String id,
            @Mixin ObjectFormatOption output)
            throws AdminException {
        Map<String, @Nullable Object> found =
                new ServiceApi(connection.client()).one(PATH + "/" + ServiceApi.encoded(id), PATH);
        boolean isForPeople = output.format() == ObjectFormat.TABLE;
        Object subscriptions = isForPeople ? found.remove("Subscription") : null;
        new RowPrinter(output.format(), List.of(ID), out()).one(found);
        if (subscriptions instanceof List<?> several && !several.isEmpty()) {
            out().println();
            List<Map<String, @Nullable Object>> rows = several.stream()
                    .map(each -> ConfigurationView.copyOf((Map<?, ?>) each))
                    .toList();
            TextTable.print(SubscriptionCommand.COLUMNS, rows, out());
        }
        return ExitCode.DONE;
    }

    @Command(
            name = "disconnect",
            description = "Closes connections; what is given must all fit, and * stands for any characters. Clients may"
                    + " connect again. Ends with 9 when no connection fits.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int disconnect(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", arity = "0..1", paramLabel = ID, description = "the client identifier") @Nullable String id,
            @Option(names = "--id", paramLabel = "PATTERN", description = "the same, as 'list' takes it") @Nullable String idOption,
            @Option(names = "--user-id", paramLabel = "PATTERN", description = "the user") @Nullable String userId,
            @Option(names = "--address", paramLabel = "PATTERN", description = "where the client is") @Nullable String address)
            throws AdminException {
        Map<String, String> whose = new LinkedHashMap<>();
        if (id != null && idOption != null) {
            throw mistake("the client identifier is there twice: as '" + id + "' and with --id '" + idOption
                    + "'; give it once");
        }
        putIfGiven(whose, ID, id == null ? idOption : id);
        putIfGiven(whose, "UserID", userId);
        putIfGiven(whose, "ClientAddress", address);
        if (whose.isEmpty()) {
            throw mistake("say whose connections: --id, --user-id or --address; '*' for all");
        }
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client()).post("close/connection", whose);
        String message = Values.text(answer.get("Message"));
        if ("0".equals(Values.text(answer.get("Closed")))) {
            throw new AdminException(ExitCode.NOT_FOUND, message);
        }
        out().println(message);
        return ExitCode.DONE;
    }

    @Command(
            name = "delete",
            description = "Deletes the session of a client that is away, its subscriptions, and what waits for them.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int delete(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = ID, description = "the client identifier") String id,
            @Option(names = "--force", description = "disconnect the client first, if it is connected") boolean force)
            throws AdminException {
        new ServiceApi(connection.client())
                .delete(PATH + "/" + ServiceApi.encoded(id), force ? Map.of("Force", "true") : Map.of());
        out().println("session of " + id + " deleted");
        return ExitCode.DONE;
    }

    @Command(
            name = "trace",
            description =
                    "Traces the packets of a client, from the next one on, until it is ended with --off. Others that are"
                            + " traced stay so. Passwords are never traced.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int trace(
            @Mixin ConnectionOptions connection,
            @Parameters(
                            index = "0",
                            paramLabel = ID,
                            description = "the client identifier; * at the end stands for any rest")
                    String id,
            @Option(
                            names = "--level",
                            paramLabel = "LEVEL",
                            description = "7: packets that begin, change or end something; 8: every packet; 9: also"
                                    + " the first TraceMessageData bytes of payloads; for all clients that are traced"
                                    + " (default: as it is, or else 8)")
                    @Nullable Integer level,
            @Option(names = "--off", description = "end it; ends with 9 when the client is not traced by that name")
                    boolean off)
            throws AdminException {
        if (level != null && (off || level < TRACE_MIN || level > TRACE_MAX)) {
            throw mistake("--level: give 7, 8 or 9, and not with --off");
        }
        AdminClient client = connection.client();
        TracedClients traced = new TracedClients(new ConfigurationApi(client));
        if (!off) {
            traced.add(id, level == null ? 0 : level);
            out().println("client " + id + " is traced: " + TRACE_FILE);
            return ExitCode.DONE;
        }
        if (!traced.remove(id)) {
            throw new AdminException(ExitCode.NOT_FOUND, "client '" + id + "' is not traced by that name");
        }
        new ServiceApi(client).post("trace/flush", Map.of());
        out().println("client " + id + " is not traced any more; what was is in " + TRACE_FILE);
        return ExitCode.DONE;
    }

    private static void putIfGiven(Map<String, String> into, String name, @Nullable String value) {
        if (value != null) {
            into.put(name, value);
        }
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    private ParameterException mistake(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
