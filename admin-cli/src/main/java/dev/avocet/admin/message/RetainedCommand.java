package dev.avocet.admin.message;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.LimitOption;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.ObjectFormatOption;
import dev.avocet.admin.print.RowPrinter;
import dev.avocet.admin.schema.Values;
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

/** {@code broker-admin retained}: the last message of each topic that was published with the retain flag. */
@Command(
        name = "retained",
        description = "Lists, shows and deletes retained messages.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class RetainedCommand implements Runnable {
    private static final String PATH = "Retained";
    private static final String TOPIC = "Topic";
    private static final List<String> COLUMNS = List.of(TOPIC, "QoS", "BodyBytes", "Publisher", "Expires", "Body");

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec().commandLine(), "say what to do: list, show or delete");
    }

    @Command(
            name = "list",
            description = "Lists retained messages by topic, with the beginnings of their bodies.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int list(
            @Mixin ConnectionOptions connection,
            @Option(
                            names = "--filter",
                            paramLabel = "FILTER",
                            defaultValue = "#",
                            description = "a topic filter, with + and # (default: ${DEFAULT-VALUE})")
                    String filter,
            @Mixin LimitOption limit,
            @Mixin BodyOption body,
            @Mixin ObjectFormatOption output)
            throws AdminException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("Filter", filter);
        parameters.put("BodyBytes", body.bytes());
        ServiceApi.Listing found =
                new ServiceApi(connection.client()).list(PATH, parameters, Map.of("After", TOPIC), limit.limit());
        new RowPrinter(output.format(), List.of(TOPIC), out()).several(found.rows(), COLUMNS);
        LimitOption.warn(found, spec().commandLine().getErr());
        return ExitCode.DONE;
    }

    @Command(
            name = "show",
            description = "Shows the retained message of a topic.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int show(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = TOPIC, description = "the topic") String topic,
            @Mixin BodyOption body,
            @Mixin ObjectFormatOption output)
            throws AdminException {
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client())
                .get(PATH + "/" + ServiceApi.encoded(topic), Map.of("BodyBytes", body.bytes()));
        new RowPrinter(output.format(), List.of(TOPIC), out())
                .one(ServiceApi.rows(answer, PATH).get(0));
        return ExitCode.DONE;
    }

    @Command(
            name = "delete",
            description = "Deletes the retained message of a topic, or those of all topics that a filter matches."
                    + " Subscribers hear nothing of it.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int delete(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", arity = "0..1", paramLabel = TOPIC, description = "the topic") @Nullable String topic,
            @Option(
                            names = "--filter",
                            paramLabel = "FILTER",
                            defaultValue = "",
                            description = "a topic filter, with + and #, in place of a topic; # is all of them")
                    String filter)
            throws AdminException {
        if ((topic == null) == filter.isEmpty()) {
            throw new ParameterException(spec().commandLine(), "give either a topic or --filter");
        }
        ServiceApi service = new ServiceApi(connection.client());
        if (topic != null) {
            service.delete(PATH + "/" + ServiceApi.encoded(topic), Map.of());
            out().println("the retained message of " + topic + " is gone");
        } else {
            out().println(Values.text(
                    service.deleted(PATH, Map.of("Filter", filter)).get("Message")));
        }
        return ExitCode.DONE;
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
