package dev.avocet.core.journal.disk;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** How full the file system is. Any thread; blocks on the disk. */
public interface DiskSpace {
    /** Bytes that this process may still use. */
    long freeBytes() throws IOException;

    /** Size of the file system in bytes. */
    long totalBytes() throws IOException;

    /** That of the file system on which a directory lies. */
    static DiskSpace of(Path directory) throws IOException {
        FileStore store = Files.getFileStore(directory);
        return new DiskSpace() {
            @Override
            public long freeBytes() throws IOException {
                return store.getUsableSpace();
            }

            @Override
            public long totalBytes() throws IOException {
                return store.getTotalSpace();
            }
        };
    }
}
