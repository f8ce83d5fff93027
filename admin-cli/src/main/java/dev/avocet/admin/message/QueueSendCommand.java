package dev.avocet.admin.message;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import dev.avocet.admin.schema.Values;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker-admin queue send}: a message for a queue, from who has no client. */
@Command(
        name = "send",
        description =
                "Sends a message to a queue; returns when the queue has it. Text that is UTF-8 becomes a TextMessage of"
                        + " JMS, and with --bytes a BytesMessage.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
final class QueueSendCommand implements Callable<Integer> {
    /** What a request to the administration may have, less what its other members take. */
    private static final int LARGEST_BYTES = 3 << 20;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", paramLabel = "Name", description = "the queue")
    private String name = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "Text",
            description = "the payload (default: what --in or the standard input holds)")
    private @Nullable String text;

    @Option(names = "--in", paramLabel = "FILE", description = "the file with the payload")
    private @Nullable Path in;

    @Option(names = "--bytes", description = "the payload is bytes, and no text")
    private boolean bytes;

    @Option(
            names = "--property",
            paramLabel = "NAME=TEXT",
            description = "a property of the message; the option can be there several times")
    private Map<String, String> properties = Map.of();

    @Option(names = "--priority", paramLabel = "0-9", description = "how urgent it is (default: 4)")
    private @Nullable Integer priority;

    @Option(names = "--not-persistent", description = "a crash may lose it")
    private boolean notPersistent;

    @Option(names = "--expiry", paramLabel = "SECONDS", description = "when it expires (default: never)")
    private @Nullable Long expirySeconds;

    @Option(names = "--delay", paramLabel = "SECONDS", description = "when it may be delivered (default: at once)")
    private @Nullable Long delaySeconds;

    @Option(names = "--type", paramLabel = "TYPE", description = "JMSType")
    private @Nullable String type;

    @Option(names = "--content-type", paramLabel = "TYPE", description = "the media type of the payload")
    private @Nullable String contentType;

    @Option(names = "--correlation-id", paramLabel = "ID", description = "what a reply is matched by")
    private @Nullable String correlationId;

    @Option(names = "--reply-to", paramLabel = "QUEUE", description = "the queue for a reply")
    private @Nullable String replyTo;

    @Option(names = "--group", paramLabel = "GROUP", description = "messages of one group go to one receiver")
    private @Nullable String group;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Override
    public Integer call() throws AdminException {
        Map<String, Object> body = new LinkedHashMap<>();
        payload(body);
        if (notPersistent) {
            body.put("Persistent", false);
        }
        put(body, "Priority", priority);
        put(body, "ExpirySeconds", expirySeconds);
        put(body, "DelaySeconds", delaySeconds);
        put(body, "Type", type);
        put(body, "ContentType", contentType);
        put(body, "CorrelationID", correlationId);
        put(body, "ReplyTo", replyTo);
        put(body, "GroupID", group);
        if (!properties.isEmpty()) {
            body.put("Properties", properties);
        }
        Map<String, @Nullable Object> answer =
                new ServiceApi(connection.client()).post("queue/" + ServiceApi.encoded(name) + "/message", body);
        Objects.requireNonNull(spec)
                .commandLine()
                .getOut()
                .println(Values.text(answer.get("Message")) + " " + Values.text(answer.get("MessageID")));
        return ExitCode.DONE;
    }

    private static void put(Map<String, Object> body, String member, @Nullable Object value) {
        if (value != null) {
            body.put(member, value);
        }
    }

    private void payload(Map<String, Object> body) throws AdminException {
        if (text != null && in != null) {
            throw new AdminException(ExitCode.USAGE, "give the payload either as Text or with --in");
        }
        byte[] payload = text == null ? read() : text.getBytes(StandardCharsets.UTF_8);
        if (bytes) {
            body.put("Body", Base64.getEncoder().encodeToString(payload));
            body.put("BodyEncoding", "base64");
            return;
        }
        try {
            body.put(
                    "Body",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(payload))
                            .toString());
        } catch (CharacterCodingException e) {
            throw new AdminException(ExitCode.USAGE, "the payload is not text in UTF-8; send it with --bytes");
        }
    }

    private byte[] read() throws AdminException {
        try (InputStream from = in == null ? System.in : Files.newInputStream(in)) {
            byte[] read = from.readNBytes(LARGEST_BYTES + 1);
            if (read.length > LARGEST_BYTES) {
                throw new AdminException(
                        ExitCode.USAGE,
                        "a message that is sent so has at most " + LARGEST_BYTES
                                + " bytes; a client can send larger ones");
            }
            return read;
        } catch (IOException e) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "the payload cannot be read from " + Unreadable.why(in == null ? Path.of("-") : in, e));
        }
    }
}
