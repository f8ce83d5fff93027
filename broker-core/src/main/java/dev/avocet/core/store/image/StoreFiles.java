package dev.avocet.core.store.image;

import dev.avocet.core.journal.CopyJournal;
import dev.avocet.core.journal.JournalException;
import dev.avocet.core.journal.disk.Storage;
import dev.avocet.core.message.PropertiesFormat;
import dev.avocet.core.queue.reference.ReferencePages;
import dev.avocet.core.session.ProtocolStates;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a store lies and how it is read, for a node that does not serve clients from it yet.
 *
 * @param journal opens the journal, or makes it; may be asked again once the one before was closed
 * @param storage where checkpoints lie
 * @param directory of the checkpoints
 * @param formats of properties that the front ends use
 * @param protocolStates makes what the front ends keep with sessions
 */
public record StoreFiles(
        Opening journal,
        Storage storage,
        Path directory,
        List<PropertiesFormat> formats,
        ProtocolStates protocolStates) {
    /** References that the heap has no room for. Of no use to the next life of the broker, which makes it anew. */
    private static final String PAGES_FILE = "references.paged";
    /** References take this part of the heap before they go to that file. */
    private static final int REFERENCES_PART_OF_HEAP = 4;

    public StoreFiles {
        formats = List.copyOf(formats);
    }

    /** The same for a store in another directory. */
    public StoreFiles in(Path other) {
        return new StoreFiles(journal, storage, other, formats, protocolStates);
    }

    /** For the references of a store in that directory. */
    public static ReferencePages pages(Path directory) {
        return new ReferencePages(
                directory.resolve(PAGES_FILE), Runtime.getRuntime().maxMemory() / REFERENCES_PART_OF_HEAP);
    }

    CopyJournal openJournal() throws JournalException {
        return journal.open(directory);
    }

    /** Opens a journal. Blocks on the disk. */
    @FunctionalInterface
    public interface Opening {
        /**
         * The journal, not scanned; the caller closes it.
         *
         * @param directory of the store to which it belongs
         */
        CopyJournal open(Path directory) throws JournalException;
    }
}
