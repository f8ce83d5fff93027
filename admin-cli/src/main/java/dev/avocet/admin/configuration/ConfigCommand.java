package dev.avocet.admin.configuration;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.LimitOption;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.object.DeleteVerb;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.ObjectFormatOption;
import dev.avocet.admin.print.OutputOption;
import dev.avocet.admin.print.RowPrinter;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
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

/** {@code broker-admin config}: the versions of the configuration. */
@Command(
        name = "config",
        description =
                "Tells who changed the configuration, shows what is different between two versions, and goes back to one.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class ConfigCommand implements Runnable {
    private static final String VERSION = "ConfigurationVersion";
    private static final List<String> COLUMNS = List.of(VERSION, "Time", "User", "ClientAddress", "Action", "Changes");

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw mistake("say what to do: history, diff or rollback");
    }

    @Command(
            name = "history",
            description = "Lists the versions that the broker keeps, the newest first: when each was made, by whom, and"
                    + " what was changed. MaxConfigurationVersions of 'server' says how many are kept.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int history(@Mixin ConnectionOptions connection, @Mixin LimitOption limit, @Mixin ObjectFormatOption output)
            throws AdminException {
        List<Map<String, @Nullable Object>> all = new VersionApi(connection.client()).history();
        int shown = limit.limit() == 0 ? all.size() : Math.min(limit.limit(), all.size());
        new RowPrinter(output.format(), List.of(VERSION), out()).several(all.subList(0, shown), COLUMNS);
        LimitOption.warn(
                new ServiceApi.Listing(all.subList(0, shown), all.size()),
                spec().commandLine().getErr());
        return ExitCode.DONE;
    }

    @Command(
            name = "diff",
            description =
                    "Shows what is different between two versions: + new, ~ different, - gone. Passwords are masked.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int diff(
            @Mixin ConnectionOptions connection,
            @Parameters(
                            index = "0",
                            arity = "0..1",
                            paramLabel = "FROM",
                            description = "a version; without it the one before TO")
                    @Nullable Long from,
            @Parameters(
                            index = "1",
                            arity = "0..1",
                            paramLabel = "TO",
                            description = "another version; without it the present one")
                    @Nullable Long to,
            @Mixin OutputOption output)
            throws AdminException {
        VersionApi api = new VersionApi(connection.client());
        VersionApi.Difference difference = api.difference(from == null ? beforeTheLast(api) : from, to);
        if (output.isJson()) {
            out().println(Documents.toJson(difference.tree()));
        } else {
            out().println("version " + difference.from() + " -> " + difference.to());
            difference.print(out());
        }
        return ExitCode.DONE;
    }

    private static long beforeTheLast(VersionApi api) throws AdminException {
        List<Long> versions = api.versions();
        if (versions.size() < 2) {
            throw new AdminException(
                    ExitCode.NOT_FOUND, "the broker keeps one version only, so there is nothing to compare");
        }
        return versions.get(versions.size() - 2);
    }

    @Command(
            name = "rollback",
            description =
                    "Makes the objects what they were in an old version, all of them or none. That is a change like any"
                            + " other and gives a new version. Passwords, users and files stay as they are.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int rollback(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "VERSION", description = "as 'history' shows it") long version,
            @Option(names = "--dry-run", description = "shows what would change, and changes nothing") boolean dryRun,
            @Option(
                            names = "--discard-messages",
                            description = "also delete queues that hold messages, with the messages")
                    boolean discardMessages,
            @Option(
                            names = "--discard-sharers",
                            description = "also delete subscriptions that clients share, which end for the clients")
                    boolean discardSharers)
            throws AdminException {
        VersionApi api = new VersionApi(connection.client());
        long present = api.present();
        VersionApi.Difference difference = api.difference(present, version);
        difference.print(out());
        if (dryRun) {
            return ExitCode.DONE;
        }
        Map<String, String> options = new LinkedHashMap<>();
        if (discardMessages) {
            options.put("DiscardMessages", "true");
        }
        if (discardSharers) {
            options.put("DiscardSharers", "true");
        }
        long made = rollBack(api, version, present, options);
        out().println(
                        made == present
                                ? "nothing was changed; the present version stays " + present
                                : "rolled back to version " + version + "; the present version is " + made);
        return ExitCode.DONE;
    }

    private static long rollBack(VersionApi api, long version, long present, Map<String, String> options)
            throws AdminException {
        try {
            return api.rollBack(version, present, options);
        } catch (AdminException e) {
            throw DeleteVerb.inOptions(e);
        }
    }

    private ParameterException mistake(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
