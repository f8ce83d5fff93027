package dev.avocet.server.config;

import dev.avocet.core.config.schema.Range;

/** A record whose options depend on one another, beyond what {@link Range} can say. */
interface Constrained {
    /** Reports what is wrong; paths are relative to this record. */
    void check(Problems problems);
}
