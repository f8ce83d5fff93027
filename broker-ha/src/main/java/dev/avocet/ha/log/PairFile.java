package dev.avocet.ha.log;

import dev.avocet.core.journal.CorruptJournalException;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.journal.disk.StorageFile;
import dev.avocet.ha.role.EpochStarts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The file {@code pair} beside a store: what a member has to know of its log and the log does not say, or not soon
 * enough. Lines of text: the CRC32C of the rest, the version, the store, whether its log has ever had a record, and
 * where each epoch begins. It gets its name by a rename, when it is durable. Any thread, one at a time.
 */
public final class PairFile {
    private static final String NAME = "pair";
    private static final String ASIDE = "pair.left";
    private static final String VERSION = "avocet pair 1";
    private static final int HEAD_LINES = 3;
    private static final int MAX_BYTES = 16 << 20;

    private final Storage storage;
    private final Path directory;

    PairFile(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory;
    }

    /** Whether a store has such a file. */
    public static boolean exists(Storage storage, Path directory) throws IOException {
        return exists(storage, directory, NAME);
    }

    private static boolean exists(Storage storage, Path directory, String name) throws IOException {
        try (StorageFile found = storage.openForReading(directory.resolve(name))) {
            return found.sizeBytes() > 0;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Puts it aside; durable when this returns. */
    public static void putAside(Storage storage, Path directory) throws IOException {
        storage.rename(directory.resolve(NAME), directory.resolve(ASIDE));
        storage.forceDirectory(directory);
    }

    /** Whether it was put aside. */
    public static boolean isAside(Storage storage, Path directory) throws IOException {
        return exists(storage, directory, ASIDE);
    }

    /**
     * What the file says.
     *
     * @param storeId in whose directory it lies
     * @param hasRecords false until a record was durable here
     */
    record Content(UUID storeId, boolean hasRecords, EpochStarts starts) {}

    /** The content; of a store that was never a pair's: nothing, of this store. */
    Content read(UUID otherwise) throws JournalException {
        Path path = directory.resolve(NAME);
        try (StorageFile file = storage.openForReading(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.sizeBytes(), MAX_BYTES));
            file.readFully(bytes, 0);
            String text = StandardCharsets.UTF_8.decode(bytes.flip()).toString();
            int end = text.indexOf('\n');
            if (end < 0 || !text.substring(0, end).equals(checksum(text.substring(end + 1)))) {
                throw damaged(path);
            }
            return parse(path, text.substring(end + 1).lines().toList());
        } catch (NoSuchFileException e) {
            return new Content(otherwise, false, EpochStarts.NONE);
        } catch (JournalException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new JournalException(path + " cannot be read: " + e, e);
        }
    }

    private static Content parse(Path path, List<String> lines) throws JournalException {
        if (lines.size() < HEAD_LINES || !lines.get(0).equals(VERSION)) {
            throw new JournalException(path + " is of another version of the format than '" + VERSION
                    + "': use the broker that has written it, or a later one");
        }
        List<EpochStarts.Start> starts = new ArrayList<>();
        for (String line : lines.subList(HEAD_LINES, lines.size())) {
            int space = line.indexOf(' ');
            starts.add(new EpochStarts.Start(
                    Long.parseLong(line.substring(0, space)), Long.parseLong(line.substring(space + 1))));
        }
        return new Content(UUID.fromString(lines.get(1)), Boolean.parseBoolean(lines.get(2)), new EpochStarts(starts));
    }

    /** Replaces the content; durable when this returns. */
    void write(Content content) throws JournalException {
        List<String> lines = new ArrayList<>();
        lines.add(VERSION);
        lines.add(content.storeId().toString());
        lines.add(Boolean.toString(content.hasRecords()));
        content.starts().starts().forEach(start -> lines.add(start.epoch() + " " + start.position()));
        String rest = String.join("\n", lines);
        byte[] all = (checksum(rest) + "\n" + rest).getBytes(StandardCharsets.UTF_8);
        Path unfinished = directory.resolve(NAME + ".tmp");
        try {
            storage.createDirectories(directory);
            storage.delete(unfinished);
            try (StorageFile made = storage.create(unfinished)) {
                made.writeFully(ByteBuffer.wrap(all), 0);
                made.force(true);
            }
            storage.rename(unfinished, directory.resolve(NAME));
            storage.forceDirectory(directory);
        } catch (IOException e) {
            throw new JournalException(directory.resolve(NAME) + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static String checksum(String rest) {
        CRC32C crc = new CRC32C();
        crc.update(rest.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(crc.getValue());
    }

    private static JournalException damaged(Path path) {
        return new CorruptJournalException(
                path,
                0,
                "it does not say any more where the epochs of the log begin. Empty this node's store, and it gets all"
                        + " from the other node");
    }
}
