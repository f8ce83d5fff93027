package dev.avocet.server.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.server.config.UserConfig;
import dev.avocet.server.process.ExitCode;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker hash-password NAME}: prints a user with the verifier of a password, for the configuration. */
@Command(
        name = "hash-password",
        description =
                "Reads a password from the terminal, or one line from standard input, and prints the user entry for"
                        + " security.users in the configuration.",
        mixinStandardHelpOptions = true)
public final class HashPasswordCommand implements Callable<Integer> {
    private static final int SALT_BYTES = 16;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "the user's name")
    private String name = "";

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "how often the hash is applied (default: ${DEFAULT-VALUE})")
    private int iterations = ScramCredential.DEFAULT_ITERATIONS;

    @Override
    public Integer call() throws IOException {
        PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        char[] password = {};
        try {
            password = readPassword();
            ScramCredential credential = ScramCredential.derive(password, salt, iterations);
            spec.commandLine().getOut().println(json(UserConfig.of(name, credential)));
            return ExitCode.STOPPED;
        } catch (IllegalArgumentException e) {
            err.println("broker: " + e.getMessage());
            return ExitCode.USAGE;
        } finally {
            Arrays.fill(password, '\0');
        }
    }

    @SuppressWarnings("SystemConsoleNull") // the launcher asks for the console that is null without a terminal
    private static char[] readPassword() throws IOException {
        Console console = System.console();
        if (console == null) {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return line == null ? new char[0] : line.toCharArray();
        }
        char[] once = orEmpty(console.readPassword("Password: "));
        char[] again = orEmpty(console.readPassword("Again: "));
        return Arrays.equals(once, again) ? once : mismatch(once, again);
    }

    private static char[] mismatch(char[] once, char[] again) {
        Arrays.fill(once, '\0');
        Arrays.fill(again, '\0');
        throw new IllegalArgumentException("the two passwords differ");
    }

    private static char[] orEmpty(char @Nullable [] typed) {
        return typed == null ? new char[0] : typed;
    }

    private static String json(UserConfig user) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            json.writeStringField("name", user.name());
            json.writeStringField("salt", user.salt());
            json.writeNumberField("iterations", user.iterations());
            json.writeStringField("storedKey", user.storedKey());
            json.writeStringField("serverKey", user.serverKey());
            json.writeEndObject();
        }
        return text.toString();
    }
}
