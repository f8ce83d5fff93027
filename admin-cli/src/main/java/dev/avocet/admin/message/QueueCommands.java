package dev.avocet.admin.message;

import dev.avocet.admin.connection.ConnectionOptions;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What {@code broker-admin queue} can do with the messages of a queue, beside the verbs that every object has. */
@Command
public final class QueueCommands {
    private static final String PATH = "queue/";
    private static final String REFERENCE = "Reference";
    private static final List<String> COLUMNS = List.of(
            REFERENCE,
            "Priority",
            "DeliveryCount",
            "Persistent",
            "Time",
            "BodyBytes",
            "MessageID",
            "CorrelationID",
            "Properties",
            "Body",
            "DeadLetterCause",
            "DeadLetterQueue",
            "DeadLetterDeliveryCount",
            "DeadLetterDescription");

    @Spec
    private @Nullable CommandSpec spec;

    @Command(
            name = "browse",
            description = "Shows the messages that a queue would deliver next, without taking them.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int browse(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "Name", description = "the queue") String name,
            @Option(
                            names = "--selector",
                            paramLabel = "SELECTOR",
                            defaultValue = "",
                            description = "only those that it selects, as a receiver would")
                    String selector,
            @Option(
                            names = "--limit",
                            paramLabel = "COUNT",
                            defaultValue = "25",
                            description = "how many at most, up to 1000 (default: ${DEFAULT-VALUE})")
                    int limit,
            @Mixin BodyOption body,
            @Mixin ObjectFormatOption output)
            throws AdminException {
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client())
                .get(
                        PATH + ServiceApi.encoded(name) + "/message",
                        Map.of(
                                "Selector",
                                selector,
                                "ResultCount",
                                Integer.toString(limit),
                                "BodyBytes",
                                body.bytes()));
        new RowPrinter(output.format(), List.of(REFERENCE), out()).several(ServiceApi.rows(answer, "Message"), COLUMNS);
        return ExitCode.DONE;
    }

    @Command(
            name = "purge",
            description = "Takes all messages away that wait in a queue, or one of them.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int purge(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "Name", description = "the queue") String name,
            @Option(
                            names = "--reference",
                            paramLabel = "REFERENCE",
                            defaultValue = "",
                            description = "only the message that 'browse' shows with it")
                    String reference)
            throws AdminException {
        ServiceApi service = new ServiceApi(connection.client());
        String queue = PATH + ServiceApi.encoded(name);
        if (reference.isEmpty()) {
            out().println(Values.text(service.post(queue + "/purge", Map.of()).get("Message")));
        } else {
            service.delete(queue + "/message/" + ServiceApi.encoded(reference), Map.of());
            out().println("message " + reference + " of " + name + " is gone");
        }
        return ExitCode.DONE;
    }

    @Command(
            name = "move",
            description = "Moves messages that wait in a queue to another one, as far as that has room.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int move(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "Name", description = "the queue") String name,
            @Parameters(index = "1", paramLabel = "To", description = "the queue that gets them") String to,
            @Option(
                            names = "--limit",
                            paramLabel = "COUNT",
                            defaultValue = "0",
                            description = "how many at most; all without it")
                    int limit)
            throws AdminException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("To", to);
        if (limit > 0) {
            body.put("Count", limit);
        }
        Map<String, @Nullable Object> answer =
                new ServiceApi(connection.client()).post(PATH + ServiceApi.encoded(name) + "/move", body);
        out().println(Values.text(answer.get("Message")));
        return ExitCode.DONE;
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
