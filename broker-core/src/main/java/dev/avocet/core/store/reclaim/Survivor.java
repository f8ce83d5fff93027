package dev.avocet.core.store.reclaim;

import dev.avocet.core.message.DeliveryOptions;
import org.jspecify.annotations.Nullable;

/**
 * A reference that keeps its segment alive.
 *
 * @param holder who has it
 * @param reference its number in the holder's queue; the holder's own affair
 * @param position where its message lies
 * @param storedBytes how many bytes that takes there
 * @param options of the reference, or null
 */
public record Survivor(
        SurvivorHolder holder,
        long reference,
        long position,
        int storedBytes,
        @Nullable DeliveryOptions options) {}
