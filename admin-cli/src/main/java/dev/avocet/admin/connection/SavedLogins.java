package dev.avocet.admin.connection;

import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tokens that {@code broker-admin login} has got, one for each broker, in a file that only its owner can read. */
public final class SavedLogins {
    private static final String PLACE = "BROKER_ADMIN_LOGINS";

    private final Path file;

    public SavedLogins(Path file) {
        this.file = file;
    }

    /** Those of the user who runs the program; {@code BROKER_ADMIN_LOGINS} names another file. */
    public static SavedLogins ofUser() {
        String place = System.getenv(PLACE);
        return new SavedLogins(
                place != null
                        ? Path.of(place)
                        : Path.of(System.getProperty("user.home", "."), ".config", "avocet", "logins.json"));
    }

    public Path file() {
        return file;
    }

    /** The token for a broker, or null. */
    public @Nullable String tokenFor(URI broker) throws AdminException {
        return Files.exists(file) && all().get(broker.toString()) instanceof String token ? token : null;
    }

    public void save(URI broker, String token) throws AdminException {
        Map<String, @Nullable Object> changed = all();
        changed.put(broker.toString(), token);
        write(changed);
    }

    /** Whether there was one. */
    public boolean forget(URI broker) throws AdminException {
        Map<String, @Nullable Object> changed = all();
        boolean there = changed.remove(broker.toString()) != null;
        if (there) {
            write(changed);
        }
        return there;
    }

    private Map<String, @Nullable Object> all() throws AdminException {
        try {
            return Documents.json(Files.readString(file)) instanceof Map<?, ?> members
                    ? ConfigurationView.copyOf(members)
                    : new LinkedHashMap<>();
        } catch (NoSuchFileException e) {
            return new LinkedHashMap<>();
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(file, e) + "; delete it and log in again");
        }
    }

    private void write(Map<String, @Nullable Object> tokens) throws AdminException {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Path beside = file.resolveSibling(file.getFileName() + ".new");
            Files.deleteIfExists(beside);
            Files.createFile(beside, ownerOnly());
            Files.writeString(beside, Documents.toJson(tokens));
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, file + " cannot be written: " + e.getMessage());
        }
    }

    private FileAttribute<?>[] ownerOnly() {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
