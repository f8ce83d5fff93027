package dev.avocet.core.store;

import dev.avocet.core.destination.QueueKind;

/** A queue that clients know by name, of an earlier life. */
record RecoveredDestination(long queueId, String name, QueueKind kind) {}
