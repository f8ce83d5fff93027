package dev.avocet.admin.message;

import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.input.PasswordFile;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import dev.avocet.admin.schema.Values;
import dev.avocet.protection.KeyRing;
import dev.avocet.protection.OpenedMessage;
import dev.avocet.protection.Opener;
import dev.avocet.protection.ProtectionException;
import dev.avocet.protection.ProtectionLevel;
import dev.avocet.protection.ProtectionTerms;
import dev.avocet.protection.ReplayGuard;
import dev.avocet.protection.Sealer;
import dev.avocet.protection.SubjectName;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Seals single messages for protected destinations, and opens them, so that scripts and devices can take part. */
@Command(
        name = "message",
        description = "Seals a message for a protected destination, or opens one.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class MessageCommand implements Runnable {
    /** Larger ones the broker takes from no client. */
    private static final int LARGEST_BYTES = 268_435_456;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "say what to do: seal or open");
    }

    /** The keys, and what is asked of messages. */
    static final class SealOptions {
        @Option(
                names = "--policy",
                paramLabel = "NAME",
                description = "the ProtectionPolicy, which the broker is asked for")
        private @Nullable String policy;

        @Option(
                names = "--policy-file",
                paramLabel = "FILE",
                description =
                        "the policy as 'protection-policy show NAME --output json' prints it; no broker is asked then")
        private @Nullable Path policyFile;

        @Option(
                names = "--destination",
                required = true,
                paramLabel = "DESTINATION",
                description = "queue:NAME or topic:NAME, for which the message is sealed")
        private String destination = "";

        @Option(
                names = "--key-store",
                required = true,
                paramLabel = "FILE",
                description = "the key store (PKCS #12) with the own key, and with certificates of recipients")
        private Path keyStore = Path.of("");

        @Option(
                names = "--key-store-password-file",
                paramLabel = "FILE",
                description = "the file whose first line is its password")
        private @Nullable Path keyStorePassword;

        @Option(
                names = "--key-alias",
                paramLabel = "ALIAS",
                description = "the alias of the own key (default: the only one that there is)")
        private @Nullable String alias;

        @Option(
                names = "--trust-store",
                paramLabel = "FILE",
                description = "the key store with the certificates by which signers are trusted (default: --key-store)")
        private @Nullable Path trustStore;

        @Option(
                names = "--trust-store-password-file",
                paramLabel = "FILE",
                description = "the file whose first line is its password")
        private @Nullable Path trustStorePassword;

        @Option(
                names = "--in",
                paramLabel = "FILE",
                description = "the file that is read (default: the standard input)")
        private @Nullable Path in;

        @Option(
                names = "--out",
                paramLabel = "FILE",
                description = "the file that is written (default: the standard output)")
        private @Nullable Path out;

        @Mixin
        private ConnectionOptions connection = new ConnectionOptions();

        KeyRing keys() throws AdminException, ProtectionException {
            return KeyRing.load(keyStore, password(keyStorePassword), alias, trustStore, password(trustStorePassword));
        }

        private static char[] password(@Nullable Path file) throws AdminException {
            return file == null ? new char[0] : PasswordFile.read(file).toCharArray();
        }

        /** @throws AdminException when it is neither a queue nor a topic */
        String destination() throws AdminException {
            if (destination.matches("(queue|topic):.+")) {
                return destination;
            }
            throw new AdminException(
                    ExitCode.USAGE, "'" + destination + "' is not a destination; write queue:NAME or topic:NAME");
        }

        ProtectionTerms terms() throws AdminException {
            Map<?, ?> members = policyFile == null ? asked() : read(policyFile);
            try {
                return new ProtectionTerms(
                        text(members, "Name"),
                        ProtectionLevel.of(text(members, "Protection")),
                        ProtectionTerms.Digest.of(text(members, "DigestAlgorithm")),
                        ProtectionTerms.Cipher.of(text(members, "EncryptionAlgorithm")),
                        SubjectName.list(text(members, "Signers")),
                        SubjectName.list(text(members, "Recipients")),
                        Integer.parseInt(text(members, "KeyReuse")),
                        Duration.ofSeconds(Long.parseLong(text(members, "KeyLifetime"))));
            } catch (IllegalArgumentException e) {
                throw new AdminException(ExitCode.USAGE, "this is not a ProtectionPolicy: " + e.getMessage());
            }
        }

        private Map<?, ?> asked() throws AdminException {
            if (policy == null) {
                throw new AdminException(ExitCode.USAGE, "name the policy with --policy or --policy-file");
            }
            Object found = new ConfigurationApi(connection.client())
                    .objects("ProtectionPolicy")
                    .members()
                    .get(policy);
            if (found instanceof Map<?, ?> members) {
                return members;
            }
            throw new AdminException(ExitCode.REFUSED, "there is no ProtectionPolicy '" + policy + "'");
        }

        private static Map<?, ?> read(Path file) throws AdminException {
            try {
                if (Documents.json(Files.readString(file)) instanceof Map<?, ?> members) {
                    return members;
                }
            } catch (IOException e) {
                throw new AdminException(ExitCode.USAGE, "the policy cannot be read from " + Unreadable.why(file, e));
            }
            throw new AdminException(ExitCode.USAGE, "file " + file + " holds no ProtectionPolicy");
        }

        private String text(Map<?, ?> members, String name) {
            Object value = members.get(name);
            if (value == null && name.equals("Name")) {
                return Objects.requireNonNullElse(policy, "of the file");
            }
            return value == null ? "" : Values.text(value);
        }

        byte[] input() throws AdminException {
            try (InputStream from = in == null ? System.in : Files.newInputStream(in)) {
                byte[] read = from.readNBytes(LARGEST_BYTES + 1);
                if (read.length > LARGEST_BYTES) {
                    throw new AdminException(
                            ExitCode.USAGE,
                            "a message has at most " + LARGEST_BYTES + " bytes, and the input has more");
                }
                return read;
            } catch (IOException e) {
                throw new AdminException(
                        ExitCode.USAGE,
                        "the message cannot be read from " + Unreadable.why(in == null ? Path.of("-") : in, e));
            }
        }

        void output(byte[] bytes) throws AdminException {
            try {
                if (out != null) {
                    Files.write(out, bytes);
                } else {
                    OutputStream to = System.out;
                    to.write(bytes);
                    to.flush();
                }
            } catch (IOException e) {
                throw new AdminException(
                        ExitCode.REFUSED,
                        "the message cannot be written to " + (out == null ? "the output" : out) + ": " + e);
            }
        }
    }

    @Command(
            name = "seal",
            description = {
                "Seals a message as the policy of its destination asks, and writes the envelope, which is then sent as the"
                        + " payload. Each envelope is good for one message."
            },
            mixinStandardHelpOptions = true,
            sortOptions = false,
            usageHelpAutoWidth = true)
    int seal(
            @Mixin SealOptions options,
            @Option(
                            names = "--kind",
                            paramLabel = "KIND",
                            defaultValue = "bytes",
                            description = "what the message is to a JMS application: text (UTF-8) or bytes (default:"
                                    + " ${DEFAULT-VALUE})")
                    String kind)
            throws AdminException {
        if (!kind.equals("text") && !kind.equals("bytes")) {
            throw new AdminException(ExitCode.USAGE, "'" + kind + "' is not a kind of message; write text or bytes");
        }
        try {
            Sealer sealer = new Sealer(options.keys(), options.terms(), options.destination());
            options.output(sealer.seal(kind, options.input()));
            return ExitCode.DONE;
        } catch (ProtectionException e) {
            throw new AdminException(ExitCode.REFUSED, String.valueOf(e.getMessage()));
        }
    }

    @Command(
            name = "open",
            description = {
                "Opens an envelope and writes what was sealed. On the error output it says who sealed it, when, and as which"
                        + " message of its run. Whether the envelope was opened before it cannot know."
            },
            mixinStandardHelpOptions = true,
            sortOptions = false,
            usageHelpAutoWidth = true)
    int open(@Mixin SealOptions options) throws AdminException {
        try {
            ProtectionTerms terms = options.terms();
            OpenedMessage opened = new Opener(options.keys())
                    .open(options.input(), terms, options.destination(), new ReplayGuard(), false);
            options.output(opened.content());
            String proof = opened.level().signs() ? "signed by '" : "not signed, and said to be from '";
            err().println(opened.kind() + ", " + proof + opened.sender() + "', message " + opened.sequence()
                    + " of its run, sealed at " + Instant.ofEpochMilli(opened.timeMs()));
            return ExitCode.DONE;
        } catch (ProtectionException e) {
            throw new AdminException(ExitCode.REFUSED, String.valueOf(e.getMessage()));
        }
    }

    private PrintWriter err() {
        return Objects.requireNonNull(spec).commandLine().getErr();
    }
}
