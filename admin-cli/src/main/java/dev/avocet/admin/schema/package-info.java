/**
 * What this program knows of the broker's configuration objects: a file that is generated from the broker's own
 * descriptions.
 *
 * <p>Owner thread: main. May depend on: Jackson's streaming half. Start reading at
 * {@link dev.avocet.admin.schema.Schema}.
 */
@NullMarked
package dev.avocet.admin.schema;

import org.jspecify.annotations.NullMarked;
