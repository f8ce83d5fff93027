package dev.avocet.bench.jms.command;

import static java.util.Locale.ROOT;

import dev.avocet.bench.jms.client.JmsLibrary;
import dev.avocet.bench.jms.traffic.ConnectionSource;
import jakarta.jms.ConnectionFactory;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which brokers, and the client that reaches them. */
final class ClientOptions {
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern NEXT_ADDRESS = Pattern.compile(",(?=[A-Za-z][A-Za-z0-9+.-]*://)");
    private static final String TLS = "avocets:";

    @Option(
            names = "--target",
            paramLabel = "ADDRESS",
            description =
                    "the broker: HOST:PORT, or an address as the client writes it, with its parameters; HOST:PORT/HOST:PORT for"
                            + " the two nodes of a pair, which are one broker. Several, or with commas between: each is a"
                            + " broker with all the clients and its part of the rate")
    private List<String> targets = new ArrayList<>();

    @Option(
            names = "--factory",
            paramLabel = "CLASS",
            description = "the client's jakarta.jms.ConnectionFactory (default: ${DEFAULT-VALUE})",
            defaultValue = JmsLibrary.OWN_FACTORY)
    private String factory;

    @Option(
            names = "--class-path",
            paramLabel = "PATH",
            description = "the client's jars and folders, as java takes them: lib/a.jar:more/*")
    private String classPath = "";

    @Option(
            names = "--property",
            paramLabel = "NAME=VALUE",
            description = "a property of the connection factory, by its setter")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(names = "--user", paramLabel = "NAME", description = "the user that connects (default: no name)")
    private @Nullable String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "its first line is the password")
    private @Nullable Path passwordFile;

    @Option(
            names = "--disable-ack",
            negatable = true,
            fallbackValue = "true",
            defaultValue = "false",
            description = "consumers do not acknowledge (property disableACK)")
    private boolean disableAck;

    @Option(
            names = "--client-message-cache",
            paramLabel = "MESSAGES",
            description =
                    "how many messages a consumer holds ready (property clientMessageCache; default: the client's)")
    private @Nullable Integer clientMessageCache;

    /**
     * The brokers, one by one. A comma ends an address where the next begins; clients have their own within an address.
     */
    List<String> targets() {
        return targets.stream()
                .flatMap(text -> Arrays.stream(
                        text.contains("(") || !text.contains(",")
                                ? new String[] {text}
                                : (text.contains("://") ? NEXT_ADDRESS : COMMA).split(text, -1)))
                .toList();
    }

    String factory() {
        return factory;
    }

    /** One for each target. */
    List<ConnectionSource> sources(boolean isSecure) {
        Map<String, String> all = new LinkedHashMap<>();
        if (disableAck) {
            all.put("disableACK", "true");
        }
        if (clientMessageCache != null) {
            all.put("clientMessageCache", String.valueOf(clientMessageCache));
        }
        all.putAll(properties);
        JmsLibrary library = new JmsLibrary(factory, jars(), all);
        String password = passwordFile == null ? null : firstLine(passwordFile);
        return targets().stream()
                .map(target -> library.factory(isSecure ? secure(target) : target))
                .map(made -> source(made, password))
                .toList();
    }

    private ConnectionSource source(ConnectionFactory made, @Nullable String password) {
        return user == null ? made::createConnection : () -> made.createConnection(user, password);
    }

    /** What the name of the workload promises. Other clients have other ways to say it. */
    private String secure(String target) {
        if (!factory.equals(JmsLibrary.OWN_FACTORY) || target.startsWith(TLS)) {
            return target;
        }
        if (target.contains("://") || target.contains("(")) {
            throw new IllegalArgumentException(
                    String.format(ROOT, "target '%s': a SEC workload goes through TLS: begin it with %s", target, TLS));
        }
        return JmsLibrary.url(TLS, target);
    }

    private List<Path> jars() {
        List<Path> jars = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (entry.endsWith("*")) {
                jars.addAll(jarsIn(Path.of(entry.substring(0, entry.length() - 1))));
            } else if (!entry.isBlank()) {
                jars.add(Path.of(entry));
            }
        }
        return jars;
    }

    private static List<Path> jarsIn(Path folder) {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
            found.forEach(jars::add);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(String.format(ROOT, "class path: the folder %s cannot be read", folder));
        }
        return jars.stream().sorted().toList();
    }

    private static String firstLine(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                    .findFirst()
                    .orElse("");
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(String.format(ROOT, "password file %s cannot be read", file));
        }
    }
}
