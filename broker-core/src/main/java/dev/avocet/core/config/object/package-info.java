/**
 * The list of all types of configuration objects; the objects themselves are in the packages below, one record each.
 * <p>Names, limits and defaults are those of IBM MessageSight, so that its administrators and scripts feel at home;
 * docs/objects.md says where they differ. A new type is one record and one line in {@link
 * dev.avocet.core.config.object.ObjectTypes}, where to start reading, beside {@link
 * dev.avocet.core.config.object.messaging.Endpoint}.
 * <p>Owner thread: none; everything is immutable. May depend on: core.config.schema, core.config.value.
 */
@NullMarked
package dev.avocet.core.config.object;

import org.jspecify.annotations.NullMarked;
