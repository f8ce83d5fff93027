package dev.avocet.admin.service;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.OutputOption;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker-admin explain}: which policy lets a client do something, and why the others do not. */
@Command(
        name = "explain",
        description = {
            "Says whether a client may do something, which policy decides, and which filters of the other policies do"
                    + " not fit.",
            "ACTION is Connect, Publish, Subscribe, QueueSend, QueueReceive, QueueBrowse, QueueCreate,"
                    + " SubscriptionReceive or SubscriptionControl. Ends with 11 if it is not allowed."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
public final class ExplainCommand implements Callable<Integer> {
    private static final String NONE = "none";
    private static final Set<String> WANTED = Set.of("Topic", "Queue", "Subscription", "ActionList");

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "ACTION", description = "what the client wants to do")
    private @Nullable String action;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "the topic, topic filter, queue or shared subscription; none for Connect")
    private @Nullable String name;

    @Option(names = "--endpoint", required = true, paramLabel = "NAME", description = "where the client connects")
    private @Nullable String endpoint;

    @Option(names = "--client-id", paramLabel = "ID", description = "its client identifier")
    private @Nullable String clientId;

    @Option(names = "--user-id", paramLabel = "NAME", description = "the user that it has logged in as")
    private @Nullable String userId;

    @Option(names = "--group", paramLabel = "NAME", description = "a group of the user; may be repeated")
    private List<String> groups = new ArrayList<>();

    @Option(names = "--client-address", paramLabel = "IP", description = "where it comes from")
    private @Nullable String address;

    @Option(names = "--common-name", paramLabel = "NAME", description = "the common name of its certificate")
    private @Nullable String commonName;

    @Option(names = "--protocol", paramLabel = "MQTT|JMS", description = "what it speaks (default: JMS for queues)")
    private @Nullable String protocol;

    @Option(
            names = "--claim",
            paramLabel = "NAME=VALUE",
            description = "a claim of its OAuth token; may be repeated, for one claim too")
    private List<String> claims = new ArrayList<>();

    @Mixin
    private @Nullable ConnectionOptions connection;

    @Mixin
    private @Nullable OutputOption output;

    @Override
    public Integer call() throws AdminException {
        Map<String, Object> body = new LinkedHashMap<>();
        put(body, "Action", action);
        put(body, "Name", name);
        put(body, "Endpoint", endpoint);
        put(body, "ClientID", clientId);
        put(body, "UserID", userId);
        put(body, "ClientAddress", address);
        put(body, "CommonName", commonName);
        put(body, "Protocol", protocol);
        if (!groups.isEmpty()) {
            body.put("Groups", groups);
        }
        if (!claims.isEmpty()) {
            body.put("Claims", claims());
        }
        Map<String, @Nullable Object> answer =
                new ServiceApi(Objects.requireNonNull(connection).client()).post("access", body);
        answer.remove("Version");
        if (Objects.requireNonNull(output).isJson()) {
            out().println(Documents.toJson(answer));
        } else {
            print(answer);
        }
        return Boolean.TRUE.equals(answer.get("Allowed")) && Boolean.TRUE.equals(answer.get("MayConnect"))
                ? ExitCode.DONE
                : ExitCode.UNHEALTHY;
    }

    private Map<String, List<String>> claims() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String claim : claims) {
            int equals = claim.indexOf('=');
            if (equals < 1) {
                throw new ParameterException(
                        Objects.requireNonNull(spec).commandLine(), "--claim: write NAME=VALUE, not '" + claim + "'");
            }
            values.computeIfAbsent(claim.substring(0, equals), key -> new ArrayList<>())
                    .add(claim.substring(equals + 1));
        }
        return values;
    }

    private static void put(Map<String, Object> body, String member, @Nullable String value) {
        if (value != null) {
            body.put(member, value);
        }
    }

    private void print(Map<String, @Nullable Object> answer) {
        out().println(answer.get("Message"));
        for (Map<String, @Nullable Object> tried : ServiceApi.rows(answer, "Tried")) {
            if (Boolean.TRUE.equals(tried.get("Applies"))) {
                out().println("  " + tried.get("Policy") + ": applies");
                continue;
            }
            out().println("  " + tried.get("Policy") + ": does not apply");
            for (Map<String, @Nullable Object> each : ServiceApi.rows(tried, "Differences")) {
                out().println("    " + each.get("Filter") + " is " + each.get("OfPolicy") + ", and the client "
                        + (WANTED.contains(String.valueOf(each.get("Filter"))) ? "wants " : "has ")
                        + orNone(each.get("OfClient")));
            }
        }
    }

    private static String orNone(@Nullable Object text) {
        return "".equals(text) ? NONE : String.valueOf(text);
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
