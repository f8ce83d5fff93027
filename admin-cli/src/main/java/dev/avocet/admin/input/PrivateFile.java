package dev.avocet.admin.input;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** A file for its owner's eyes only. */
public final class PrivateFile {
    private PrivateFile() {}

    /** Makes it, empty; {@link FileAlreadyExistsException} when it is there. */
    public static void create(Path file) throws IOException {
        Files.createFile(file, ownersOnly());
    }

    /** Makes it with content; it must not be there yet. */
    public static void write(Path file, byte[] content, String option) throws AdminException {
        try {
            create(file);
            Files.write(file, content);
        } catch (FileAlreadyExistsException e) {
            throw new AdminException(ExitCode.USAGE, file + " is there already; name another with " + option);
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(file, e));
        }
    }

    private static FileAttribute<?>[] ownersOnly() {
        boolean isPosix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return isPosix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
