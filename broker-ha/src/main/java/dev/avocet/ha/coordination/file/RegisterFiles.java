package dev.avocet.ha.coordination.file;

import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.coordination.RegisterCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A file for each revision of the register; the highest one counts. A revision comes into being as a hard link to a
 * complete and forced file, under a name that only one link can have. That is what fences a writer that has lost the
 * lock without knowing it, as after a pause: its link fails, whatever it believes. Any thread that holds the lock.
 */
final class RegisterFiles {
    private static final String PREFIX = "register-";

    /** A reader that has listed the directory finds what it has listed. */
    private static final int KEPT = 4;

    private final Path directory;

    RegisterFiles(Path directory) {
        this.directory = directory;
    }

    /** The newest revision. */
    Register newest() throws IOException, CoordinationException {
        NavigableMap<Long, Path> files = list();
        while (!files.isEmpty()) {
            try {
                return RegisterCodec.decode(Files.readAllBytes(files.lastEntry().getValue()));
            } catch (NoSuchFileException e) {
                files = list(); // KEPT newer ones were written since the directory was listed
            }
        }
        return Register.NONE;
    }

    /** Makes this the newest revision, unless there is one of its number already. True if it was the one. */
    boolean write(Register register) throws IOException {
        Path draft = directory.resolve("draft-" + UUID.randomUUID());
        try {
            writeForced(draft, RegisterCodec.encode(register));
            Files.createLink(file(register.revision()), draft);
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.deleteIfExists(draft);
        }
        forceDirectory();
        // A writer that was paused for several revisions may have used a number that was already cleared away.
        NavigableMap<Long, Path> files = list();
        if (files.lastKey() != register.revision()) {
            return false;
        }
        for (Path old : files.headMap(register.revision() - KEPT, true).values()) {
            Files.deleteIfExists(old);
        }
        return true;
    }

    private NavigableMap<Long, Path> list() throws IOException {
        NavigableMap<Long, Path> files = new TreeMap<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path file : found) {
                String number = file.getFileName().toString().substring(PREFIX.length());
                files.put(Long.parseLong(number), file);
            }
        }
        return files;
    }

    private Path file(long revision) {
        return directory.resolve(PREFIX + String.format(Locale.ROOT, "%019d", revision));
    }

    private static void writeForced(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
    }

    private void forceDirectory() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
