/**
 * Names for factories and destinations without a server: all that a {@code jndi.properties} file needs.
 *
 * <p>Owner thread: any. May depend on: the root package, message. Start reading at
 * {@link dev.avocet.jms.jndi.AvocetInitialContextFactory}.
 */
@NullMarked
package dev.avocet.jms.jndi;

import org.jspecify.annotations.NullMarked;
