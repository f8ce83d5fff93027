package dev.avocet.server.transfer;

import dev.avocet.core.store.transfer.TransferCounts;
import java.util.List;
import java.util.stream.Stream;

/**
 * What became of an export or import.
 *
 * @param problems that kept a part of it from being done; with some of them it has failed
 * @param notes of what does not travel by its nature
 */
record Outcome(String message, TransferCounts counts, List<String> problems, List<String> notes) {
    List<String> diagnostics() {
        return Stream.concat(problems.stream(), notes.stream()).toList();
    }
}
