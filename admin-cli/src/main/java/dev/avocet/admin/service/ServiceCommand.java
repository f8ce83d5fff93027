package dev.avocet.admin.service;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.input.Terminal;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.OutputOption;
import dev.avocet.admin.print.StatusLines;
import dev.avocet.admin.schema.Values;
import dev.avocet.names.NearestName;
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

/** {@code broker-admin service}: the process of the broker. */
@Command(
        name = "service",
        description = "Tells how a broker is, stops it, has it started again, and closes it to clients.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class ServiceCommand implements Runnable {
    private static final String SERVICE = "Service";
    private static final String SERVER = "Server";
    private static final List<String> MAINTENANCE = List.of("start", "stop");

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec().commandLine(), "say what to do: status, trace, stop, restart or maintenance");
    }

    @Command(
            name = "status",
            description = "Tells how the broker and its endpoints are.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int status(@Mixin ConnectionOptions connection, @Mixin OutputOption output) throws AdminException {
        Map<String, @Nullable Object> status = new ServiceApi(connection.client()).get("status", Map.of());
        status.remove("Version");
        if (output.isJson()) {
            out().println(Documents.toJson(status));
        } else {
            status.values().removeIf(ServiceCommand::isAbsent);
            status.forEach((part, value) -> {
                if (value instanceof Map<?, ?> members && !members.isEmpty()) {
                    out().println(part);
                    StatusLines.print(members, "  ", out());
                }
            });
        }
        return ExitCode.DONE;
    }

    @Command(
            name = "trace",
            description = "Prints the end of what was traced; 'client trace' says of whom.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int trace(
            @Mixin ConnectionOptions connection,
            @Option(
                            names = "--bytes",
                            paramLabel = "BYTES",
                            defaultValue = "1048576",
                            description = "how much, up to 8388608 (default: ${DEFAULT-VALUE})")
                    int bytes)
            throws AdminException {
        out().print(connection
                .client()
                .get("/api/v1/service/trace?Bytes=" + bytes)
                .body());
        out().flush();
        return ExitCode.DONE;
    }

    @Command(
            name = "stop",
            description = "Stops the broker in good order, and waits until it is gone. Starting it is for the operating"
                    + " system.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int stop(
            @Mixin ConnectionOptions connection,
            @Option(
                            names = "--wait",
                            paramLabel = "SECONDS",
                            defaultValue = "30",
                            description = "how long to wait for its end; 0 for not at all (default: ${DEFAULT-VALUE})")
                    long seconds)
            throws AdminException {
        AdminClient client = connection.client();
        new ServiceApi(client).post("stop", Map.of(SERVICE, SERVER));
        if (seconds > 0 && !new HealthWatch(client).awaitGone(seconds)) {
            throw new AdminException(
                    ExitCode.REFUSED, "the broker still answers after " + seconds + " s; its log says more");
        }
        out().println(seconds > 0 ? "stopped" : "stopping");
        return ExitCode.DONE;
    }

    @Command(
            name = "restart",
            description = {
                "Ends the broker in good order with exit code 10, so that its supervisor starts it again: systemd, a"
                        + " container's restart policy, or the launcher with BROKER_RESTART=here. Waits until it serves"
                        + " again."
            },
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int restart(
            @Mixin ConnectionOptions connection,
            @Option(
                            names = "--clean-store",
                            description = "begin with an empty store: all sessions and messages are lost")
                    boolean cleanStore,
            @Option(names = "--yes", description = "do not ask whether that is meant") boolean yes,
            @Option(
                            names = "--wait",
                            paramLabel = "SECONDS",
                            defaultValue = "60",
                            description =
                                    "how long to wait for the new process; 0 for not at all (default: ${DEFAULT-VALUE})")
                    long seconds)
            throws AdminException {
        if (cleanStore && !yes) {
            Terminal.confirm("All sessions and messages of this broker will be lost. Go on?", "--yes");
        }
        AdminClient client = connection.client();
        HealthWatch watch = new HealthWatch(client);
        long uptimeMs = watch.uptimeMs();
        Map<String, Object> body = new LinkedHashMap<>(Map.of(SERVICE, SERVER));
        if (cleanStore) {
            body.put("CleanStore", true);
        }
        new ServiceApi(client).post("restart", body);
        if (seconds > 0 && !watch.awaitYounger(uptimeMs, seconds)) {
            throw new AdminException(
                    ExitCode.UNREACHABLE,
                    "the broker has ended with code 10, and no supervisor has started it again within " + seconds
                            + " s; is it run by systemd, or with BROKER_RESTART=here?");
        }
        out().println(seconds > 0 ? "restarted" : "restarting");
        return ExitCode.DONE;
    }

    @Command(
            name = "maintenance",
            description =
                    "start: closes all endpoints and connections, so that the broker takes only administration, also"
                            + " after a restart. stop: the endpoints listen again. Nothing that is stored is lost.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int maintenance(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "start|stop", description = "whether the mode begins or ends")
                    String what)
            throws AdminException {
        if (!MAINTENANCE.contains(what)) {
            throw new ParameterException(
                    spec().commandLine(),
                    "say start or stop, not '" + what + "'" + NearestName.advice(what, MAINTENANCE));
        }
        Map<String, @Nullable Object> answer =
                new ServiceApi(connection.client()).post("maintenance", Map.of("Maintenance", what));
        out().println(Values.text(answer.get("Message")));
        return ExitCode.DONE;
    }

    /** What this broker does not have. */
    private static boolean isAbsent(@Nullable Object part) {
        return part instanceof Map<?, ?> members && Boolean.FALSE.equals(members.get("Enabled")) && members.size() == 2;
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
