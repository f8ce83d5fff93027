package dev.avocet.core.journal.log;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What makes a cut of the log whole or not done at all: a file that says what is to be cut off. Once it has its name
 * the cut is decided; the next opening of the journal finishes it. The file is lines of text: the CRC32C of the rest,
 * the length that is left of one file and its name, and the names of files that go, the newest first.
 */
public final class CutMark {
    private static final int MAX_BYTES = 16 << 20;

    private final Storage storage;
    private final Path directory;
    private final Path mark;
    private final Path unfinished;

    /** @param directory of the journal, in which all of its files are, at whatever depth */
    public CutMark(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory;
        mark = directory.resolve("cut-back");
        unfinished = directory.resolve("cut-back.tmp");
    }

    /**
     * Cuts.
     *
     * @param file the one in which the log is to end
     * @param leftBytes what is left of it; 0 when it goes altogether and is one of the later ones
     * @param later files that go, the oldest first
     */
    public void cut(Path file, long leftBytes, List<Path> later) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(leftBytes + " " + directory.relativize(file));
        for (int i = later.size() - 1; i >= 0; i--) {
            lines.add(directory.relativize(later.get(i)).toString());
        }
        byte[] rest = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
        byte[] all = (checksum(rest) + "\n" + String.join("\n", lines)).getBytes(StandardCharsets.UTF_8);
        storage.delete(unfinished);
        try (StorageFile made = storage.create(unfinished)) {
            made.writeFully(ByteBuffer.wrap(all), 0);
            made.force(true);
        }
        storage.rename(unfinished, mark);
        storage.forceDirectory(directory);
        finish();
    }

    /** Finishes a cut that was decided, if there is one. */
    public void finish() throws IOException {
        List<String> lines = read();
        if (lines.isEmpty()) {
            return;
        }
        for (String name : lines.subList(1, lines.size())) {
            Path file = directory.resolve(name);
            storage.delete(file);
            forceDirectoryOf(file);
        }
        int space = lines.get(0).indexOf(' ');
        long leftBytes = Long.parseLong(lines.get(0).substring(0, space));
        if (leftBytes > 0) {
            Path file = directory.resolve(lines.get(0).substring(space + 1));
            try (StorageFile cut = storage.open(file)) {
                cut.truncate(leftBytes);
                cut.force(true);
            }
        }
        // Before anything is appended: a mark that came back would cut that off.
        storage.delete(mark);
        storage.forceDirectory(directory);
    }

    private void forceDirectoryOf(Path file) throws IOException {
        Path parent = file.getParent();
        if (parent != null) {
            storage.forceDirectory(parent);
        }
    }

    /** Empty when there is no mark. */
    private List<String> read() throws IOException {
        try (StorageFile file = storage.openForReading(mark)) {
            long size = file.sizeBytes();
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(size, MAX_BYTES));
            file.readFully(bytes, 0);
            String text = StandardCharsets.UTF_8.decode(bytes.flip()).toString();
            int end = text.indexOf('\n');
            String rest = text.substring(end + 1);
            if (end < 0 || !text.substring(0, end).equals(checksum(rest.getBytes(StandardCharsets.UTF_8)))) {
                throw new CorruptJournalException(
                        mark, 0, "it does not say any more how far the log is to be cut back");
            }
            return rest.lines().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    private static String checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return Long.toHexString(crc.getValue());
    }
}
