package dev.avocet.admin.input;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that holds a password: its first line. */
public final class PasswordFile {
    private PasswordFile() {}

    public static String read(Path file) throws AdminException {
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, "the password cannot be read from " + Unreadable.why(file, e));
        }
    }
}
