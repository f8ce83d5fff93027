package dev.avocet.admin.client;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.LimitOption;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.ObjectFormatOption;
import dev.avocet.admin.print.RowPrinter;
import dev.avocet.admin.schema.Kind;
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

/** {@code broker-admin subscription}: what clients have subscribed to, and what waits for them. */
@Command(
        name = "subscription",
        description =
                "Lists subscriptions with what waits for them, and deletes them. A shared subscription is listed once,"
                        + " with __Shared, __SharedND or __SharedM in place of a client.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class SubscriptionCommand implements Runnable {
    static final List<String> COLUMNS = List.of(
            "ClientID",
            "SubName",
            "TopicString",
            "QoS",
            "IsShared",
            "IsDurable",
            "Consumers",
            "BufferedMsgs",
            "MaxMessages");

    private static final String PATH = "Subscription";
    private static final List<String> NAMES = List.of("ClientID", "SubName");
    private static final String CLIENT = "whose it is, as the list says";
    private static final String NAME = "what it is called, as the list says";

    @Spec
    private @Nullable CommandSpec spec;

    /** Which subscriptions. */
    enum Kind {
        ALL,
        DURABLE,
        NONDURABLE,
        SHARED,
        NONSHARED
    }

    @Override
    public void run() {
        throw new ParameterException(spec().commandLine(), "say what to do: list, show or delete");
    }

    @Command(
            name = "list",
            description = "Lists subscriptions. In a pattern * stands for any characters.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int list(
            @Mixin ConnectionOptions connection,
            @Option(names = "--client-id", paramLabel = "PATTERN", defaultValue = "", description = "whose they are")
                    String clientId,
            @Option(names = "--name", paramLabel = "PATTERN", defaultValue = "", description = "what they are called")
                    String name,
            @Option(names = "--topic", paramLabel = "PATTERN", defaultValue = "", description = "their topic filter")
                    String topic,
            @Option(
                            names = "--kind",
                            paramLabel = "KIND",
                            defaultValue = "all",
                            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
                    Kind kind,
            @Mixin LimitOption limit,
            @Mixin ObjectFormatOption output)
            throws AdminException {
        Map<String, String> filters = new LinkedHashMap<>();
        filters.put("ClientID", clientId);
        filters.put("SubName", name);
        filters.put("TopicString", topic);
        filters.put("SubType", kind.name().toLowerCase(Locale.ROOT));
        Map<String, String> cursors = Map.of("After", "ClientID", "AfterName", "SubName");
        ServiceApi.Listing found = new ServiceApi(connection.client()).list(PATH, filters, cursors, limit.limit());
        new RowPrinter(output.format(), NAMES, out()).several(found.rows(), COLUMNS);
        LimitOption.warn(found, spec().commandLine().getErr());
        return ExitCode.DONE;
    }

    @Command(
            name = "show",
            description = "Shows all figures of a subscription.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int show(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "ClientID", description = CLIENT) String clientId,
            @Parameters(index = "1", paramLabel = "SubName", description = NAME) String name,
            @Mixin ObjectFormatOption output)
            throws AdminException {
        Map<String, @Nullable Object> found = new ServiceApi(connection.client()).one(path(clientId, name), PATH);
        new RowPrinter(output.format(), NAMES, out()).one(found);
        return ExitCode.DONE;
    }

    @Command(
            name = "delete",
            description = "Deletes a subscription that no client uses at the moment, and what waits for it.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int delete(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "ClientID", description = CLIENT) String clientId,
            @Parameters(index = "1", paramLabel = "SubName", description = NAME) String name,
            @Option(
                            names = {"--force", "--discard-sharers"},
                            description = "disconnect clients that use it first")
                    boolean force)
            throws AdminException {
        new ServiceApi(connection.client()).delete(path(clientId, name), force ? Map.of("Force", "true") : Map.of());
        out().println("subscription " + name + " of " + clientId + " deleted");
        return ExitCode.DONE;
    }

    private static String path(String clientId, String name) {
        return PATH + "/" + ServiceApi.encoded(clientId) + "/" + ServiceApi.encoded(name);
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
