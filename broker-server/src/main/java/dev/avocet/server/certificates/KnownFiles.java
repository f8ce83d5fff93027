package dev.avocet.server.certificates;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What uploaded files are. A file is read when it is asked about for the first time and when it has changed since, as
 * lists of revoked certificates are large. Thread-safe; blocks on the disk.
 */
public final class KnownFiles {
    private static final FileFacts UNREADABLE =
            new FileFacts(FileFacts.Kind.OTHER, 0, "", "", null, "cannot be read from the disk");

    private final Map<String, Known> byName = new ConcurrentHashMap<>();

    /** What a file is now. */
    public FileFacts of(UploadedFiles files, UploadedFile file) {
        Known known = byName.get(file.name());
        if (known != null && known.file.equals(file)) {
            return known.facts;
        }
        try {
            FileFacts facts = FileFacts.of(Files.readAllBytes(files.folder().resolve(file.name())));
            byName.put(file.name(), new Known(file, facts));
            return facts;
        } catch (IOException e) {
            byName.remove(file.name());
            return UNREADABLE;
        }
    }

    /** Forgets files that are not there any more; those that are there are at most {@link UploadedFiles#MAX_COUNT}. */
    public void keepOnly(List<UploadedFile> present) {
        byName.keySet().retainAll(present.stream().map(UploadedFile::name).toList());
    }

    private record Known(UploadedFile file, FileFacts facts) {}
}
