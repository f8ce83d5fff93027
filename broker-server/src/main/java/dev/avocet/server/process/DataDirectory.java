package dev.avocet.server.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The broker's data directory, locked for this process. The operating system holds the lock and drops it when the
 * process ends, however it ends; no process number is ever compared, so a broker that is process 1 of a container
 * starts again after a crash.
 */
public final class DataDirectory implements AutoCloseable {
    private static final int LONGEST_OWNER_BYTES = 64;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path path;
    private final FileChannel channel;

    private DataDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Creates the directory where needed, for its owner alone, as messages and keys will be in it, and takes the lock.
     */
    public static DataDirectory lock(Path path) throws StartException {
        try {
            create(path);
        } catch (IOException e) {
            throw unusable(path, e);
        }
        return lock(
                path,
                "is used by another broker%s; stop that one, or give this one a directory of its own with --data");
    }

    private static void create(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            return;
        }
        Path parent = absolute.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (absolute.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectory(absolute, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } else {
            Files.createDirectory(absolute);
        }
    }

    /** Takes the lock for a command that only looks; the directory must be there. */
    public static DataDirectory lockForInspection(Path path) throws StartException {
        if (!Files.isDirectory(path)) {
            throw new StartException(ExitCode.USAGE, "there is no data directory " + path);
        }
        return lock(
                path, "is used by a broker that runs%s; ask that one with 'broker-admin store stat', or stop it first");
    }

    private static DataDirectory lock(Path path, String refusal) throws StartException {
        FileChannel channel = open(path);
        try {
            if (!tryLock(channel)) {
                throw new StartException(
                        ExitCode.DATA_LOCKED,
                        "data directory " + path + " " + String.format(Locale.ROOT, refusal, owner(channel)));
            }
            writeOwner(channel);
            return new DataDirectory(path, channel);
        } catch (IOException | StartException e) {
            closeQuietly(channel);
            throw e instanceof StartException known ? known : unusable(path, e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        closeQuietly(channel);
    }

    private static FileChannel open(Path path) throws StartException {
        try {
            return FileChannel.open(
                    path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException inThisProcess) {
            return false;
        }
    }

    private static void writeOwner(FileChannel channel) throws IOException {
        channel.truncate(0);
        String owner = ProcessHandle.current().pid() + "\n";
        channel.write(ByteBuffer.wrap(owner.getBytes(StandardCharsets.US_ASCII)), 0);
    }

    /** For the message only: the process that wrote the file last. */
    private static String owner(FileChannel channel) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(LONGEST_OWNER_BYTES);
        channel.read(content, 0);
        String pid = StandardCharsets.US_ASCII.decode(content.flip()).toString().strip();
        return pid.isEmpty() ? "" : " (process " + pid + ")";
    }

    private static StartException unusable(Path path, @Nullable Exception cause) {
        return new StartException(ExitCode.USAGE, "data directory " + path + " cannot be used: " + cause);
    }

    private static void closeQuietly(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // The lock goes with the process in any case.
        }
    }
}
