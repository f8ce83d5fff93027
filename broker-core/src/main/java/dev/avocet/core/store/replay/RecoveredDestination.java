package dev.avocet.core.store.replay;

import dev.avocet.core.destination.QueueKind;

/** A queue that clients know by name, of an earlier life. */
public record RecoveredDestination(long queueId, String name, QueueKind kind) {}
