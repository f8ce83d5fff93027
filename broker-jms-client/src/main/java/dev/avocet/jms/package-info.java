/**
 * The Jakarta Messaging client of Avocet: what an application sees.
 *
 * <p>Owner thread: the application's; a factory may be used by several. May depend on: all packages of the client.
 * Start reading at {@link dev.avocet.jms.AvocetConnectionFactory}.
 */
@NullMarked
package dev.avocet.jms;

import org.jspecify.annotations.NullMarked;
