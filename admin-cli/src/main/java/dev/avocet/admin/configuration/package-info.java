/**
 * The configuration as a whole: apply, compare, versions, export and import.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.configuration.ApplyCommand}.
 */
@NullMarked
package dev.avocet.admin.configuration;

import org.jspecify.annotations.NullMarked;
