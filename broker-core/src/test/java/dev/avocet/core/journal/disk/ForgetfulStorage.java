package dev.avocet.core.journal.disk;

import java.nio.file.Path;

/** A disk on which nothing is ever forced: what the tests of power cuts must find out. */
public final class ForgetfulStorage extends ForwardingStorage {
    @Override
    public StorageFile changed(StorageFile file) {
        return new ForwardingFile(file) {
            @Override
            public void force(boolean metadata) {
                // Forgotten.
            }
        };
    }

    @Override
    public void forceDirectory(Path directory) {
        // Forgotten.
    }
}
