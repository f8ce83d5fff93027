/**
 * Looks at a store that no broker has open: statistics, verification, repair, and the upgrade of a former format.
 *
 * <p>Start at {@link dev.avocet.core.store.inspect.StoreInspection}.
 */
@NullMarked
package dev.avocet.core.store.inspect;

import org.jspecify.annotations.NullMarked;
