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
@Command(subcommands = QueueSendCommand.class)
public final class QueueCommands {
    private static final String PATH = "queue/";
    private static final String REFERENCE = "Reference";
    private static final String LIMIT = "--limit";
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
            description =
                    "Shows the messages that a queue would deliver next, or one of those that wait, without taking"
                            + " them.",
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
            @Option(
                            names = "--reference",
                            paramLabel = REFERENCE,
                            defaultValue = "",
                            description = "only the message that the list shows with it, and all that there is of it")
                    String reference,
            @Mixin BodyOption body,
            @Mixin ObjectFormatOption output)
            throws AdminException {
        if (!reference.isEmpty()) {
            return show(connection, name, reference, body, output);
        }
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

    private int show(
            ConnectionOptions connection, String name, String reference, BodyOption body, ObjectFormatOption output)
            throws AdminException {
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client())
                .get(
                        PATH + ServiceApi.encoded(name) + "/message/" + ServiceApi.encoded(reference),
                        Map.of("BodyBytes", body.bytes()));
        new RowPrinter(output.format(), List.of(REFERENCE), out())
                .one(ServiceApi.rows(answer, "Message").get(0));
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
            @Mixin ChosenMessages chosen,
            @Option(
                            names = LIMIT,
                            paramLabel = "COUNT",
                            defaultValue = "0",
                            description = "how many at most; all without it")
                    int limit)
            throws AdminException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("To", to);
        return transfer(connection, name, "move", chosen.addTo(body, limit));
    }

    @Command(
            name = "resend",
            description =
                    "Moves dead letters back to the queues that they came from: the first 1,000, or those that are named.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int resend(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "Name", description = "the queue with dead letters") String name,
            @Mixin ChosenMessages chosen,
            @Option(
                            names = "--to",
                            paramLabel = "QUEUE",
                            defaultValue = "",
                            description =
                                    "the queue for those of which the broker does not know where they came from, or"
                                            + " whose queue there is no more")
                    String to,
            @Option(
                            names = LIMIT,
                            paramLabel = "COUNT",
                            defaultValue = "0",
                            description = "how many at most, up to 1000")
                    int limit)
            throws AdminException {
        Map<String, Object> body = new LinkedHashMap<>();
        if (!to.isEmpty()) {
            body.put("To", to);
        }
        return transfer(connection, name, "resend", chosen.addTo(body, limit));
    }

    private int transfer(ConnectionOptions connection, String name, String how, Map<String, Object> body)
            throws AdminException {
        Map<String, @Nullable Object> answer =
                new ServiceApi(connection.client()).post(PATH + ServiceApi.encoded(name) + "/" + how, body);
        out().println(Values.text(answer.get("Message")));
        return ExitCode.DONE;
    }

    /** Which messages are meant, where not simply the next ones are. */
    static final class ChosenMessages {
        @Option(
                names = "--reference",
                paramLabel = REFERENCE,
                description = "a message that 'browse' shows with it; the option can be there several times")
        private List<Long> references = List.of();

        Map<String, Object> addTo(Map<String, Object> body, int limit) throws AdminException {
            if (!references.isEmpty() && limit > 0) {
                throw new AdminException(ExitCode.USAGE, "give either --reference or " + LIMIT);
            }
            if (!references.isEmpty()) {
                body.put("References", references);
            } else if (limit > 0) {
                body.put("Count", limit);
            }
            return body;
        }
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
