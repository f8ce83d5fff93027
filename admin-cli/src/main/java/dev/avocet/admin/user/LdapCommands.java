package dev.avocet.admin.user;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.input.PasswordFile;
import dev.avocet.admin.input.Terminal;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.OutputOption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What {@code broker-admin ldap} can do with the directory, beside the verbs that every object has. */
@Command
public final class LdapCommands {
    private static final String STANDARD_INPUT = "-";
    private static final String WORKS = "Works";

    @Spec
    private @Nullable CommandSpec spec;

    @Command(
            name = "test",
            description = {
                "Has the broker try the directory of the LDAP object: each server, BindDN, where users and groups are, and"
                        + " with --login whether a user can log in and in which groups the user is. Changes nothing."
            },
            mixinStandardHelpOptions = true,
            sortOptions = false,
            usageHelpAutoWidth = true)
    int test(
            @Option(names = "--login", paramLabel = "NAME", description = "the user whose login is tried") @Nullable String user,
            @Option(
                            names = "--login-password-file",
                            paramLabel = "FILE",
                            description =
                                    "the file whose first line is the password of that user, or - for standard input;"
                                            + " without it the terminal is asked")
                    @Nullable Path passwordFile,
            @Mixin ConnectionOptions connection,
            @Mixin OutputOption output)
            throws AdminException {
        Map<String, Object> body = new LinkedHashMap<>();
        if (user != null) {
            body.put("UserID", user);
            body.put("Password", password(user, passwordFile));
        } else if (passwordFile != null) {
            throw new AdminException(ExitCode.USAGE, "say whose password that is, with --login");
        }
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client()).post("ldap/test", body);
        answer.remove("Version");
        if (output.isJson()) {
            out().println(Documents.toJson(answer));
        } else {
            print(answer, out());
        }
        return exitCode(answer);
    }

    /** Whether all that was tried works. */
    public static int exitCode(Map<String, @Nullable Object> answer) {
        return Boolean.TRUE.equals(answer.get(WORKS)) ? ExitCode.DONE : ExitCode.UNHEALTHY;
    }

    /** One line for each step. */
    public static void print(Map<String, @Nullable Object> answer, PrintWriter out) {
        if (answer.get("Steps") instanceof List<?> steps) {
            for (Object each : steps) {
                if (each instanceof Map<?, ?> step) {
                    String sign = Boolean.TRUE.equals(step.get(WORKS)) ? "ok    " : "FAILED";
                    out.println(sign + " " + step.get("Step") + ": " + step.get("Detail"));
                }
            }
        }
    }

    private static String password(String user, @Nullable Path file) throws AdminException {
        if (file == null) {
            String typed = Terminal.askPassword(user);
            if (typed == null) {
                throw new AdminException(
                        ExitCode.USAGE,
                        "there is no terminal to ask for the password of " + user + "; give --login-password-file");
            }
            return typed;
        }
        return file.toString().equals(STANDARD_INPUT) ? fromStandardInput() : PasswordFile.read(file);
    }

    private static String fromStandardInput() throws AdminException {
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new AdminException(
                    ExitCode.USAGE, "the password cannot be read from standard input: " + e.getMessage());
        }
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }
}
