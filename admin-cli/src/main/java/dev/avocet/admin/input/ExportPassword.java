package dev.avocet.admin.input;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The password that seals an export. Never an argument, which everybody can see. */
public final class ExportPassword {
    private static final String ENVIRONMENT = "BROKER_EXPORT_PASSWORD";

    @Option(
            names = "--export-password-file",
            paramLabel = "FILE",
            description = "the file whose first line is the password of the export; without it BROKER_EXPORT_PASSWORD"
                    + " counts, and without that the terminal is asked")
    private @Nullable Path file;

    /** @param twice whether a user who types it must type it twice */
    public String get(boolean twice) throws AdminException {
        String password = file != null ? PasswordFile.read(file) : System.getenv(ENVIRONMENT);
        if (password == null) {
            password = Terminal.ask("Password of the export");
            if (password != null && twice && !password.equals(Terminal.ask("Again"))) {
                throw new AdminException(ExitCode.USAGE, "the two passwords differ");
            }
        }
        if (password == null) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "there is no terminal to ask for the password of the export; give --export-password-file or set "
                            + ENVIRONMENT);
        }
        if (password.isEmpty()) {
            throw new AdminException(ExitCode.USAGE, "the password of the export is empty");
        }
        return password;
    }
}
