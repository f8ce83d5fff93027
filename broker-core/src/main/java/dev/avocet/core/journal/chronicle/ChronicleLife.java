package dev.avocet.core.journal.chronicle;

import dev.avocet.core.journal.FilePlace;
import dev.avocet.core.journal.JournalException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One life of the broker in a {@link ChronicleJournal}: a directory
 * {@code life-NNNNNNNNNN-SSSSSSSSSSSSSSSS-IIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII} which is a Chronicle queue. Its
 * files are {@code NNNNNNNNNN.cq4}, one for each segment.
 *
 * <p>In front of each record, in the same document, stands a mark of {@value #MARK_BYTES} bytes: the salt xor the
 * position of the mark. The salt is random and stands nowhere but in the name of the directory, so no bytes that a
 * client has chosen can be taken for a record, wherever a scan looks for one.
 *
 * @param firstSegment number of its first segment
 * @param salt of its marks; negative, so that no mark is 0
 * @param storeId of the store to which it belongs; null in the first format, whose names end with the salt
 * @param directory where it is
 */
public record ChronicleLife(
        int firstSegment, long salt, @Nullable UUID storeId, Path directory) {
    static final int MARK_BYTES = 8;

    private static final Pattern NAME =
            Pattern.compile("life-(\\d{10})-([89a-f][0-9a-f]{15})(?:-([0-9a-f]{16})([0-9a-f]{16}))?");
    private static final Pattern SEGMENT = Pattern.compile("(\\d{10})\\.cq4");

    /** A new one. */
    static ChronicleLife next(Path journal, int firstSegment, UUID storeId) {
        long salt = new SecureRandom().nextLong() | Long.MIN_VALUE;
        String name = String.format(
                Locale.ROOT,
                "life-%010d-%016x-%016x%016x",
                firstSegment,
                salt,
                storeId.getMostSignificantBits(),
                storeId.getLeastSignificantBits());
        return new ChronicleLife(firstSegment, salt, storeId, journal.resolve(name));
    }

    /** The life in a directory; null when it is none. */
    public static @Nullable ChronicleLife in(Path directory) throws JournalException {
        Matcher name = NAME.matcher(directory.getFileName().toString());
        if (!name.matches()) {
            return null;
        }
        UUID storeId = name.group(3) == null
                ? null
                : new UUID(Long.parseUnsignedLong(name.group(3), 16), Long.parseUnsignedLong(name.group(4), 16));
        return new ChronicleLife(
                numberIn(directory, name.group(1)), Long.parseUnsignedLong(name.group(2), 16), storeId, directory);
    }

    /** The number of the segment that a file is; 0 when it is none. */
    static int segmentIn(Path file) throws JournalException {
        Matcher name = SEGMENT.matcher(file.getFileName().toString());
        return name.matches() ? numberIn(file, name.group(1)) : 0;
    }

    private static int numberIn(Path file, String digits) throws JournalException {
        long number = Long.parseLong(digits);
        if (number < 1 || number >= Integer.MAX_VALUE) {
            throw new JournalException(file + " has a number that no segment can have: move it elsewhere");
        }
        return (int) number;
    }

    /** The mark at this offset of a segment. */
    long markOf(int segment, long offset) {
        return salt ^ FilePlace.of(segment, offset);
    }

    Path segmentFile(int number) {
        return directory.resolve(String.format(Locale.ROOT, "%010d.cq4", number));
    }

    /** A file with the room of a segment and nothing in it, ready to be renamed. */
    Path spareFile() {
        return directory.resolve("spare");
    }

    /** Chronicle's lock and listing. */
    Path metadataFile() {
        return directory.resolve("metadata.cq4t");
    }
}
