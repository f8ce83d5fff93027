/**
 * How configuration objects are described: the annotations that a record's components carry, and what is read from
 * them.
 *
 * <p>A new property is one record component with its {@link dev.avocet.core.config.schema.Doc}, its default and its
 * limits. Reading, checking, showing, the command line, docs/objects.md and the tests of limits follow from
 * {@link dev.avocet.core.config.schema.ObjectType}, where to start reading.
 *
 * <p>Owner thread: none; everything is immutable or used by one thread. May depend on: core.config.value.
 */
@NullMarked
package dev.avocet.core.config.schema;

import org.jspecify.annotations.NullMarked;
