package dev.avocet.core.store.reclaim;

import dev.avocet.core.store.checkpoint.CheckpointTaker;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What the {@link Reclaimer} needs of others. All but the last are called on the thread {@code store-checkpoint}.
 *
 * @param checkpoints writes checkpoints
 * @param survivors finds what keeps a segment alive
 * @param oldestNeeded position from which on another part still needs the journal, a standby for example;
 *     {@link Long#MAX_VALUE} for none
 * @param diskShort true while messages are refused because the disk is full
 * @param onFailure hears, once, of a failure after which nothing in the store is to be trusted
 */
public record StoreSurroundings(
        CheckpointTaker checkpoints,
        Survivors survivors,
        LongSupplier oldestNeeded,
        BooleanSupplier diskShort,
        Consumer<? super Throwable> onFailure) {}
