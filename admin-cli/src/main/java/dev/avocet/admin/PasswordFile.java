package dev.avocet.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that holds a password: its first line. */
final class PasswordFile {
    private PasswordFile() {}

    static String read(Path file) throws AdminException {
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, "the password cannot be read from " + Unreadable.why(file, e));
        }
    }
}
