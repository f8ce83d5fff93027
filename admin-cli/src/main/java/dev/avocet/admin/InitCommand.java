package dev.avocet.admin;

import dev.avocet.admin.document.Documents;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
                + " endpoint with TLS and passwords, policies, a first user, a password for the administration. Every"
                + " question has an option; without a terminal all that are needed must be given.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true)
final class InitCommand implements Callable<Integer> {
    private static final String EVERY_ADDRESS = "All";
    private static final String USUAL_PORT = "8883";

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

    InitCommand(BrokerProgram broker) {
        this.broker = broker;
    }

    @Override
    public Integer call() throws AdminException {
        if ((certificate == null) != (key == null)) {
            throw mistake("--certificate and --key belong together");
        }
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
        if (!missing.isEmpty()) {
            throw mistake("there is no terminal to ask; give " + String.join(", ", missing));
        }
        wishes.put("Port", number(thePort));
        int exitCode = broker.run(arguments(), Documents.toCompactJson(wishes));
        if (exitCode == ExitCode.DONE) {
            explain(theUser, thePort);
        }
        return exitCode;
    }

    private List<String> arguments() {
        return data == null ? List.of("setup") : List.of("setup", "--data", data.toString());
    }

    private void explain(String theUser, String thePort) {
        String ofData = data == null ? "" : " --data " + data;
        Path folder = data == null ? broker.home().resolve("data") : data;
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        out.println();
        out.println("Each user may publish and subscribe below a topic of its own name, and everybody below 'common'.");
        out.println("  start:       " + broker.home().resolve("bin/broker") + ofData);
        String host = hostName == null ? "localhost" : hostName;
        out.println("  try:         mosquitto_sub -h " + host + " -p " + thePort + " --cafile "
                + folder.resolve("files/server.pem") + " -u " + theUser + " -P … -t '" + theUser + "/#'");
        out.println("  administer:  broker-admin --help; the administrator is called admin (--user admin)");
        out.println("  look:        broker-admin doctor" + ofData);
        if (certificate == null) {
            out.println("The certificate is signed by itself and ends in a year: clients need it to trust the broker.");
        }
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
            return PasswordFile.read(file);
        }
        String typed = Terminal.ask(question);
        if (typed == null) {
            missing.add(option);
            return "";
        }
        if (!typed.equals(Terminal.ask("Again"))) {
            throw new AdminException(ExitCode.USAGE, "the two passwords differ");
        }
        return typed;
    }

    private long number(String text) {
        if (!text.matches("[0-9]{1,5}")) {
            throw mistake("'" + text + "' is no port");
        }
        return Long.parseLong(text);
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
}
