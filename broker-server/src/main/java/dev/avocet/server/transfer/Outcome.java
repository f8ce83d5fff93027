package dev.avocet.server.transfer;

import dev.avocet.core.store.TransferCounts;
import java.util.List;

/**
 * What became of an export or import.
 *
 * @param problems that kept a part of it from being done; with some of them it has failed
 */
record Outcome(String message, TransferCounts counts, List<String> problems) {}
