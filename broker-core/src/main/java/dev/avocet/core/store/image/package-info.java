/**
 * The image of a store, kept up to date record by record: recovery feeds it from the disk, a standby from the
 * records that it is sent, and either hands it over to the broker that goes on with it.
 *
 * <p>Start at {@link dev.avocet.core.store.image.StoreImage}.
 */
@NullMarked
package dev.avocet.core.store.image;

import org.jspecify.annotations.NullMarked;
