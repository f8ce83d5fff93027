package dev.avocet.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A process of bin/broker, and processes of bin/broker-admin that administer it. */
public final class Administered implements AutoCloseable {
    static final Map<String, String> THIS_JAVA = Distribution.SHORT_LIVED;

    /** What became of a command. */
    public record Outcome(int exitCode, String output) {}

    private final Launched process;
    private final Map<String, String> adminEnvironment = new HashMap<>(THIS_JAVA);
    private List<String> login = List.of();
    private String url;

    private Administered(Launched process) {
        this.process = process;
    }

    /** Starts a broker with an endpoint on a free port, and returns when it is ready. */
    public static Administered start(Path data, Map<String, String> environment, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--data", data.toString(), "--endpoint", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--store", "os"));
        arguments.addAll(Arrays.asList(more));
        return launch(environment, arguments);
    }

    /** The same, with no endpoint but those that are objects. */
    public static Administered startWithObjects(Path data, String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("--data", data.toString(), "--admin", "127.0.0.1:0", "--store", "os"));
        arguments.addAll(Arrays.asList(more));
        return launch(Map.of(), arguments);
    }

    private static Administered launch(Map<String, String> environment, List<String> arguments) throws IOException {
        Map<String, String> all = new HashMap<>(THIS_JAVA);
        all.putAll(environment);
        Administered started = new Administered(Distribution.launch(all, arguments.toArray(String[]::new)));
        started.awaitReady();
        return started;
    }

    public void awaitReady() throws IOException {
        process.awaitLine("ready");
        url = "http://127.0.0.1:" + process.adminPort();
    }

    /** Who asks from now on; the file holds the password. */
    public void login(String user, Path passwordFile) throws IOException {
        adminEnvironment.put("BROKER_ADMIN_USER", user);
        adminEnvironment.put(
                "BROKER_ADMIN_PASSWORD", Files.readString(passwordFile).strip());
        login = List.of("--user", user, "--password-file", passwordFile.toString());
    }

    public Outcome admin(String... arguments) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(adminEnvironment);
        environment.put("BROKER_ADMIN_URL", url);
        return run(environment, arguments);
    }

    /** The same, which must succeed. */
    public String adminDone(String... arguments) throws IOException, InterruptedException {
        Outcome outcome = admin(arguments);
        assertThat(outcome.exitCode())
                .as(String.join(" ", arguments) + ": " + outcome.output())
                .isZero();
        return outcome.output();
    }

    /** What the same program does in this JVM, which takes a hundredth of the time of a process. */
    public Outcome adminHere(String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--url", url));
        all.addAll(login);
        return runHere(all.toArray(String[]::new));
    }

    /** The same, which must succeed. */
    public String adminDoneHere(String... arguments) {
        Outcome outcome = adminHere(arguments);
        assertThat(outcome.exitCode())
                .as(String.join(" ", arguments) + ": " + outcome.output())
                .isZero();
        return outcome.output();
    }

    /** What bin/broker-admin does with these arguments, in this JVM. */
    public static Outcome runHere(String... arguments) {
        return runIn(Distribution.HOME, arguments);
    }

    /** The same with another home. */
    public static Outcome runIn(Path home, String... arguments) {
        StringWriter printed = new StringWriter();
        PrintWriter writer = new PrintWriter(printed, true);
        int exitCode = Main.run(home, writer, writer, arguments);
        return new Outcome(exitCode, printed.toString().stripTrailing());
    }

    public static Outcome run(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        try (Launched admin = Distribution.launchAdmin(environment, arguments)) {
            String output = admin.output();
            return new Outcome(admin.exitCode(), output);
        }
    }

    public String url() {
        return url;
    }

    public Launched process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
