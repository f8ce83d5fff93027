package dev.avocet.admin.input;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * A password that a user gets: from a file, from standard input, or typed twice. Never an argument, which everybody
 * can see.
 */
public final class NewPassword {
    private static final String STANDARD_INPUT = "-";

    @Option(
            names = "--new-password-file",
            paramLabel = "FILE",
            description = "the file whose first line is the password, or - for standard input; without it the terminal"
                    + " is asked twice")
    private @Nullable Path file;

    @Option(
            names = "--no-password",
            description = "none at all: such a user comes in only where a SecurityProfile has AllowNullPassword")
    private boolean none;

    public boolean isGiven() {
        return file != null || none;
    }

    /** The password, or null for none; asks when nothing is given. */
    public @Nullable String of(String user) throws AdminException {
        if (none) {
            return null;
        }
        Path source = file;
        String password = source == null
                ? asked(user)
                : source.toString().equals(STANDARD_INPUT) ? fromStandardInput() : PasswordFile.read(source);
        if (password.isEmpty()) {
            throw new AdminException(ExitCode.USAGE, "a password is not empty");
        }
        return password;
    }

    private static String asked(String user) throws AdminException {
        String typed = Terminal.ask("New password of " + user);
        if (typed == null) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "there is no terminal to ask for the new password of " + user + "; give --new-password-file");
        }
        if (!typed.equals(Terminal.ask("Once more"))) {
            throw new AdminException(ExitCode.USAGE, "the two passwords are not the same");
        }
        return typed;
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
}
