package dev.avocet.admin.store;

import dev.avocet.admin.document.Documents;
import dev.avocet.admin.input.PasswordFile;
import dev.avocet.admin.input.Terminal;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code broker-admin init}: a secure first configuration. */
@Command(
        name = "init",
        description = "Asks a few questions and writes a secure first configuration of a broker that does not run: an"
                + " endpoint with TLS and passwords for MQTT and JMS clients, queues, policies, a first user, a password"
                + " for the administration. Every question has an option; without a terminal all that are needed must"
                + " be given.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
public final class InitCommand implements Callable<Integer> {
    private static final String EVERY_ADDRESS = "All";
    private static final String USUAL_PORT = "8883";
    private static final String USUAL_ADMIN_PORT = "9089";
    private static final String NO_QUEUE = "none";
    private static final int SHORTEST_PASSWORD = 8;
    private static final int LARGEST_PORT = 65_535;
    /** An address, {@code All} or an IPv6 address in brackets, and a port where it is not the usual one. */
    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([^]]+)]|([^:\\[\\]]+))(?::([0-9]{1,5}))?");

    private final BrokerProgram broker;
    private final List<String> missing = new ArrayList<>();

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--data", paramLabel = "DIR", description = "the data directory (default: 'data' beside 'bin')")
    private @Nullable Path data;

    @Option(names = "--address", paramLabel = "ADDRESS", description = "listen on this address, or All of them")
    private @Nullable String address;

    @Option(names = "--port", paramLabel = "PORT", description = "listen on this port")
    private @Nullable Integer port;

    @Option(
            names = "--host-name",
            paramLabel = "NAME",
            description =
                    "the name or IP address under which clients reach the broker, for a certificate that it makes and"
                            + " signs itself")
    private @Nullable String hostName;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "the certificate in PEM, instead of one that the broker makes itself")
    private @Nullable Path certificate;

    @Option(names = "--key", paramLabel = "FILE", description = "the key of --certificate in PEM")
    private @Nullable Path key;

    @Option(
            names = "--admin-password-file",
            paramLabel = "FILE",
            description = "the file whose first line is the password of the administrator 'admin'")
    private @Nullable Path adminPasswordFile;

    @Option(names = "--first-user", paramLabel = "NAME", description = "the first user")
    private @Nullable String user;

    @Option(
            names = "--first-user-password-file",
            paramLabel = "FILE",
            description = "the file whose first line is the password of the first user")
    private @Nullable Path userPasswordFile;

    @Option(
            names = "--queues",
            paramLabel = "NAMES",
            description = "queues that it makes for JMS clients, with commas between, or none; every user may send to"
                    + " them and receive from them (without a terminal: none)")
    private @Nullable String queues;

    @Option(
            names = "--admin-address",
            paramLabel = "ADDRESS[:PORT]",
            description = "where the administration listens: an IP address, IPv6 in brackets, or All of them (default:"
                    + " 127.0.0.1:9089); where other machines can reach it, with TLS and the same certificate")
    private @Nullable String adminAddress;

    @Option(
            names = "--allow-short-passwords",
            description = "take passwords of fewer than " + SHORTEST_PASSWORD + " characters too")
    private boolean allowsShortPasswords;

    public InitCommand(BrokerProgram broker) {
        this.broker = broker;
    }

    @Override
    public Integer call() throws AdminException {
        if ((certificate == null) != (key == null)) {
            throw mistake("--certificate and --key belong together");
        }
        Listening administration = administration();
        Map<String, Object> wishes = new LinkedHashMap<>();
        wishes.put(
                "Address", given("--address", address, () -> Terminal.line("Listen on which address", EVERY_ADDRESS)));
        String portText = port == null ? null : Integer.toString(port);
        String thePort = given("--port", portText, () -> Terminal.line("On which port", USUAL_PORT));
        if (certificate == null) {
            wishes.put(
                    "HostName",
                    given(
                            "--host-name",
                            hostName,
                            () -> Terminal.line("Under which name do clients reach it", "localhost")));
        } else {
            wishes.put("Certificate", content(certificate));
            wishes.put("Key", content(Objects.requireNonNull(key)));
        }
        wishes.put(
                "AdminPassword", secret("--admin-password-file", adminPasswordFile, "Password for the administrator"));
        String theUser = given("--first-user", user, () -> Terminal.line("Name of the first user", "user"));
        wishes.put("User", theUser);
        wishes.put("UserPassword", secret("--first-user-password-file", userPasswordFile, "Password for that user"));
        String theQueues = queues();
        wishes.put("Queues", theQueues);
        if (!missing.isEmpty()) {
            throw mistake("there is no terminal to ask; give " + String.join(", ", missing));
        }
        wishes.put("Port", (long) port(thePort));
        if (administration != null) {
            wishes.put("AdminAddress", administration.address);
            wishes.put("AdminPort", (long) administration.port);
        }
        int exitCode = broker.run(arguments(), Documents.toCompactJson(wishes));
        if (exitCode == ExitCode.DONE) {
            explain(theUser, thePort, theQueues);
        }
        return exitCode;
    }

    private List<String> arguments() {
        return data == null ? List.of("setup") : List.of("setup", "--data", data.toString());
    }

    private void explain(String theUser, String thePort, String theQueues) {
        String ofData = data == null ? "" : " --data " + data;
        Path folder = data == null ? broker.home().resolve("data") : data;
        String host = hostName == null ? "localhost" : hostName;
        Path serverPem = folder.resolve("files/server.pem");
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        out.println();
        out.println(
                "Each user may publish and subscribe below a topic of its own name, and every user below 'common'.");
        if (!theQueues.isEmpty()) {
            out.println("Every user may send to these queues, receive from them and browse them: " + theQueues);
        }
        out.println("  start:       " + broker.home().resolve("bin/broker") + ofData);
        out.println("  try:         mosquitto_sub -h " + host + " -p " + thePort + " --cafile " + serverPem + " -u "
                + theUser + " -P … -t '" + theUser + "/#'");
        out.println("  JMS:         new AvocetConnectionFactory(\"avocets://" + host + ":" + thePort
                + "?trustCertificates=" + serverPem + "\")");
        out.println(
                "  administer:  broker-admin" + ofAdministration(host, serverPem) + " --user admin; --help tells more");
        out.println("  look:        broker-admin doctor" + ofData);
        if (certificate == null) {
            out.println("The certificate is signed by itself and ends in a year: clients need it to trust the broker.");
        }
    }

    /** The options that lead from any machine to the administration, where it is not in the usual place. */
    private String ofAdministration(String host, Path serverPem) {
        Listening place = administration();
        if (place == null) {
            return "";
        }
        return place.isExposed()
                ? " --url https://" + host + ":" + place.port + " --ca " + serverPem
                : " --url http://" + place.shown();
    }

    /** The names with commas between; empty for none. */
    private String queues() {
        String answer =
                queues != null ? queues : Terminal.line("Queues for JMS clients, with commas between", NO_QUEUE);
        if (answer == null || answer.strip().equals(NO_QUEUE)) {
            return "";
        }
        return Arrays.stream(answer.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .distinct()
                .collect(Collectors.joining(","));
    }

    /** Where the administration is to listen; null for the usual place. */
    private @Nullable Listening administration() {
        if (adminAddress == null) {
            return null;
        }
        Matcher matcher = ADDRESS.matcher(adminAddress);
        if (!matcher.matches()) {
            throw mistake("--admin-address: '" + adminAddress
                    + "' is not an address; write All, an IP address or either with a port, such as All:9089,"
                    + " 192.0.2.7:9089 or [2001:db8::7]:9089");
        }
        String address = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        String itsPort = matcher.group(3) != null ? matcher.group(3) : USUAL_ADMIN_PORT;
        return new Listening(address, port(itsPort));
    }

    private String given(String option, @Nullable String value, Supplier<@Nullable String> question) {
        String answer = value != null ? value : question.get();
        if (answer == null) {
            missing.add(option);
            return "";
        }
        return answer;
    }

    private String secret(String option, @Nullable Path file, String question) throws AdminException {
        if (file != null) {
            return longEnough(option, PasswordFile.read(file));
        }
        String typed = Terminal.ask(question);
        if (typed == null) {
            missing.add(option);
            return "";
        }
        longEnough(question, typed);
        if (!typed.equals(Terminal.ask("Again"))) {
            throw new AdminException(ExitCode.USAGE, "the two passwords differ");
        }
        return typed;
    }

    private String longEnough(String asked, String password) throws AdminException {
        int characters = password.codePointCount(0, password.length());
        if (characters == 0 || characters < SHORTEST_PASSWORD && !allowsShortPasswords) {
            throw new AdminException(
                    ExitCode.USAGE,
                    asked + ": a password of " + characters + " characters is too short; give at least "
                            + SHORTEST_PASSWORD + ", or --allow-short-passwords where a short one does no harm");
        }
        return password;
    }

    private int port(String text) {
        int number = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (number < 1 || number > LARGEST_PORT) {
            throw mistake("'" + text + "' is not a port; a port is 1 to " + LARGEST_PORT);
        }
        return number;
    }

    private static String content(Path file) throws AdminException {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(file, e));
        }
    }

    private ParameterException mistake(String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }

    /** @param address an IP address or {@code All} */
    private record Listening(String address, int port) {
        /** Whether other machines reach it. */
        boolean isExposed() {
            return !address.startsWith("127.") && !address.equals("::1");
        }

        String shown() {
            return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port;
        }
    }
}
