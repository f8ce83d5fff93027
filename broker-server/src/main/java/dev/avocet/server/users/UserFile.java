package dev.avocet.server.users;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * A small file that is there as a whole or not at all: it is written beside, forced to the disk, and put in place of
 * the old one. Only its owner may read it. Blocks on the disk.
 */
final class UserFile {
    private static final long MAX_BYTES = 512L << 20;

    private final Path path;

    UserFile(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** The text, or null when there is no file. */
    @Nullable String read() throws IOException {
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw new IOException("is larger than " + (MAX_BYTES >> 20) + " MiB");
            }
            return Files.readString(path);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    void write(String text) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path beside = folder.resolve(path.getFileName() + ".new");
        Files.deleteIfExists(beside);
        Files.createFile(beside, ownerOnly());
        try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true); // the new name, too, survives a loss of power
        }
    }

    /** Changes when another program writes the file. */
    Stamp stamp() throws IOException {
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            return new Stamp(now.lastModifiedTime(), now.size(), String.valueOf(now.fileKey()));
        } catch (NoSuchFileException e) {
            return Stamp.NONE;
        }
    }

    private FileAttribute<?>[] ownerOnly() {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** What tells one version of the file from another. */
    record Stamp(FileTime modified, long sizeBytes, String key) {
        static final Stamp NONE = new Stamp(FileTime.fromMillis(0), -1, "");
    }
}
