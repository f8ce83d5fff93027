package dev.avocet.server.certificates;

import dev.avocet.server.certificates.FileRefusedException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/**
 * One folder with the files that administrators upload: there as a whole or not at all, after a loss of power too, and
 * readable by the owner of the process only, as keys are among them. Thread-safe; blocks on the disk.
 */
public final class UploadedFiles {
    /** Largest file, in bytes. */
    public static final int MAX_BYTES = 4 << 20;
    /** How many there may be. */
    public static final int MAX_COUNT = 1_000;

    /** No folder, nothing hidden, nothing that a shell or a terminal would take for something else. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,254}");

    private static final String FOLDER = "files";
    private static final String UNFINISHED = ".unfinished";

    private final Path folder;
    private final ReentrantLock changing = new ReentrantLock();

    private UploadedFiles(Path folder) {
        this.folder = folder;
    }

    /** Those of a broker. Their folder is made when the first one comes. */
    public static UploadedFiles of(Path dataDirectory) {
        return new UploadedFiles(dataDirectory.resolve(FOLDER));
    }

    /** Where the files are. */
    public Path folder() {
        return folder;
    }

    /** All of them, by name. */
    public List<UploadedFile> all() throws FileRefusedException {
        List<UploadedFile> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                if (NAME.matcher(name).matches() && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                    found.add(new UploadedFile(
                            name, now.size(), now.lastModifiedTime().toInstant()));
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw failed("cannot be listed", e);
        }
        found.sort(Comparator.comparing(UploadedFile::name));
        return found;
    }

    /** Takes a file in place of the one of that name. */
    public void put(String name, byte[] bytes) throws FileRefusedException {
        check(name);
        changing.lock();
        try {
            makeFolder();
            if (!Files.exists(folder.resolve(name)) && all().size() >= MAX_COUNT) {
                throw new FileRefusedException(
                        Reason.TOO_MANY,
                        "there are " + MAX_COUNT + " files already; delete those that no object names");
            }
            Path beside = folder.resolve(UNFINISHED);
            Files.deleteIfExists(beside);
            Files.createFile(beside, ownerOnly("rw-------"));
            try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
                ByteBuffer left = ByteBuffer.wrap(bytes);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
                channel.force(true);
            }
            Files.move(
                    beside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            forceFolder();
        } catch (IOException e) {
            throw failed("cannot be written", e);
        } finally {
            changing.unlock();
        }
    }

    /** Deletes a file. */
    public void delete(String name) throws FileRefusedException {
        check(name);
        changing.lock();
        try {
            Files.delete(folder.resolve(name));
            forceFolder();
        } catch (NoSuchFileException e) {
            throw new FileRefusedException(Reason.NOT_FOUND, "there is no uploaded file '" + name + "'");
        } catch (IOException e) {
            throw failed("cannot be deleted from", e);
        } finally {
            changing.unlock();
        }
    }

    private static void check(String name) throws FileRefusedException {
        if (!NAME.matcher(name).matches()) {
            throw new FileRefusedException(
                    Reason.INVALID,
                    "a file is called by 1 to 255 letters of the ASCII alphabet, digits and _ . @ + -, the first one a letter, a digit"
                            + " or _, and no folder");
        }
    }

    private void makeFolder() throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, ownerOnly("rwx------"));
        }
    }

    /** So that a new name, too, survives a loss of power. */
    private void forceFolder() throws IOException {
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private FileAttribute<?>[] ownerOnly(String permissions) {
        boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private FileRefusedException failed(String what, IOException cause) {
        return new FileRefusedException(Reason.DISK_FAILED, folder + " " + what + ": " + cause.getMessage());
    }
}
