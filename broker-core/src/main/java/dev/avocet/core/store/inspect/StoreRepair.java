package dev.avocet.core.store.inspect;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a repair has done.
 *
 * @param before what was found
 * @param missingRecords batches of writes behind the last checkpoint that are gone, as far as can be told
 * @param written the checkpoint from which the store goes on; the log before it is not read any more. Null when nothing
 *     was to be done
 * @param putAside what was there before, so that the repair can be undone
 * @param losses what is lost or may be, a sentence each
 */
public record StoreRepair(
        StoreVerification before,
        long missingRecords,
        @Nullable Path written,
        List<Path> putAside,
        List<String> losses) {
    public StoreRepair {
        putAside = List.copyOf(putAside);
        losses = List.copyOf(losses);
    }

    /** True when something was to be repaired. */
    public boolean hasChanged() {
        return written != null;
    }

    /** For people, in several lines. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(before.toString());
        if (written == null) {
            return text.append("nothing was changed\n").toString();
        }
        text.append("repaired: the store goes on from ").append(written).append('\n');
        putAside.forEach(file -> text.append("kept from before: ").append(file).append('\n'));
        losses.forEach(loss -> text.append(loss).append('\n'));
        return text.toString();
    }
}
